r"""Learning curves of Bayesian learners for N to infinity, and their priors.

**Priors.** Examples act on each weight as one Gaussian observation of it. For the
teacher's weight
:math:`B_i` it is a field :math:`\hat q B_i + \sqrt{\hat q}\, z_i`. Its strength
:math:`\hat q` is the same for all weights. The prior turns it into the overlap
:math:`q` of two draws from the posterior. This is also the overlap of a draw with the
teacher, and the squared length of the posterior mean, per dimension:

.. math::
    \text{spherical:}\quad q = \frac{\hat q}{1 + \hat q}, \qquad
    \text{binary:}\quad q = E \tanh^2(\hat q + \sqrt{\hat q}\, z)
        = E \tanh(\hat q + \sqrt{\hat q}\, z).   \tag{1}

For weights :math:`\pm 1`, the law :math:`\mathcal N(\hat q, \hat q)` has the density
:math:`e^{x - \hat q/2}` relative to :math:`\mathcal N(0, \hat q)`. Made symmetric in x,
this leaves integrals without cancellation:

.. math::
    1 - q = e^{-\hat q/2}\, E\, \frac{1}{\cosh x}, \qquad
    q = e^{-\hat q/2}\, E\, \sinh x \tanh x, \qquad
    x \sim \mathcal N(0, \hat q),   \tag{2}

so that :math:`1 - q \to \sqrt{\pi / 2 \hat q}\; e^{-\hat q / 2}` for strong fields. The
remainder vanishes exponentially, where it is :math:`1 / \hat q` for the spherical
prior. The logarithm of the number of weights that the field leaves possible is, per
weight,

.. math::
    E \log 2 \cosh(\hat q + \sqrt{\hat q}\, z) - \tfrac12 \hat q (1 + q)
    = e^{-\hat q/2}\, E\left[\cosh x \log 2 \cosh x - x \sinh x\right]
      + \tfrac12 \hat q (1 - q).   \tag{3}

The strength that one example adds (times N) is :math:`I(q) / (1 - q)`, with the
information of :mod:`rosenblatt.theory.closed.spherical_bayes`; its inverse is the
:func:`pace`. For labels of any likelihood it is :math:`J` of
:mod:`rosenblatt.numerics.likelihood`, eq. (2).

**On-line.** The learner of :cite:t:`winther1997` keeps the mean of its posterior only.
Its examples are seen once each, so the strength :math:`\hat q` of the field that they
exert adds up with the information that each had:

.. math::
    \frac{d \hat q}{d\alpha} = \frac{I(q)}{1 - q} = \frac{J(q)}{\sqrt{1 - q}},   \tag{4}

with :math:`q(\hat q)` of the prior. For the spherical prior this is the paper's curve,
:math:`dq/d\alpha = (1 - q) I(q)`. For the binary one, which the paper leaves open, it
follows from eqs. (10)-(11) in the gauge :math:`B_i = 1`, with inputs of squared length
1 and :math:`u = y h / \sqrt{1 - q}`. An example changes the field
:math:`\operatorname{atanh} w_i` by

.. math::
    \delta_i = \frac{x_i y F(u)}{\sqrt{1 - q}}
        + \frac{w_i x_i^2 F (u + F)}{1 - q}.   \tag{5}

Let :math:`h` be the student's and :math:`b` the teacher's field. By partial integration
over the Gaussian :math:`x_i`, the mean of the first term is :math:`1/N` times
:math:`w_i E\, \partial_h + B_i E\, \partial_b` of :math:`y F / \sqrt{1 - q}`. Since
:math:`F' = -F (u + F)`, the second term, the correction, cancels the part in
:math:`w_i`. What remains is a drift :math:`A/N` that is the same for all weights, and
independent kicks of variance :math:`E F^2 / N (1 - q)`. With the true noise both are
:math:`I(q) / N (1 - q)`; so
:math:`\operatorname{atanh} w_i = \hat q + \sqrt{\hat q}\, z_i`, and :math:`q` is the
prior's.

Hence :math:`\alpha = \int_0^{\hat q} \sqrt{1 - q} / J(q)\, d\hat q`, while a batch
learner has :math:`\alpha = \hat q \sqrt{1 - q} / J(q)`, which is less since the
integrand falls. For the spherical prior :math:`1 / \sqrt{1 - q}` grows by
:math:`J(1) / 2` per unit of alpha, half as fast as for the batch learner: for every
noise :math:`k`

.. math:: \alpha\, (\text{error} - k) \to \frac{2 (1 - 2k)}{\pi J(1)},   \tag{6}

twice the batch learner's limit. For the binary prior :math:`1 - q` falls exponentially
with :math:`\hat q`, the integral exists up to infinity, and the teacher is found
exactly at

.. math:: \alpha_c = \int_0^\infty \frac{\sqrt{1 - q}}{J(q)}\, d\hat q < \infty
          \tag{7}

for every noise below 1/2. Shortly before, :math:`\alpha_c - \alpha \to 4 \sqrt{1 - q} /
J(1)`, so that the error falls to the noise *linearly*,

.. math:: \text{error} - k \to \frac{(1 - 2k) J(1)}{4 \pi} (\alpha_c - \alpha),
          \tag{8}

with relative corrections of the order :math:`1 / \hat q`, that is of
:math:`1 / |\log(\alpha_c - \alpha)|`.

**In a batch**, with the least error of any learner. All of :math:`P = \alpha N`
examples are there at once, a share :math:`k` of their labels flipped. The teacher is
uniform on the sphere, so the posterior of the weights is

.. math::
    p(w) \propto \prod_\mu \left[k + (1 - 2k)\, \Theta(y^\mu w \cdot x^\mu)\right].

Two students drawn from it overlap by :math:`q` and, since the teacher is one more such
draw, overlap with the teacher by :math:`R = q` too. For given data
:math:`w = m + \text{rest}` with :math:`|m|^2 = q N`. The field
:math:`\omega = m \cdot x` of a new input is :math:`\mathcal N(0, q)` and the student's
own field has variance :math:`1 - q` around it. With :math:`v = \omega / \sqrt{1 - q}` a
label has the probability :math:`p(y|v) = k + (1 - 2k) \Phi(y v)`. Each example adds
:math:`\langle (\partial_\omega \log p)^2 \rangle = I(q) / (1 - q)` to the strength
:math:`\hat q` of a Gaussian field towards the teacher, with :math:`I` of
:mod:`rosenblatt.theory.closed.spherical_bayes`, eq. (1). A field of strength
:math:`\hat q` gives :math:`q = \hat q / (1 + \hat q)`. Together (the saddle point of
the replica-symmetric free energy, which is exact here),

.. math::
    q = \alpha\, I(q), \qquad\text{that is}\qquad
    \frac{q}{\sqrt{1 - q}} = \alpha\, J(q),   \tag{9}

which without noise is the known

.. math::
    \frac{q}{\sqrt{1 - q}} = \frac{\alpha}{\pi} \int Dx\,
        \frac{e^{-q x^2 / 2}}{H(\sqrt q\, x)}

of Gyorgyi and Tishby (1990) and Seung, Sompolinsky and Tishby (1992). A student drawn
from the posterior (the Gibbs learner) is at the angle :math:`\arccos q` from the
teacher. The mean of the posterior, the best student of all (the Bayes learner), is at
:math:`\arccos \sqrt q`. For many examples :math:`1 / \sqrt{1 - q} \to \alpha J(1)`,

.. math::
    \text{Gibbs angle} \to \frac{\sqrt 2}{\alpha J(1)}, \qquad
    \text{Bayes angle} \to \frac{1}{\alpha J(1)}.   \tag{10}

**Binary weights** are the other prior. There

.. math::
    q = E \tanh^2(\hat q + \sqrt{\hat q}\, z), \qquad
    \alpha = \hat q\, \frac{\sqrt{1 - q}}{J(q)}   \tag{11}

are the saddle points of the free entropy per weight

.. math::
    s = E \log 2\cosh(\hat q + \sqrt{\hat q}\, z) - \tfrac12 \hat q (1 + q)
        + \alpha \left[\sum_y E\, p(y|v) \log p(y|v) + H(k)\right],   \tag{12}

the logarithm of the posterior's weight relative to that of the teacher alone, with
:math:`v \sim \mathcal N(0, q/(1-q))` and
:math:`H(k) = -k \log k - (1-k) \log (1-k)`. As a function of the strength, alpha in
eq. (11) rises from 0 to one maximum, the *spinodal*, and falls to 0 again. At every
alpha there is also the teacher itself, with q = 1 and s = 0. The posterior follows the
low branch until its :math:`s` passes through zero, then the teacher. Without noise this
happens at alpha = 1.245 (Gyorgyi 1990; Sompolinsky, Tishby and Seung 1990). Approximate
message passing follows the low branch to its end (1.493). Both exist for every noise
below 1/2, and grow as :math:`(1 - 2k)^{-2}`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import Literal, NamedTuple

import numpy as np
import xarray as xr
from numpy.polynomial import Chebyshev
from scipy.optimize import brentq, minimize_scalar
from scipy.special import entr, erf, erfc, ndtr, roots_legendre

from rosenblatt.core import Likelihood
from rosenblatt.core.arguments import below_half, increasing, number, part, shown
from rosenblatt.core.gaussian import layer, nodes
from rosenblatt.core.types import FloatArray
from rosenblatt.likelihoods import Sign
from rosenblatt.numerics.likelihood import information, one_law
from rosenblatt.theory.closed.spherical_bayes import sharpness

Prior = Literal["spherical", "binary"]
Pace = Callable[[FloatArray], FloatArray]
Learners = dict[str, tuple[FloatArray, FloatArray, FloatArray]]

# Nodes of the trapezoidal rule, which is exact to exp(-pi^2 / step) for functions with
# poles at +-i pi/2, and to exp(-2 (pi / step)^2) for the Gaussian weight.
_STEP = 0.25
_NODES = _STEP * np.arange(-160, 161)  # exp(-40) = 4e-18 is left out
_STRONG = 2000.0  # exp(-1000) is 0 in double precision, as is all beyond

# Panels of strengths, on which the pace is interpolated: to 2 (3 + sqrt(8))^-14 = 4e-11
# relative to its size, if it is smooth for all positive strengths.
_FIRST_PANEL, _DEGREE = 0.25, 14


class Overlap(NamedTuple):
    """The overlap q and 1 - q, each accurate in relative terms."""

    q: FloatArray
    rest: FloatArray


def spherical(strength: FloatArray) -> Overlap:
    """Return eq. (1) for weights of any direction.

    Examples
    --------
    >>> spherical(np.array([0.0, 1.0])).q
    array([0. , 0.5])
    """
    finite = np.minimum(strength, np.finfo(float).max)
    return Overlap(finite / (1 + finite), 1 / (1 + np.asarray(strength)))


def _average(strength: FloatArray, function: Callable[..., FloatArray]) -> FloatArray:
    """Return exp(-strength / 2) E function(x) for even functions that fall as 1/cosh x.

    Up to a strength of 1 they may grow as well, as long as the Gaussian falls.
    """
    strong = np.minimum(strength, _STRONG)[..., None]
    narrow = np.maximum(1.0, np.sqrt(strong))
    z = _NODES / narrow
    weight = np.exp(-0.5 * z * z) * (_STEP / narrow / math.sqrt(2 * math.pi))
    mean = (weight * function(np.abs(np.sqrt(strong) * z))).sum(axis=-1)
    return np.asarray(np.exp(-0.5 * strong[..., 0]) * mean)


def binary(strength: FloatArray) -> Overlap:
    """Return eq. (2), for weights -1 and +1.

    Examples
    --------
    >>> binary(np.array([0.0, 1.0, 100.0])).rest
    array([1.00000000e+00, 4.49599509e-01, 2.38838347e-23])
    """
    strength = np.asarray(strength, dtype=np.float64)
    rest = _average(strength, lambda x: 1 / np.cosh(x))
    weak = _average(np.minimum(strength, 1.0), lambda x: np.sinh(x) * np.tanh(x))
    return Overlap(np.where(strength < 1, weak, 1 - rest), rest)


def binary_entropy(strength: FloatArray) -> FloatArray:
    """Return eq. (3), the entropy of binary weights under a field.

    Examples
    --------
    >>> float(binary_entropy(np.array(0.0)))  # log 2
    0.69314718...
    """
    strength = np.asarray(strength, dtype=np.float64)

    def part(x: FloatArray) -> FloatArray:  # with log 2 cosh x = x + log(1 + e^(-2x))
        return np.cosh(x) * np.log1p(np.exp(-2 * x)) + x * np.exp(-x)

    weak = np.minimum(strength, _STRONG)
    return _average(strength, part) + 0.5 * weak * binary(strength).rest


_PRIORS: dict[str, Callable[[FloatArray], Overlap]] = {
    "spherical": spherical,
    "binary": binary,
}


def pace(strength: FloatArray, noise: float, prior: str) -> FloatArray:
    """Return the examples per weight that a unit of strength takes on-line.

    Examples
    --------
    >>> float(pace(np.array(0.0), 0.0, "binary"))  # pi / 2
    1.5707963...
    """
    q, rest = _PRIORS[prior](np.asarray(strength, dtype=np.float64))
    return np.asarray(np.sqrt(rest) / sharpness(q, noise))


class _Channel:
    """Pace for a likelihood and the spherical prior, by interpolation.

    Strengths are divided into panels, each as long as all before.
    """

    def __init__(self, likelihood: Likelihood) -> None:
        self._likelihood = likelihood
        self._panels: dict[int, Chebyshev] = {}

    def __call__(self, strength: FloatArray) -> FloatArray:
        """Return the examples per weight that a unit of strength takes."""
        given = np.asarray(strength, dtype=np.float64)
        found = np.empty(given.shape)
        panel = np.maximum(np.frexp(given / _FIRST_PANEL)[1], 0)
        for one in np.unique(panel).tolist():
            if one not in self._panels:
                ends = [_FIRST_PANEL * 2.0 ** (one - 1) if one else 0.0]
                ends.append(_FIRST_PANEL * 2.0**one)
                self._panels[one] = Chebyshev.interpolate(
                    np.vectorize(self._exact), _DEGREE, ends
                )
            own = panel == one
            found[own] = self._panels[one](given[own])
        return found

    def _exact(self, strength: float) -> float:
        q, rest = spherical(np.array(strength))
        return 1.0 / information(self._likelihood, float(q), float(rest))


@functools.lru_cache(maxsize=16)
def channel_pace(likelihood: Likelihood) -> Pace:
    """Return the pace for labels of a likelihood, as a function of the strength.

    Examples
    --------
    >>> from rosenblatt.likelihoods import Gaussian
    >>> float(channel_pace(Gaussian(2.0))(np.array(0.0)).round(10))  # 1 + 2^2
    5.0
    """
    if isinstance(likelihood, Sign):  # its information is not smooth at q = 1
        return functools.partial(pace, noise=likelihood.noise, prior="spherical")
    return _Channel(likelihood)


def learners(strength: FloatArray, prior: str) -> Learners:
    """Return overlap, angle and length of the students that follow from a posterior.

    ``gibbs`` is a draw from it, ``bayes`` its mean, and ``clipped``, for binary
    weights, the mean's signs. The teacher has the length 1.
    """
    q, rest = _PRIORS[prior](strength)
    one, root = np.ones_like(q), np.sqrt(q)
    found = {
        "gibbs": (q, np.arctan2(np.sqrt(rest * (1 + q)), q), one),
        "bayes": (root, np.arctan2(np.sqrt(rest), root), root),
    }
    if prior == "binary":  # signs of Gaussian fields, by their mean over their spread
        signal = np.sqrt(strength / 2)
        agree, differ = erf(signal), erfc(signal)
        angle = np.arctan2(np.sqrt(differ * (1 + agree)), agree)
        found["clipped"] = (agree, angle, one)
    return found


def _checked(
    alpha: float | Iterable[float],
    noise: float,
    prior: str,
    likelihood: Likelihood | None,
) -> tuple[FloatArray, float]:
    """Return alpha and noise; raise an error unless there are curves for all four."""
    alphas = increasing("alpha", alpha)
    noise = number("noise", noise, low=0, high=0.5)
    if not (isinstance(prior, str) and prior in _PRIORS):
        wanted = " or ".join(repr(name) for name in _PRIORS)
        raise ValueError(f"prior must be {wanted}, got {shown(prior)}")
    if likelihood is not None:
        one_law(part("likelihood", Likelihood, likelihood), noise)
        if prior != "spherical":
            raise ValueError(
                f"prior must be 'spherical' with a likelihood, got {prior!r}"
            )
    return alphas, noise


def curves(
    alpha: FloatArray,
    found: Learners,
    noise: float,
    likelihood: Likelihood | None,
    **about: object,
) -> xr.Dataset:
    """Return the labelled result, with dimensions ``learner`` and ``alpha``."""
    dims = ("learner", "alpha")
    overlap, angle, norm = (np.array(v) for v in zip(*found.values(), strict=True))
    known = {"overlap": (dims, overlap), "angle": (dims, angle), "norm": (dims, norm)}
    result = xr.Dataset(known, {"learner": list(found), "alpha": alpha})
    if likelihood is not None:
        return result.assign(squared_error=(dims, norm**2 + 1 - 2 * norm * overlap))
    error = noise + (1 - 2 * noise) * angle / np.pi
    return result.assign(error=(dims, error)).assign_attrs(noise=noise, **about)


_POINTS, _WEIGHTS = (np.asarray(a) for a in roots_legendre(20))
_FIRST = 0.25  # end of the first panel; each further one is as long as all before
_ROUNDING = 16 * np.finfo(float).eps
_EFFORT = 200  # Newton's steps; a few, and one per 4 units of strength near the end


def _between(low: FloatArray, high: FloatArray, pace: Pace) -> FloatArray:
    """Return the examples needed from one strength to another, within one panel."""
    half = 0.5 * (high - low)
    at = low[..., None] + half[..., None] * (1 + _POINTS)
    return np.asarray(half * (pace(at) @ _WEIGHTS))


def _panels(until: float, pace: Pace) -> tuple[FloatArray, FloatArray]:
    """Return strengths that double, and alpha at each, until nothing is added."""
    ends, alphas = [0.0], [0.0]
    while alphas[-1] <= until:
        end = max(_FIRST, 2 * ends[-1])
        more = float(_between(np.array(ends[-1]), np.array(end), pace))
        ends.append(end)
        alphas.append(alphas[-1] + more)
        if more <= alphas[-1] * np.finfo(float).eps / 4:
            break
    return np.array(ends), np.array(alphas)


def _strength(alpha: FloatArray, pace: Pace) -> FloatArray:
    """Return the strength at each alpha, infinite from the end of the integral on."""
    ends, alphas = _panels(float(alpha[-1]), pace)
    found = np.full(alpha.shape, np.inf)
    inside = alpha < alphas[-1]
    wanted = alpha[inside]
    panel = np.searchsorted(alphas, wanted, side="right") - 1
    low, left = ends[panel], wanted - alphas[panel]
    at = low.copy()
    # alpha is a concave function of the strength: Newton's steps come from below
    for _ in range(_EFFORT):
        missing = left - _between(low, at, pace)
        if np.all(np.abs(missing) <= _ROUNDING * wanted):
            found[inside] = at
            return found
        at = at + missing / pace(at)
    raise ArithmeticError(f"the strength did not settle in {_EFFORT} steps")


def solve_online(
    alpha: float | Iterable[float],
    noise: float = 0.0,
    *,
    prior: Prior = "spherical",
    likelihood: Likelihood | None = None,
) -> xr.Dataset:
    """Return the learning curve of Bayesian on-line learning.

    A learner that assumes a wrong noise is ``rb.solve(rb.rules.SphericalBayes(noise),
    ...)``.

    Parameters
    ----------
    alpha, noise, prior, likelihood
        As in :func:`solve_batch`.

    Returns
    -------
    xarray.Dataset
        Dataset as of :func:`solve_batch`, for the same learners. ``"bayes"`` predicts
        with the mean, ``"gibbs"`` with a draw from the posterior as the learner sees
        it, ``"clipped"`` with the signs of binary weights' means. ``norm`` is the
        student's length over sqrt(N), of which :func:`calibration` makes use. All are
        accurate to rounding, in relative terms.

    Examples
    --------
    >>> curves = solve_online([1, 4, 5], prior="binary")
    >>> curves.error.sel(learner="bayes").values.round(5)
    array([0.25892, 0.02266, 0.     ])
    """
    alphas, noise = _checked(alpha, noise, prior, likelihood)
    own: Pace = functools.partial(pace, noise=noise, prior=prior)
    if likelihood is not None:
        own = channel_pace(likelihood)
    strength = _strength(alphas, own) if noise < 0.5 else np.zeros_like(alphas)
    found = learners(strength, prior)
    return curves(alphas, found, noise, likelihood, prior=prior, engine="theory")


def online_asymptote(noise: float = 0.0) -> float:
    """Return the limit of ``alpha * (error - noise)`` for the spherical prior, eq. (6).

    The noise is that of :func:`batch_asymptote`, whose limit is half as large.

    Examples
    --------
    >>> online_asymptote()
    0.8834...
    """
    clear = 1 - 2 * below_half("noise", noise)
    return 2 * clear / (math.pi * float(sharpness(1.0, noise)))


def critical_alpha(noise: float = 0.0) -> float:
    """Return where on-line learning finds a binary teacher exactly, eq. (7).

    ``noise`` is the probability that a label is flipped, below 1/2.

    Examples
    --------
    >>> critical_alpha()
    4.36819...
    """
    own = functools.partial(pace, noise=below_half("noise", noise), prior="binary")
    return float(_panels(math.inf, own)[1][-1])


# J is a sum over some hundred nodes: processors round it differently in the last bits.
_SETTLED = 64 * np.finfo(float).eps
_ITERATIONS = 100  # iterations; each changes at most 1/8 of what the one before did
_LOWEST, _HIGHEST = 1e-3, 20.0  # around the spinodal, 4 to 5 for every noise
_TINY = 1e-300  # brentq's absolute tolerance: the relative one decides
_RELATIVE = 4 * np.finfo(float).eps


class BatchAsymptote(NamedTuple):
    """Limits of alpha times the excess of the error over the noise."""

    gibbs: float
    bayes: float


def _odds(alpha: FloatArray, noise: float) -> FloatArray:
    """Return the strength q / (1 - q) from eq. (9), by iteration: J hardly changes."""
    odds = np.zeros_like(alpha)
    for _ in range(_ITERATIONS):
        before = odds
        y = alpha * sharpness(odds / (1 + odds), noise)
        odds = 0.5 * y * (y + np.sqrt(y * y + 4))  # of eq. (9) for given J
        if np.all(np.abs(odds - before) <= _SETTLED * odds):
            return odds
    raise ArithmeticError(
        f"the overlap at noise = {noise} did not settle in {_ITERATIONS} iterations"
    )


def _channel(alpha: FloatArray, pace: Pace) -> FloatArray:
    """Return the strength of which alpha is strength times pace, for each alpha."""

    def strength(wanted: float) -> float:
        if wanted == 0.0:
            return 0.0
        high = 1.0
        while high * float(pace(np.array(high))) < wanted:
            high *= 2.0

        def missing(s: float) -> float:
            return s * float(pace(np.array(s))) - wanted

        return float(brentq(missing, 0.0, high, xtol=_TINY, rtol=_RELATIVE))

    return np.array([strength(wanted) for wanted in alpha])


def _alpha(strength: float, noise: float) -> float:
    """Return eq. (11)."""
    return strength * float(pace(np.array(strength), noise, "binary"))


def free_entropy(strength: float, noise: float) -> float:
    """Return eq. (12) at a solution of eq. (3).

    Examples
    --------
    >>> free_entropy(1e-9, 0.0)  # log 2
    0.693147...
    """
    q, rest = (float(v) for v in binary(np.array(strength)))
    spread = (q / rest) ** 0.5
    z, weight = nodes([*layer(0.0, 1 / spread)])
    # of both labels, which contribute the same; less that of the flips, pointwise
    doubt = entr(noise) + entr(1 - noise)
    chance = noise + (1 - 2 * noise) * ndtr(spread * z)
    lost = float(weight @ (entr(chance) + entr(1 - chance) - doubt))
    return float(binary_entropy(np.array(strength))) - _alpha(strength, noise) * lost


@cache
def _transitions(noise: float) -> tuple[float, float, float]:
    """Return alpha where s = 0, and alpha and strength at the spinodal."""
    found = minimize_scalar(
        lambda strength: -_alpha(strength, noise),
        bounds=(_LOWEST, _HIGHEST),
        method="bounded",
        options={"xatol": 1e-9},
    )
    peak = float(found.x)
    even = brentq(free_entropy, _LOWEST, peak, args=(noise,), rtol=_RELATIVE)
    return _alpha(float(even), noise), _alpha(peak, noise), peak


def _binary(alpha: FloatArray, noise: float) -> tuple[FloatArray, FloatArray]:
    """Return strengths of the posterior and of message passing at each alpha."""
    if noise == 0.5:
        return np.zeros_like(alpha), np.zeros_like(alpha)
    even, end, peak = _transitions(noise)

    def strength(wanted: float) -> float:
        if wanted >= end:
            return math.inf
        return float(
            brentq(
                lambda s: _alpha(s, noise) - wanted,
                0.0,
                peak,
                xtol=_TINY,
                rtol=_RELATIVE,
            )
        )

    low = np.array([strength(wanted) for wanted in alpha])
    return np.where(alpha < even, low, np.inf), low


def solve_batch(
    alpha: float | Iterable[float],
    noise: float = 0.0,
    *,
    prior: Prior = "spherical",
    likelihood: Likelihood | None = None,
) -> xr.Dataset:
    """Return the learning curves of the Gibbs and the Bayes learner.

    Both know noise and prior. The Bayes learner's error is the smallest that is
    possible with these examples.

    Parameters
    ----------
    alpha
        Numbers of examples per weight, increasing; 0 is allowed.
    noise
        Probability that a label is flipped, at most 1/2.
    prior
        ``"spherical"``, or ``"binary"`` for weights -1 and +1, known to be so.
    likelihood
        Law of the labels, known to the learners; None: signs with this noise. The
        result then has ``squared_error`` instead of ``error``: the mean squared
        difference between the fields of student and teacher. The prior is spherical.

    Returns
    -------
    xarray.Dataset
        Dimensions ``learner`` (``"gibbs"``, ``"bayes"``) and ``alpha``; variables
        ``overlap`` with the teacher, ``angle``, ``norm``, and ``error``: the
        probability that sign and label differ, noise included. All accurate to
        rounding, in relative terms, however small the angle. The binary prior has two
        more learners. ``"clipped"`` has the signs of the Bayes learner's weights.
        ``"amp"`` is the Bayes learner as far as approximate message passing finds it.

    Examples
    --------
    >>> curves = solve_batch([1, 10, 100])
    >>> curves.error.sel(learner="gibbs").values.round(5)
    array([0.33836, 0.06153, 0.00625])
    >>> curves = solve_batch([1.2, 1.3, 1.5], prior="binary")
    >>> curves.error.sel(learner=["bayes", "amp"]).values.round(4)
    array([[0.1952, 0.    , 0.    ],
           [0.1952, 0.1754, 0.    ]])
    """
    alphas, noise = _checked(alpha, noise, prior, likelihood)
    if likelihood is not None:
        found = learners(_channel(alphas, channel_pace(likelihood)), prior)
    elif prior == "binary":
        posterior, low = _binary(alphas, noise)
        found = learners(posterior, prior)
        found["amp"] = learners(low, prior)["bayes"]
    else:
        found = learners(_odds(alphas, noise), prior)
    return curves(alphas, found, noise, likelihood, prior=prior)


def batch_asymptote(noise: float = 0.0) -> BatchAsymptote:
    """Return the limits of ``alpha * (error - noise)``, from eq. (10).

    Parameters
    ----------
    noise
        Probability that a label is flipped, below 1/2.

    Examples
    --------
    >>> batch_asymptote()
    BatchAsymptote(gibbs=0.6246..., bayes=0.4417...)
    """
    noise = below_half("noise", noise)
    bayes = (1 - 2 * noise) / (math.pi * float(sharpness(1.0, noise)))
    return BatchAsymptote(math.sqrt(2) * bayes, bayes)
