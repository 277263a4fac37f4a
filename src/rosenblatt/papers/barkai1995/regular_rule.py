r"""Section 3, the regular rule with output noise: eqs. (7) to (9).

Exact results, and the corrected equations, are in
:mod:`rosenblatt.theory.closed.noisy_perceptron` and
:mod:`rosenblatt.theory.closed.shifted_perceptron`, whose symbols are used here too.

Where :math:`W_0` is the limit of the regular rule, the student returns to it at the
rate :math:`\eta \lambda`. In the special cases (i) to (iii),
:math:`\lambda = (1 - 2p) \phi_0 - p s q_0`, with :math:`s q_0 = 0` in the first and the
last. With :math:`\eta = \kappa / \alpha` the squared length :math:`x` of the student's
part across the teacher obeys
:math:`dx/d\alpha = -2 \eta \lambda x + \eta^2 [p + (1 - 2p) E]`,
:math:`E = \phi_0 \sqrt{2x / \pi}`, so that

.. math::
    x = \frac{X}{\alpha} \left[1 + \frac{(1 - 2p) \phi_0\, \kappa^2}
        {2 \kappa \lambda - 3/2} \sqrt{\frac{2}{\pi X \alpha}} + O(1/\alpha)\right],
    \qquad X = \frac{\kappa^2 p}{2 \kappa \lambda - 1}.   \tag{1}

At finite N there are N - 2 such directions. The one of the mean differs. Noise and
error count it :math:`1 + v^2` times, and its rate of return is
:math:`\eta (\lambda + \phi_0 v^2)`, so that it counts like

.. math::
    g = (1 + v^2)^2 \frac{2 \kappa \lambda - 1}{2 \kappa (\lambda + \phi_0 v^2) - 1}
    \tag{2}

of the others. The variance of :math:`x` over its squared mean is 2/N. So the mean of
its root, and the error, are smaller by :math:`(5/4 - g/2) / N`, which is 3/(4N) for
:math:`v = 0`. The shifted rule has the same rate of return in all directions, and its
noise does not contain the mean: there :math:`g = 1 + v^2`.

Without noise the section's inputs change nothing about section 2. Near the teacher
:math:`d\theta/d\alpha = -\eta \phi_0 \theta + \eta^2 \phi_0 / \sqrt{2\pi}` and
:math:`\epsilon_g = \theta \phi_0 \sqrt{2/\pi}`, so that the rate
:math:`\eta_0 / (\phi_0 \alpha)` leads to the first line of eq. (6) again.

Special case (ii) of the paper, a mean U parallel to the teacher, holds up to the
critical noise :math:`p_c = \phi_0 / (2 \phi_0 + |s q_0|)` only, see
:mod:`rosenblatt.theory.closed.noisy_perceptron`. Beyond, the teacher is unstable and
the student ends on a cone around it.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr
from scipy.integrate import quad
from scipy.special import ndtr

from rosenblatt.core import starts
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995.section_2 import (
    PAPER,
    RULE,
    SEED,
    prefactor,
    simulated,
)
from rosenblatt.papers.claims import Kind, Measurement
from rosenblatt.papers.samples import average, line, points
from rosenblatt.rules import Shifted
from rosenblatt.schedules import Constant, Power
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.closed.noisy_perceptron import (
    bias,
    critical_noise,
    density,
    error_at,
    limit,
    small_noise_slope,
)

EQ_8 = (  # as printed
    "eps_g = p + (int_{-infty}^{-q} Dy H((-q_0 - R y)/sqrt{1 - R^2}) + "
    "int_{-q}^{infty} Dy H((q_0 + R y)/sqrt{1 - R^2}))"
)
LEARNED = Shifted(RULE)  # eqs. (10) and (12), T from running averages


def known(overlap: float) -> Shifted:
    """Return eq. (10) with T of eq. (13)."""
    return Shifted.known(RULE, overlap)


def schedule(
    scale: float, overlap: float, exponent: float = 1.0, offset: float = 0.0
) -> Power:
    """Return the rate ``eta0 sqrt(pi/2) exp(q0^2/2) (alpha + offset)^-z``."""
    unit = math.sqrt(math.pi / 2) * math.exp(overlap**2 / 2)
    return Power(scale * unit, exponent, offset)


def printed_wedge(overlap: float, mean_overlap: float, teacher_overlap: float) -> float:
    """Return the bracket of eq. (8), for given R, q and q0.

    Examples
    --------
    >>> round(printed_wedge(math.cos(1.0), 0.0, 0.0) * math.pi, 12)
    1.0
    """
    r, q, q0 = overlap, mean_overlap, teacher_overlap
    side = math.sqrt(1 - r * r)

    def tail(y: float, sign: float) -> float:
        weight = math.exp(-0.5 * y * y) / math.sqrt(2 * math.pi)
        return weight * float(ndtr(-sign * (q0 + r * y) / side))

    below = quad(tail, -np.inf, -q, args=(-1.0,), epsabs=1e-12)[0]
    above = quad(tail, -q, np.inf, args=(1.0,), epsabs=1e-12)[0]
    return float(below + above)


def printed_excess(stream: Gaussian) -> float:
    """Return the second term of eq. (9), over p.

    Examples
    --------
    >>> printed_excess(Gaussian(mean=2, overlap=-1)) < 0  # below the smallest error
    True
    """
    q0, v = stream.center
    return bias(q0) * v / (1 + v * v)


def printed_shift(overlap: float) -> float:
    """Return the component of T - U along the teacher, eq. (13)."""
    return 2 * density(overlap) / bias(overlap)


def printed_residual(rate: float, noise: float, overlap: float) -> float:
    """Return the second term of eq. (15).

    Examples
    --------
    >>> round(printed_residual(0.02, 0.1, 1.0), 5)
    0.01241
    """
    tail = math.exp(-0.25 * overlap**2)
    return math.sqrt(rate * noise) * tail / math.pow(2 * math.pi**3, 0.25)


def special_excess(
    noise: float, stream: Gaussian, scale: float, alpha: float, dim: int
) -> float:
    """Return the mean error above p of the regular rule in the special cases.

    The rate is ``scale / alpha``.
    """
    q0, v = stream.center
    clear = (1 - 2 * noise) * density(q0)
    pull = clear - noise * q0 * bias(q0)
    first = scale**2 * noise / (2 * scale * pull - 1)
    second = clear * scale**2 / (2 * scale * pull - 1.5)
    side2 = first / alpha * (1 + second * math.sqrt(2 / (math.pi * first * alpha)))
    stiff = pull + density(q0) * v**2
    counts = (1 + v**2) ** 2 * (2 * scale * pull - 1) / (2 * scale * stiff - 1)
    return clear * math.sqrt(2 * side2 / math.pi) * shrink(dim, counts)


def shrink(dim: int, counts: float) -> float:
    """Return the factor by which a finite N changes an error above p.

    ``counts`` is g, how much the direction of the mean counts, relative to others.
    """
    return 1 - (1.25 - 0.5 * counts) / dim


def inputs(
    rng: np.random.Generator, examples: int, noise: float, stream: Gaussian
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return inputs along and across the teacher (towards the mean), and labels."""
    along, across = stream.center
    b = along + rng.standard_normal(examples)
    c = across + rng.standard_normal(examples)
    flipped = rng.random(examples) < noise
    return b, c, np.sign(b) * np.where(flipped, -1.0, 1.0)


