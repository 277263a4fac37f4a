r"""The posterior of a perceptron's weights given all examples at once.

For a Gaussian prior by expectation propagation: each example's likelihood

.. math:: k + (1 - 2k)\, \Phi(y\, w \cdot x / \sigma)   \tag{1}

(a step for :math:`\sigma = 0`) is replaced by a Gaussian function of its field :math:`f
= w \cdot x`, the site :math:`\exp(\nu f - \tau f^2 / 2)`. The result is a Gaussian
posterior with its full covariance, so inputs may have any law. Each site is taken out,
which leaves a Gaussian *cavity*. The likelihood itself is put in. Then the site is
chosen anew, so that it gives the mean and the variance that the field then has. This is
exact if inputs are at right angles to each other, and an approximation otherwise. For
independent inputs and many dimensions the approximation becomes exact too, see
:func:`rosenblatt.theory.solve_batch`.

All sites are updated together, by a part of the way. Those of noisy labels may have a
negative :math:`\tau`; steps after which a variance or a cavity's variance would not be
positive are shortened.

**Binary weights**, by approximate message passing. The means :math:`m_i` of weights -1
and +1 obey the equations that :cite:t:`winther1997`, eqs. (10)-(11), follow for one
example at a time, with all examples together. With :math:`F` and :math:`u` of
:mod:`rosenblatt.numerics.evidence`,

.. math::
    V_\mu = \sum_i x_{\mu i}^2 (1 - m_i^2) + \sigma^2, \qquad
    \omega_\mu = m \cdot x_\mu - V_\mu g_\mu, \qquad
    u_\mu = y_\mu \omega_\mu / \sqrt{V_\mu},

.. math::
    g_\mu = \frac{y_\mu F(u_\mu)}{\sqrt{V_\mu}}, \qquad
    m_i = \tanh\Big[\sum_\mu x_{\mu i}\, g_\mu
        + m_i \sum_\mu x_{\mu i}^2 \frac{F (u + F)}{V_\mu}\Big],   \tag{2}

iterated in this order from :math:`m = g = 0`. The probability of the labels follows
from the free energy, whose stationary points these are,

.. math::
    \log p(\text{labels}) = \sum_\mu \left[\log p(y_\mu|u_\mu)
        + \tfrac12 V_\mu g_\mu^2\right] + \sum_i [S(m_i) - \log 2],   \tag{3}

:math:`S` being a weight's entropy. A field's variance is kept above a share of the mean
of :math:`x_{\mu i}^2`, the scale of what one weight changes. Below, the field is not
Gaussian any more, and an example would say too much or nothing. A few sweeps without
damping are enough for many weights and independent inputs. Where that fails it starts
again, with a larger share and with damping.
"""

from __future__ import annotations

import math
import warnings
from contextlib import nullcontext
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.special import entr, ndtr

from rosenblatt.core.arguments import number, numbers, shown, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import chance
from rosenblatt.system.threads import one_thread

_SHORTER, _LONGER = 0.5, 1.2  # what changes the part of the way that steps go
_LARGE = 1000  # weights from which on several threads are quicker than one
_SHORT = 0.02  # smallest part for the sake of convergence
_SHORTEST = 1e-6  # smallest part to stay where variances are positive
# Part of the way that sweeps go, and smallest variance of a field over the mean squared
# input, to be tried in turn. A tenth finds teachers most often without noise (of 0.02
# to 1, at N = 12 to 400), 1 comes to rest more often with it.
_STAGES = ((1.0, 0.1), (1.0, 1.0), (0.5, 0.1), (0.5, 1.0))
_DOUBT = -1e3  # standard deviations, below which no label is believed any less
_TINY = 1e-20  # variance of a field that is certain


class BatchPosterior(NamedTuple):
    """Mean and covariance of the weights, and predictions for new inputs.

    Examples
    --------
    >>> found = batch_posterior([[1.0, 0.0]], [1])
    >>> found.probability([[1.0, 0.0], [0.0, 1.0]]).round(4)
    array([0.9072, 0.5 ])
    """

    mean: FloatArray
    covariance: FloatArray  # diagonal for binary weights
    log_evidence: float  # logarithm of the labels' probability
    sweeps: int
    converged: bool
    noise: float
    deviation: float

    def probability(self, X: npt.ArrayLike) -> FloatArray:
        """Return the probability that new inputs have the label +1."""
        rows = numbers("X", X)
        spread = np.sum((rows @ self.covariance) * rows, axis=1)
        scale = np.sqrt(spread + self.deviation**2)
        u = np.divide(rows @ self.mean, scale, out=np.zeros(len(rows)), where=scale > 0)
        return np.asarray(self.noise + (1 - 2 * self.noise) * ndtr(u))


