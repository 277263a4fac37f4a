r"""The posterior of a perceptron's weights given all examples at once.

By expectation propagation, for a Gaussian prior: each example's likelihood

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
"""

from __future__ import annotations

import math
import warnings
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from scipy.special import ndtr

from rosenblatt.core.arguments import number, numbers, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import chance
from rosenblatt.system.threads import one_thread

_SHORTER, _LONGER = 0.5, 1.2  # what changes the part of the way that steps go
_LARGE = 1000  # weights from which on several threads are quicker than one
_SHORT = 0.02  # smallest part for the sake of convergence
_SHORTEST = 1e-6  # smallest part to stay where variances are positive


class BatchPosterior(NamedTuple):
    """Mean and covariance of the weights, and predictions for new inputs.

    Examples
    --------
    >>> found = batch_posterior([[1.0, 0.0]], [1])
    >>> found.probability([[1.0, 0.0], [0.0, 1.0]]).round(4)
    array([0.9072, 0.5 ])
    """

    mean: FloatArray
    covariance: FloatArray
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
    rows = numbers("X", X, (None, None), (0, None))
    signs = numbers("labels", labels, (len(rows),))
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


def batch_posterior(
    X: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    noise: float = 0.0,
    deviation: float = 0.0,
    prior_variance: float = 1.0,
    damping: float = 0.0,
    tolerance: float = 1e-6,
    max_sweeps: int = 500,
) -> BatchPosterior:
    r"""Return the posterior of a perceptron's weights given all examples.

    Weights are independent before any example, with mean 0. The time of a sweep is
    proportional to the number of examples times the square of the number of weights.

    Parameters
    ----------
    X
        Inputs, one row per example; for an intercept give a column of ones.
    labels
        One per row, -1 or +1.
    noise
        Probability that a label is flipped, at most 1/2.
    deviation
        Standard deviation :math:`\sigma` of the step in the likelihood, eq. (1).
    prior_variance
        Variance of the weights before any example. It matters only if
        :math:`\sigma > 0`.
    damping
        Share of the state before that each sweep keeps, from 0 to below 1. More is
        taken where it is needed.
    tolerance
        Largest difference at which sweeps stop: between the moments of any field and
        those that its likelihood asks for, in standard deviations.
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
    noise = number("noise", noise, low=0, high=0.5)
    deviation = number("deviation", deviation, low=0)
    variance = number("prior_variance", prior_variance, above=0)
    if number("damping", damping, low=0, high=1) == 1:
        raise ValueError("damping must be below 1, or nothing changes, got 1")
    tolerance = number("tolerance", tolerance, above=0)
    limit = whole("max_sweeps", max_sweeps, low=1)
    used = rows.any(axis=1)  # an input of zeros says nothing about the weights
    inputs, answers = np.ascontiguousarray(rows[used]), signs[used]
    # Threads that wait for each other take longer than small matrices do.
    with one_thread() if inputs.shape[1] < _LARGE else nullcontext():
        joint, evidence, sweeps, distance = _propagate(
            inputs, answers, variance, noise, deviation, damping, tolerance, limit
        )
    if distance > tolerance:
        warnings.warn(
            f"posterior: not converged in {sweeps} sweeps, which still differ "
            f"by {distance:.2g}, more than tolerance = {tolerance:g}. Without noise "
            "and deviation, examples must be separable. "
            "Otherwise try more damping or more max_sweeps",
            RuntimeWarning,
            stacklevel=2,
        )
    evidence += (len(rows) - len(inputs)) * math.log(0.5)
    converged = distance <= tolerance
    covariance = joint.root.T @ joint.root
    return BatchPosterior(
        joint.mean, covariance, evidence, sweeps, converged, noise, deviation
    )