STREAM = Gaussian(mean=2.0, overlap=1.0)  # neither parallel nor orthogonal ...


STUDENT = (0.8, 0.5)  # ... and R and q of a student that is neither good nor bad


SCHEDULE = Power(20.0, 1.0, 200.0)  # slow enough for all that follows


_LARGE = 2000  # N without noise, where runs cost next to nothing


_SMALL = 20  # N of the special cases, whose finite-size corrections are known


_LATE = 1e4


_CLOCK = _LATE + SCHEDULE.offset


def counted(noise: float, student: tuple[float, float], quick: bool) -> Measurement:
    """Return the share of noisy labels that a fixed student predicts wrongly."""
    run = simulated(
        RULE,
        Constant(0.0),
        Sign(noise),
        STREAM,
        dim=_SMALL,
        alpha=500.0 if quick else 5000.0,
        replicas=16,
        start=starts.Overlap(student[0], mean=student[1]),
        engine="full",  # with inputs and weights of N components, no formula at all
    )
    examples = _SMALL * float(run["alpha"][0])
    return average(run["mistakes"].values / examples)


def _regular_rule(
    noise: float,
    stream: Gaussian,
    dim: int,
    alpha: tuple[float, ...],
    replicas: int,
    seed: int = SEED,
) -> xr.Dataset:
    """Return runs of the regular rule on the schedule, from R = 0.9."""
    return simulated(
        RULE,
        SCHEDULE,
        Sign(noise),
        stream,
        dim=dim,
        alpha=alpha,
        replicas=replicas,
        seed=seed,
        start=starts.Overlap(0.9),
        engine="reduced",
    )


