r"""Gaussian beliefs in natural parameters, for merging.

Eq. (1) of :mod:`rosenblatt.bayes.kernels.changing` is how they change.

A belief is the prior times the likelihood of the examples. Likelihoods of examples that
were learned apart are multiplied: their parameters add up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from rosenblatt.bayes.kernels.changing import KNOWN
from rosenblatt.core.types import FloatArray

__all__ = [
    "Likelihood",
    "inverse",
    "likelihood",
    "log_mass",
    "posterior",
]


class Likelihood(NamedTuple):
    """The likelihood of examples, exp(shift.w - w.precision.w / 2), for each model."""

    shift: FloatArray  # (models, weights)
    precision: FloatArray  # (models,), (models, weights), (models, weights, weights)


def inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse of a symmetric matrix; raise an error if not positive.

    Examples
    --------
    >>> inverse(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    root, fault = lapack.dpotrf(matrix.T, lower=False, clean=True)
    if fault:
        raise np.linalg.LinAlgError("matrix must be positive definite")
    found, _ = lapack.dpotri(root, lower=False, overwrite_c=True)
    above = np.triu(found, 1)
    return np.asarray(above + above.T + np.diag(found.diagonal()), order="C")


def likelihood(
    mean: FloatArray,
    belief: FloatArray,
    prior: float,
    shifts: FloatArray,
    ratios: FloatArray,
) -> Likelihood:
    """Return the likelihood in a new standardisation, from a belief in an old one."""
    known = (ratios > 0.0) & (ratios < KNOWN)
    ratio, shift = np.where(known, ratios, 0.0), np.where(known, shifts, 0.0)
    features, weights = ratio.size, mean.shape[1]
    turn = np.append(ratio, np.ones(weights - features))
    if belief.ndim == 3:
        each = [
            _turned(m, V, prior, turn, shift) for m, V in zip(mean, belief, strict=True)
        ]
        return Likelihood(*(np.stack(part) for part in zip(*each, strict=True)))
    own = 1.0 / prior
    variance = (
        np.repeat(belief[:, None], weights, axis=1) if belief.ndim == 1 else belief
    )
    precision = np.maximum(1.0 / variance - own, 0.0) * turn * turn
    center = turn * mean / variance / (precision + own)
    moved = center[:, :features] @ shift
    for intercept in range(features, weights):
        precision[:, intercept] = np.maximum(1.0 / variance[:, intercept] - own, 0.0)
        center[:, intercept] = mean[:, intercept] + moved
    if belief.ndim == 1:
        number = max(np.count_nonzero(turn), 1)  # at first there may be none
        total = precision.sum(axis=1) / number
        return Likelihood(center * (total + own)[:, None], total)
    return Likelihood(center * (precision + own), precision)


def _turned(
    mean: FloatArray,
    covariance: FloatArray,
    prior: float,
    turn: FloatArray,
    shift: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return shift and precision T A T^T, for T with turn and shift in its entries."""
    precision = inverse(covariance)
    product = precision @ mean
    np.einsum("ii->i", precision)[:] -= 1.0 / prior
    last = precision[-1].copy()
    precision *= turn[:, None]
    precision *= turn
    moved = np.zeros(turn.size)  # without an intercept nothing takes the shift
    if shift.size < turn.size:
        moved[:-1] = shift
    cross = np.outer(moved, turn * last)
    precision -= cross + cross.T
    precision += np.outer(moved, moved) * last[-1]
    return turn * product - moved * product[-1], precision


def posterior(found: Likelihood, prior: float) -> tuple[FloatArray, FloatArray]:
    """Return mean and belief: the prior times a likelihood."""
    shift, precision = found
    if precision.ndim < 3:
        belief = 1.0 / (precision + 1.0 / prior)
        return shift * (belief[:, None] if belief.ndim == 1 else belief), belief
    own = np.eye(shift.shape[1]) / prior
    belief = np.empty_like(precision)
    for k, matrix in enumerate(precision):
        try:
            belief[k] = inverse(matrix + own)
        except np.linalg.LinAlgError:  # wrong labels can tell less than nothing
            values, vectors = np.linalg.eigh(matrix)
            belief[k] = inverse((vectors * np.maximum(values, 0.0)) @ vectors.T + own)
    return np.einsum("kij,kj->ki", belief, shift), belief


def log_mass(found: Likelihood, prior: float) -> FloatArray:
    """Return the logarithm of the integral of prior times likelihood, by model."""
    mean, belief = posterior(found, prior)
    weights = mean.shape[1]
    if belief.ndim == 3:
        logs = 0.5 * np.linalg.slogdet(belief)[1]
    elif belief.ndim == 2:
        logs = 0.5 * np.log(belief).sum(axis=1)
    else:
        logs = 0.5 * weights * np.log(belief)
    logs = logs - 0.5 * weights * np.log(prior)
    return np.asarray(logs + 0.5 * (mean * found.shift).sum(axis=1))
