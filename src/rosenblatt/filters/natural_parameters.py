r"""Gaussian beliefs in natural parameters: what they need to move, fade and merge.

A belief is the prior :math:`\mathcal N(0, \mathrm{prior}\, I)` times what the examples
said, the sites,

.. math:: \exp\big(\eta \cdot w - \tfrac12 w^T A\, w\big).   \tag{1}

In another frame, :math:`z' = T z`, the field is the same function of the input if
:math:`A' = T A T^T` and :math:`\eta' = T \eta`; the prior is put back as it was.
Beliefs with one variance, or one for each weight, keep the weights that give the same
field, and of A the diagonal. Sites of examples learned apart add up; a factor below 1
forgets.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.row import GIVEN, MATRIX
from rosenblatt.filters.standardisation import Move

__all__ = [
    "Sites",
    "independent",
    "log_mass",
    "posterior",
    "roots",
    "sites",
    "threads",
]

# Where a scale shrinks more than so, all that was seen before was next to zero, and
# what is known of its weight is rounding.
_TOLD = 1e4
# Matrices of such sizes are inverted by several threads, which wait for each other
# longer than they work if other programs want the processors too.
_THREADED = range(64, 1000)


class Sites(NamedTuple):
    """What the examples said, eq. (1): for each model."""

    shift: FloatArray  # eta, (models, weights)
    precision: FloatArray  # A: (models,), (models, weights), (models, weights, weights)


def sites(mean: FloatArray, belief: FloatArray, prior: float, move: Move) -> Sites:
    """Return what examples said in a new frame, from a belief in an old one."""
    if belief.ndim == 3:
        told = (move.ratio > 0.0) & (move.ratio < _TOLD)
        return _full(mean, belief, prior, move, told)
    shift, precision = np.empty_like(mean), np.empty_like(mean)
    alike = belief.ndim == 1
    variance = np.repeat(belief[:, None], mean.shape[1], axis=1) if alike else belief
    _separate(mean, variance, prior, *move, alike, shift, precision)
    return Sites(shift, precision[:, 0].copy() if alike else precision)


_GIVEN = types.Array(types.float64, 2, "C", readonly=True)


def _independent(
    mean: FloatArray,
    variance: FloatArray,
    prior: float,
    shifts: FloatArray,
    ratios: FloatArray,
    alike: bool,
    shift: FloatArray,
    precision: FloatArray,
) -> None:
    """Write the sites of weights with variances of their own, or all the same."""
    models, weights = mean.shape
    features = ratios.size
    own = 1.0 / prior
    for k in range(models):
        m, v, eta, told = mean[k], variance[k], shift[k], precision[k]
        moved, total, number = 0.0, 0.0, float(weights - features)
        for i in range(features):
            known = ratios[i] > 0.0 and ratios[i] < _TOLD
            ratio = ratios[i] if known else 0.0
            inverse = 1.0 / v[i]
            p = max(inverse - own, 0.0) * ratio * ratio
            center = ratio * m[i] * inverse / (p + own)
            moved += center * (shifts[i] if known else 0.0)
            eta[i], told[i] = center, p
            total += p
            number += 1.0 if known else 0.0
        for i in range(features, weights):
            eta[i], told[i] = m[i] + moved, max(1.0 / v[i] - own, 0.0)
            total += told[i]
        if alike:
            told[:] = total / max(number, 1.0)  # at first there may be none
        for i in range(weights):
            eta[i] *= told[i] + own


independent = inlined(_independent)
_separate = kernel(
    types.void, _GIVEN, _GIVEN, types.float64, GIVEN, GIVEN, types.boolean, MATRIX,
    MATRIX
)(_independent)  # fmt: skip


def _full(
    mean: FloatArray,
    belief: FloatArray,
    prior: float,
    move: Move,
    told: npt.NDArray[np.bool_],
) -> Sites:
    """Return the sites of models with a full covariance."""
    inverses = np.linalg.inv(roots(belief))
    features, weights = move.ratio.size, mean.shape[1]
    turn = np.eye(weights)  # T
    turn[:features, :features] *= np.where(told, move.ratio, 0.0)
    if features < weights:
        turn[:features, -1] = np.where(told, -move.shift, 0.0)
    whole = inverses @ inverses.transpose(0, 2, 1)
    precision = turn @ (whole - np.eye(weights) / prior) @ turn.T
    shift = (whole @ mean[:, :, None])[:, :, 0] @ turn.T
    return Sites(shift, 0.5 * (precision + precision.transpose(0, 2, 1)))


def _roots(precision: FloatArray, prior: float) -> FloatArray:
    """Return lower triangular roots of prior and sites together."""
    own = np.eye(precision.shape[1]) / prior
    try:
        return np.asarray(np.linalg.cholesky(own + precision))
    except np.linalg.LinAlgError:  # labels that may be wrong can say less than nothing
        values, vectors = np.linalg.eigh(precision)
        positive = np.maximum(values, 0.0)[:, None, :] * vectors
        kept = positive @ vectors.transpose(0, 2, 1)
        return np.asarray(np.linalg.cholesky(own + kept))


def roots(belief: FloatArray) -> FloatArray:
    """Return lower triangular R, of covariances R^T R, from factors of these.

    Factors are L and D of :mod:`rosenblatt.filters.full`, in one matrix.
    """
    shares = np.sqrt(np.diagonal(belief, axis1=1, axis2=2))
    units = np.tril(belief, -1) + np.eye(belief.shape[1])
    return np.asarray(shares[:, :, None] * units)


def _factors(roots: FloatArray) -> FloatArray:
    """Return factors from roots."""
    shares = np.diagonal(roots, axis1=1, axis2=2)
    factors = np.tril(roots / shares[:, :, None])
    index = np.arange(roots.shape[1])
    factors[:, index, index] = shares * shares
    return factors


def threads(belief: FloatArray) -> AbstractContextManager[object]:
    """Return the context in which such beliefs are best turned into another frame."""
    if belief.ndim == 3 and belief.shape[1] in _THREADED:
        one: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
        return one
    return nullcontext()


def posterior(sites: Sites, prior: float) -> tuple[FloatArray, FloatArray]:
    """Return mean and belief, as filters keep them."""
    shift, precision = sites
    if precision.ndim == 3:
        inverses = np.linalg.inv(_roots(precision, prior))
        mean = (inverses.transpose(0, 2, 1) @ (inverses @ shift[:, :, None]))[:, :, 0]
        return mean, _factors(np.asarray(inverses))
    belief = 1.0 / (precision + 1.0 / prior)
    return shift * (belief[:, None] if belief.ndim == 1 else belief), belief


def log_mass(sites: Sites, prior: float) -> FloatArray:
    """Return the logarithm of the integral of prior times sites, for each model."""
    mean, belief = posterior(sites, prior)
    weights = mean.shape[1]
    if belief.ndim == 3:
        logs = 0.5 * np.log(np.diagonal(belief, axis1=1, axis2=2)).sum(axis=1)
    elif belief.ndim == 2:
        logs = 0.5 * np.log(belief).sum(axis=1)
    else:
        logs = 0.5 * weights * np.log(belief)
    logs = logs - 0.5 * weights * np.log(prior)
    return np.asarray(logs + 0.5 * (mean * sites.shift).sum(axis=1))