def late(noise: float, stream: Gaussian, quick: bool, seed: int = SEED) -> xr.Dataset:
    """Return the regular rule at two late times, a factor of 2 apart."""
    end = 1000.0 if quick else 4000.0
    replicas = 16 if quick else 32
    return _regular_rule(noise, stream, 50, (end, 2 * end), replicas, seed)


def limit_of(run: xr.Dataset, variable: str) -> Measurement:
    """Return the limit for rates to zero: deviations fall as the rate, 1/alpha."""
    first, second = run[variable].values.T
    return average(2 * second - first)


@functools.lru_cache(maxsize=2)
def _biased(quick: bool) -> xr.Dataset:
    return late(0.2, STREAM, quick)


_OPTIMUM = {"overlap": 1.0, "mean_overlap": STREAM.overlap, "error": 0.2}
_END = limit(noise=0.2, stream=STREAM)


@PAPER.claim(
    "regular/{name}",
    "text before eq. (9)",
    quote="converges to a vector with a direction which is in the plane of",
    expect=lambda variable: getattr(_END, variable),
    catches=lambda variable: 0.25 * abs(getattr(_END, variable) - _OPTIMUM[variable]),
    each={
        "name,variable,what": [
            ("error", "error", "the error"),
            ("overlap", "overlap", "R"),
            ("mean-overlap", "mean_overlap", "q"),
        ]
    },
)
def _regular(quick: bool, variable: str) -> Measurement:
    """The regular rule ends in the plane of U and W0, off the teacher, for rates to
    zero: {what} at p = 0.2, u = 2, q0 = 1. Expected where W is parallel to A(q) U +
    C W0.
    """
    return limit_of(_biased(quick), variable)


def _beyond(noise: float, stream: Gaussian) -> float:
    return special_excess(noise, stream, SCHEDULE.scale, _CLOCK, _SMALL)


@PAPER.claim(
    "special/{name}",
    "text after eq. (9)",
    quote="the optimal solution is retrieved only in the following special cases",
    expect=lambda noise, stream: noise + _beyond(noise, stream),
    catches=lambda noise, stream: 0.5 * _beyond(noise, stream),
    allow=(
        lambda noise, stream: 0.02 * _beyond(noise, stream),
        "the law leaves out the next order in alpha^(-1/2), the square of the "
        "last one, and 1/N^2",
    ),
    each={
        "name,case,noise,stream": [
            ("isotropic", "(i)", 0.4, Gaussian()),
            ("parallel", "(ii), below the critical noise 0.21", 0.1, Gaussian(1, 1)),
            ("orthogonal", "(iii)", 0.1, Gaussian(2, 0)),
            ("orthogonal-noisy", "(iii), much noise", 0.4, Gaussian(2, 0)),
        ]
    },
)
def _special(quick: bool, noise: float, stream: Gaussian) -> Measurement:
    """Special case {case}, p = {noise:g}, u = {stream.mean:g}: the error of the
    regular rule comes down to p, as alpha^(-1/2); at alpha = 1e4.
    """
    run = _regular_rule(noise, stream, _SMALL, (_LATE,), 8 if quick else 32)
    return average(run["error"].values)


_NOISELESS = prefactor(SCHEDULE.scale * density(STREAM.overlap))


