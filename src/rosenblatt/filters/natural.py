r"""Gaussian beliefs in natural parameters, for merging.

Eq. (1) of :mod:`rosenblatt.filters.kernels.changing` is how they change.

A belief is the prior times the likelihood of the examples. Likelihoods of examples that
were learned apart are multiplied: their parameters add up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from rosenblatt.core.types import FloatArray
from rosenblatt.filters.kernels.changing import KNOWN

__all__ = [
    "Likelihood",
    "change_of_few",
    "inverse",
    "likelihood",
    "log_mass",
    "posterior",
]

_RANK, _MORE = 1e-10, 8  # rounding of the prior variance; vectors to be sure


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
    left: float = 1.0,
) -> Likelihood:
    """Return the likelihood in a new standardisation, from a belief in an old one.

    So much of the prior is ``left`` in the belief.
    """
    known = (ratios > 0.0) & (ratios < KNOWN)
    ratio, shift = np.where(known, ratios, 0.0), np.where(known, shifts, 0.0)
    features, weights = ratio.size, mean.shape[1]
    turn = np.append(ratio, np.ones(weights - features))
    if belief.ndim == 3:
        each = [
            _turned(m, V, prior / left, turn, shift)
            for m, V in zip(mean, belief, strict=True)
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
    told = precision @ mean
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
    return turn * told - moved * told[-1], precision


def posterior(found: Likelihood, prior: float) -> tuple[FloatArray, FloatArray]:
    """Return mean and belief: the prior times a likelihood."""
    shift, precision = found
    if precision.ndim < 3:
        belief = 1.0 / (precision + 1.0 / prior)
        return shift * (belief[:, None] if belief.ndim == 1 else belief), belief
    own = np.eye(shift.shape[1]) / prior
    belief = np.empty_like(precision)
    for k, told in enumerate(precision):
        try:
            belief[k] = inverse(told + own)
        except np.linalg.LinAlgError:  # wrong labels can tell less than nothing
            values, vectors = np.linalg.eigh(told)
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


def change_of_few(
    mean: FloatArray,
    covariance: FloatArray,
    prior: float,
    turn: tuple[FloatArray, FloatArray],
    examples: int,
) -> tuple[FloatArray, FloatArray] | None:
    r"""Return mean and covariance in a new standardisation, after few examples.

    After r examples A has at most the rank r, and so has :math:`S = p - V`. With an
    orthonormal basis Q of its range, :math:`A = Q M Q^T` with a small matrix M, and
    :math:`T Q = Q' R` gives :math:`A' = Q' (R M R^T) Q'^T`, whose eigenvectors give V'.
    This takes a time of the order of :math:`r N^2` instead of :math:`N^3`.

    ``turn`` are shifts and ratios of the columns; ratios are 0 where nothing is known.
    Return None if the rank is larger.
    """
    shifts, ratios = turn
    size, features = len(mean), ratios.size
    # Products with a few vectors more than the rank span the range, whatever they are.
    some = np.random.default_rng(0).standard_normal((size, examples + _MORE))
    Q = np.linalg.qr(prior * some - covariance @ some)[0]
    core = prior * np.eye(Q.shape[1]) - Q.T @ (covariance @ Q)
    if abs(prior * size - covariance.trace() - core.trace()) > _RANK * size * prior:
        return None
    own = np.eye(len(core)) / prior
    told = np.linalg.inv(prior * np.eye(len(core)) - core) - own  # M
    shift = Q @ (told @ (Q.T @ mean)) + mean / prior
    turned, moved = np.ones(size), np.zeros(size)
    turned[:features] = ratios
    if features < size:
        moved[:features] = np.where(ratios > 0.0, shifts, 0.0)
    Q, R = np.linalg.qr(turned[:, None] * Q - np.outer(moved, Q[-1]))
    shift = turned * shift - moved * shift[-1]
    values, vectors = np.linalg.eigh(R @ told @ R.T)
    if values[0] * prior <= -1.0:  # wrong labels can tell less than nothing
        values = np.maximum(values, 0.0)
    known = Q @ vectors
    change = 1.0 / (1.0 / prior + values) - prior
    less, more = (
        known[:, part > _RANK * prior] * np.sqrt(part[part > _RANK * prior])
        for part in (-change, change)
    )
    found = less @ less.T  # exactly symmetric: NumPy computes one half
    np.negative(found, out=found)
    if more.size:
        found += more @ more.T
    np.einsum("ii->i", found)[:] += prior
    return found @ shift, found