class _Joint(NamedTuple):
    """The Gaussian that prior and sites make, and its marginals for all fields."""

    root: FloatArray  # root.T @ root is the covariance
    mean: FloatArray
    field: FloatArray
    variance: FloatArray
    logarithm: float  # of its integral

    @classmethod
    def of(
        cls, X: FloatArray, prior_variance: float, tau: FloatArray, nu: FloatArray
    ) -> _Joint | None:
        """Return the Gaussian; None if it does not exist, or a site has no cavity."""
        dim = X.shape[1]
        precision = prior_variance * ((X.T * tau) @ X) + np.eye(dim)
        try:
            lower = cholesky(precision, lower=True, check_finite=False)
        except (LinAlgError, ValueError):
            return None
        root = solve_triangular(lower, np.eye(dim), lower=True)
        root *= math.sqrt(prior_variance)
        half = root @ (nu @ X)
        mean = half @ root
        variance = np.sum((root @ X.T) ** 2, axis=0)
        if not np.all(tau * variance < 1):
            return None
        logarithm = 0.5 * float(half @ half) - float(np.log(lower.diagonal()).sum())
        return cls(root, mean, X @ mean, variance, logarithm)


def _examples(X: npt.ArrayLike, labels: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    rows = numbers("X", X)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(
            f"X must have one row per example and a column per weight, got the shape "
            f"{rows.shape}"
        )
    if not np.isfinite(rows).all():
        raise ValueError("X must be finite, got nan or infinite values")
    signs = numbers("labels", labels)
    if signs.shape != (len(rows),):
        raise ValueError(
            f"labels must be one per row of X, {len(rows)}, got the shape {signs.shape}"
        )
    for bad in signs[np.abs(signs) != 1]:
        raise ValueError(f"labels must be -1 or +1, got {bad}")
    return rows, signs


def _propagate(
    X: FloatArray,
    labels: FloatArray,
    prior_variance: float,
    noise: float,
    deviation: float,
    damping: float,
    tolerance: float,
    max_sweeps: int,
) -> tuple[_Joint, float, int, float]:
    """Return the posterior, the evidence, sweeps and the distance that is left."""
    tau, nu = np.zeros(len(X)), np.zeros(len(X))
    now = _Joint.of(X, prior_variance, tau, nu)
    assert now is not None  # it is the prior
    part, last, sweeps = 1 - damping, math.inf, 0
    while True:
        left = 1 - tau * now.variance
        cavity = now.variance / left
        center = (now.field - now.variance * nu) / left
        total = cavity + deviation**2
        seen = chance(labels * center / np.sqrt(total), noise)
        # with the likelihood: the field's mean moves by cavity * slope, and of its
        # variance there remains the part kept
        slope = labels * seen.pull / np.sqrt(total)
        kept = (deviation**2 + cavity * seen.left) / total
        moved = np.abs(center + cavity * slope - now.field) / np.sqrt(now.variance)
        spread = np.abs(cavity * kept / now.variance - 1)
        distance = float(np.maximum(moved, spread).max(initial=0.0))
        if distance <= tolerance or sweeps == max_sweeps:
            break
        curve = (1 - seen.left) / total
        goal = curve / kept, (slope + center * curve) / kept
        part = max(part * (_SHORTER if distance > last else _LONGER), _SHORT)
        part, last = min(part, 1 - damping), distance
        step, then = part, None
        while then is None and step >= _SHORTEST:
            new = tau + step * (goal[0] - tau), nu + step * (goal[1] - nu)
            then = _Joint.of(X, prior_variance, *new)
            step *= _SHORTER
        if then is None:
            break
        (tau, nu), now = new, then
        sweeps += 1
    # each likelihood's mean over its cavity, over that of its site
    ratio = 1 + tau * cavity
    site = -0.5 * np.log(ratio)
    site += 0.5 * (2 * center * nu + cavity * nu**2 - tau * center**2) / ratio
    evidence = now.logarithm + float(np.sum(seen.log - site))
    return now, evidence, sweeps, distance


class BinaryWeights(NamedTuple):
    """Means of the weights, the examples' probability, and how they were found."""

    mean: FloatArray
    log_evidence: float
    sweeps: int
    change: float  # of any mean in the last sweep


def binary_weights(
    X: FloatArray,
    labels: FloatArray,
    *,
    noise: float,
    deviation: float,
    damping: float,
    tolerance: float,
    max_sweeps: int,
) -> BinaryWeights:
    """Return a fixed point of eq. (2), or the last iterate if none is found.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, teacher = rng.standard_normal((750, 300)), rng.choice([-1, 1], 300)
    >>> found = binary_weights(
    ...     X, np.sign(X @ teacher), noise=0.0, deviation=0.0,
    ...     damping=0.0, tolerance=1e-6, max_sweeps=500)
    >>> bool(np.all(np.sign(found.mean) == teacher))
    True
    """
    squares = X**2
    sweeps = 0
    for stage, (part, share) in enumerate(_STAGES, start=1):
        least = share * squares.mean(axis=1)
        mean, change = np.zeros(X.shape[1]), math.inf
        force, stiffness = np.zeros(len(X)), np.zeros(len(X))
        while change > tolerance and sweeps * len(_STAGES) < stage * max_sweeps:
            spread = np.maximum(squares @ (1 - mean**2), least) + deviation**2
            scale = np.sqrt(spread)
            u = labels * (X @ mean - spread * force) / scale
            seen = chance(np.maximum(u, _DOUBT), noise)
            step = part * (1 - damping)
            force += step * (labels * seen.pull / scale - force)
            stiffness += step * ((1 - seen.left) / spread - stiffness)
            new = np.tanh(force @ X + mean * (stiffness @ squares))  # eq. (2)
            change = float(np.abs(new - mean).max())
            mean += step * (new - mean)
            sweeps += 1
        if change <= tolerance:
            break
    spread = squares @ (1 - mean**2) + deviation**2
    field = X @ mean - spread * force
    logs = chance(labels * field / np.sqrt(np.maximum(spread, _TINY)), noise).log
    entropy = entr((1 + mean) / 2) + entr((1 - mean) / 2) - math.log(2)
    evidence = np.sum(logs + 0.5 * spread * force**2) + np.sum(entropy)  # eq. (3)
    return BinaryWeights(mean, float(evidence), sweeps, change)


def batch_posterior(
    X: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    prior: Literal["gaussian", "binary"] = "gaussian",
    noise: float = 0.0,
    deviation: float = 0.0,
    prior_variance: float = 1.0,
    damping: float = 0.0,
    tolerance: float = 1e-6,
    max_sweeps: int = 500,
) -> BatchPosterior:
    r"""Return the posterior of a perceptron's weights given all examples.

    The time of a sweep goes with the number of examples times that of weights, squared
    for the Gaussian prior.

    Parameters
    ----------
    X
        Inputs, one row per example; for an intercept give a column of ones.
    labels
        One per row, -1 or +1.
    prior
        ``"gaussian"``: independent weights of mean 0 and variance ``prior_variance``;
        inputs may have any law. ``"binary"``: weights -1 and +1, equally likely; the
        columns of X should be about independent, and many.
    noise
        Probability that a label is flipped, at most 1/2.
    deviation
        Standard deviation :math:`\sigma` of the step in the likelihood, eq. (1).
    prior_variance
        Variance of the Gaussian prior. It matters only if :math:`\sigma > 0`.
    damping
        Share of the state before that each sweep keeps, from 0 to below 1. More is
        taken where it is needed.
    tolerance
        Largest change at which sweeps stop. For the Gaussian prior: the difference
        between the moments of any field and those that its likelihood asks for, in
        standard deviations. For the binary prior: the change of any mean.
    max_sweeps
        Number of sweeps after which they stop in any case, with a warning.

    Examples
    --------
    One example leaves half of a Gaussian, which has this mean, sqrt(2 / pi):

    >>> found = batch_posterior([[1.0, 0.0]], [1])
    >>> found.mean, found.log_evidence
    (array([0.79788456, 0. ]), -0.693147...)
    """
    rows, signs = _examples(X, labels)
    if not (isinstance(prior, str) and prior in ("gaussian", "binary")):
        raise ValueError(f"prior must be 'gaussian' or 'binary', got {shown(prior)}")
    noise = number("noise", noise, low=0, high=0.5)
    deviation = number("deviation", deviation, low=0)
    variance = number("prior_variance", prior_variance, above=0)
    if number("damping", damping, low=0, high=1) == 1:
        raise ValueError("damping must be below 1, or nothing changes, got 1")
    tolerance = number("tolerance", tolerance, above=0)
    limit = whole("max_sweeps", max_sweeps, low=1)
    used = rows.any(axis=1)  # an input of zeros says nothing about the weights
    inputs, answers = np.ascontiguousarray(rows[used]), signs[used]
    if prior == "binary":
        found = binary_weights(
            inputs, answers, noise=noise, deviation=deviation, damping=damping,
            tolerance=tolerance, max_sweeps=limit
        )  # fmt: skip
        mean, covariance = found.mean, np.diag(1 - found.mean**2)
        evidence, sweeps, distance = found[1:]
    else:
        # Threads that wait for each other take longer than small matrices do.
        with one_thread() if inputs.shape[1] < _LARGE else nullcontext():
            joint, evidence, sweeps, distance = _propagate(
                inputs, answers, variance, noise, deviation, damping, tolerance, limit
            )
        mean, covariance = joint.mean, joint.root.T @ joint.root
    if distance > tolerance:
        warnings.warn(
            f"{prior} posterior: not converged in {sweeps} sweeps, which still differ "
            f"by {distance:.2g}, more than tolerance = {tolerance:g}. Without noise "
            "and deviation, examples must be separable by some weights of the prior. "
            "Otherwise try more damping or more max_sweeps",
            RuntimeWarning,
            stacklevel=2,
        )
    evidence += (len(rows) - len(inputs)) * math.log(0.5)
    converged = distance <= tolerance
    return BatchPosterior(
        mean, covariance, evidence, sweeps, converged, noise, deviation
    )