@PAPER.claim(
    "eq8/bracket",
    "eq. (8)",
    quote="overlap between the center of the distribution and the teacher perceptron",
    formula=printed_wedge(*STUDENT, STREAM.overlap),
    rounding=1e-10,
    expect=error_at(*STUDENT, noise=0.0, stream=STREAM),
)
def _bracket(quick: bool) -> Measurement:
    """The bracket is the probability that a student with R = 0.8, q = 0.5 differs from
    the teacher, u = 2, q0 = 1: counted without noise.
    """
    return counted(0.0, STUDENT, quick)


@PAPER.claim(
    "eq8/minimum",
    "text after eq. (8)",
    quote="which yields the minimal error eps_min = p",
    formula=0.2,
)
def _minimum(quick: bool) -> Measurement:
    """The teacher itself has the smallest error, p: counted at p = 0.2."""
    return counted(0.2, (1.0, STREAM.overlap), quick)


@PAPER.claim(
    "eq9/no-noise",
    "text after eq. (9)",
    quote="For p = 0, the only solution is R = 1 and q = q_0",
    expect=_NOISELESS,
    allow=(_NOISELESS * 2 / _LARGE, "finite size makes it less by less than 2/N"),
)
def _noiseless(quick: bool) -> Measurement:
    """Without noise the regular rule finds the teacher whatever the bias. With the rate
    eta0/(phi0 alpha), alpha times the error is eta0^2 / (eta0 - 1) / pi, as in section
    2. At alpha = 1e4, eta0 = 4.84, N = 2000.
    """
    run = simulated(
        RULE,
        SCHEDULE,
        Sign(),
        STREAM,
        dim=_LARGE,
        alpha=_LATE,
        replicas=4 if quick else 16,
        start=starts.Random(),
    )
    return average(_CLOCK * run["error"].values)


PARALLEL = Gaussian(mean=1.5, overlap=1.5)


NOISY = 0.4  # far beyond the critical noise there, 0.083


_LOST = 0.9  # overlap below which the teacher counts as lost


# Means q0 that are simulated, by noise; where nothing is in doubt some are left out.
_GRID = {
    0.05: (1.25, 1.5, 2.0, 2.5, 3.0),
    0.1: (1.25, 1.5, 2.0, 2.5, 3.0),
    0.2: (0.25, 0.5, 0.75, 1.0, 1.25, 1.5),
    0.3: (0.25, 0.5, 0.75, 1.0, 1.25, 1.5),
    0.4: (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0),
}


_QUICK = (0.1, 0.2, 0.4)  # noise, for a quick look


@functools.lru_cache(maxsize=2)
def parallel(quick: bool) -> xr.Dataset:
    """Return the regular rule with a mean that is parallel to the teacher."""
    return late(NOISY, PARALLEL, quick)


def _contour(overlap: float, q0: float) -> float:
    """Return the noise at which the cone has this overlap: e(q) of the cone, solved."""
    clear = bias(overlap * q0) / (bias(q0) + 2 * density(q0) / q0)
    return 0.5 * (1 - clear)


def _ends(noise: float, q0: float) -> float:
    """Return the mean overlap of students that begin at the teacher."""
    run = simulated(
        RULE,
        SCHEDULE,
        Sign(noise),
        Gaussian(q0, q0),
        dim=50,
        alpha=2000.0,
        replicas=4,
        start=starts.Overlap(1.0),
        engine="reduced",
    )
    return float(run["overlap"].mean())


@PAPER.figure(
    "stability",
    "text after eq. (9)",
    finding="An error of barkai1995: with much noise the teacher is unstable.",
)
def figure_stability(*, quick: bool = False) -> FigureData:
    """Return where the teacher is stable if U is parallel to it."""
    q0 = [float(x) for x in np.linspace(0.02, 3.1, 100)]
    critical = [critical_noise(x) for x in q0]
    kept: list[tuple[float, float]] = []
    lost: list[tuple[float, float]] = []
    for noise in _QUICK if quick else _GRID:
        for x in _GRID[noise][::3] if quick else _GRID[noise]:
            (lost if _ends(noise, x) < _LOST else kept).append((x, noise))
    series = [
        Series(
            "critical noise; unstable above",
            q0,
            critical,
            "theory",
            low=critical,
            high=[0.5] * len(q0),
        ),
        line(
            f"the student ends at R = {_LOST:g}", q0, [_contour(_LOST, x) for x in q0]
        ),
    ]
    for sign, found in ((">", kept), ("<", lost)):
        x, y = np.array(found).T
        name = f"R {sign} {_LOST:g} in simulations, N = 50"
        series.append(points(name, x, y))
    return FigureData(
        title="Special case (ii), U parallel to the teacher",
        caption=(
            "Noise at which the teacher becomes unstable for the regular rule with "
            "rates to zero, and the noise at which the student ends at R = 0.9. Points "
            "are simulations from R = 1 to alpha = 2000, by their final R. "
            "The paper has the teacher stable everywhere."
        ),
        x_label=r"mean input along the teacher $q_0 = u$",
        y_label=r"noise $p$",
        series=tuple(series),
    )


@functools.lru_cache(maxsize=4)
def _regular_small(overlap: float, quick: bool) -> xr.Dataset:
    """Return the regular rule with little noise, where eq. (9) holds."""
    stream, end = Gaussian(mean=2.0, overlap=overlap), 1000.0 if quick else 4000.0
    return _regular_rule(_LITTLE, stream, 50, (end, 2 * end), 160)


_LITTLE = 0.01  # p


@PAPER.erratum(
    "eq8",
    "eq. (8)",
    quote=EQ_8,
    kind=Kind.ERROR,
    formula=lambda: 0.2 + printed_wedge(*STUDENT, STREAM.overlap),
    expect=lambda: error_at(*STUDENT, noise=0.2, stream=STREAM),
)
def _eq8(quick: bool) -> Measurement:
    """A student that differs from the teacher is right where the label is wrong: the
    error is p + (1 - 2p) E, with the bracket E. Eqs. (15) and (18), with T known, lack
    the same factor 1 - 2p.

    Frequency of labels that are not the student's, p = 0.2, R = 0.8, q = 0.5, q0 = 1, u
    = 2.
    """
    return counted(0.2, STUDENT, quick)


@PAPER.erratum(
    "eq9-{name}",
    "eq. (9)",
    quote="eps_infty(0) = p + p (1 - 2H(q_0)) sqrt{u^2 - q_0^2}/(1 + (u^2 - q_0^2))",
    kind=Kind.ERROR,
    formula=lambda overlap: (
        _LITTLE + _LITTLE * printed_excess(Gaussian(mean=2.0, overlap=overlap))
    ),
    expect=lambda overlap: (
        _LITTLE + _LITTLE * small_noise_slope(Gaussian(mean=2.0, overlap=overlap))
    ),
    allow=(3 * _LITTLE**2, "eq. (9) leaves out p^2"),
    each={"name,overlap": [("positive", 1.0), ("negative", -1.0)]},
)
def _eq9(quick: bool, overlap: float) -> Measurement:
    """The second term is p |s| v/(1 + v^2) [(2/pi)^(1/2) exp(-v^2/2) + v
    erf(v/2^(1/2))], s = 1 - 2H(q0), v^2 = u^2 - q0^2. For q0 < 0 the printed one is
    below the minimum p.

    Error of the regular rule, rates to zero, p = {_LITTLE:g}, u = 2, q0 = {overlap:g}.
    """
    return limit_of(_regular_small(overlap, quick), "error")


@PAPER.erratum(
    "special-case",
    "text after eq. (9)",
    quote="This holds also for large value of p",
    kind=Kind.ERROR,
    formula=NOISY,
    expect=lambda: limit(noise=NOISY, stream=PARALLEL).error,
)
def _parallel(quick: bool) -> Measurement:
    """In case (ii), U parallel to W0, it holds only for p < phi0/(2 phi0 + |s q0|).
    With more noise W0 is unstable.

    Error of the regular rule, rates to zero, p = 0.4, u = q0 = 1.5.
    """
    return limit_of(parallel(quick), "error")
