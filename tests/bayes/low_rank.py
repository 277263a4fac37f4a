"""A belief of low rank: the precision is a diagonal and a few vectors, L + A A^T.

A label adds a vector to A. Of one too many the shortest is dropped, and its squares are
added to L. For tests: all that a new kind of belief needs is in this file.
"""

from typing import ClassVar

import numpy as np

from rosenblatt.bayes.belief import Belief, Routines
from rosenblatt.bayes.full import Full
from rosenblatt.bayes.layout import PRIOR, arrays_at, part
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.matrices import SIDE_BY_SIDE
from rosenblatt.compiling.pointers import pointer_at

RANK = 4
WIDE = RANK + 2  # a matrix of so many columns, and room for one vector more


@inlined
def solve(belief, first, n, z, at, step, u, small):
    """Write V z, for a vector in every ``step``-th entry; by the matrix of rank R."""
    for p in range(RANK):
        row = first + (p + 1) * n
        for q in range(RANK):
            total = 1.0 if p == q else 0.0
            other = first + (q + 1) * n
            for i in range(n):
                total += belief[row + i] * belief[other + i] / belief[first + i]
            small[p * WIDE + q] = total
        total = 0.0
        for i in range(n):
            total += belief[row + i] * z[at + i * step] / belief[first + i]
        small[p * WIDE + RANK] = total
    for p in range(RANK):  # elimination; the matrix is positive definite
        for q in range(RANK):
            if q != p:
                ratio = small[q * WIDE + p] / small[p * WIDE + p]
                for c in range(p, RANK + 1):
                    small[q * WIDE + c] -= ratio * small[p * WIDE + c]
    for i in range(n):
        rest = z[at + i * step]
        for p in range(RANK):
            known = small[p * WIDE + RANK] / small[p * WIDE + p]
            rest -= belief[first + (p + 1) * n + i] * known
        u[i] = rest / belief[first + i]


@kernel()
def predict(place: int, row: int) -> None:
    f = arrays_at(place)
    n = f.weights
    for k in range(f.models):
        u, small = part(f.work, k * n, n), part(f.work, f.models * n, 99)
        solve(f.belief, k * f.entries, n, f.rows, row * n, 1, u, small)
        h, a = 0.0, 0.0
        for i in range(n):
            h += f.mean[k * n + i] * f.rows[row * n + i]
            a += u[i] * f.rows[row * n + i]
        f.label[k], f.label[f.models + k] = h, a


@inlined
def add(belief, first, n, z, at, factor):
    """Add factor z z^T to the precision: for the shortest vector, or to L."""
    own, least, length = -1, 0.0, 0.0
    for i in range(n):
        length += z[at + i] * z[at + i]
    least = length * factor
    for p in range(1, RANK + 1):
        total = 0.0
        for i in range(n):
            total += belief[first + p * n + i] * belief[first + p * n + i]
        if total < least:
            own, least = p, total
    for i in range(n):
        if own > 0:
            before = belief[first + own * n + i]
            belief[first + i] += before * before
            belief[first + own * n + i] = np.sqrt(factor) * z[at + i]
        else:
            belief[first + i] += factor * z[at + i] * z[at + i]


@kernel()
def learn(place: int, row: int) -> None:
    f = arrays_at(place)
    n = f.weights
    for k in range(f.models):
        u = part(f.work, k * n, n)
        slope, a = f.label[2 * f.models + k], f.label[f.models + k]
        curvature = max(f.label[3 * f.models + k], 0.0)
        for i in range(n):
            f.mean[k * n + i] += slope * u[i]
        factor = curvature / (1.0 - curvature * a)
        add(f.belief, k * f.entries, n, f.rows, row * n, factor)


@kernel()
def rescale(place: int, slope: float) -> None:
    f = arrays_at(place)
    n, columns, own = f.weights, f.features, 1.0 / f.numbers[PRIOR]
    small = part(f.work, f.models * n, 99)
    eta, m = part(f.work, f.models * n + 99, n), part(f.work, 0, n)
    for k in range(f.models):
        first = k * f.entries
        for i in range(n):
            eta[i] = f.belief[first + i] * f.mean[k * n + i]
        for p in range(1, RANK + 1):
            total = 0.0
            for i in range(n):
                total += f.belief[first + p * n + i] * f.mean[k * n + i]
            for i in range(n):
                eta[i] += f.belief[first + p * n + i] * total
        told = f.belief[first + n - 1] - own
        for i in range(columns):
            ratio = f.ratios[i]
            shift = f.shifts[i] if ratio > 0.0 and n > columns else 0.0
            eta[i] = ratio * eta[i] - shift * eta[n - 1]
            known = max(f.belief[first + i] - own, 0.0)
            f.belief[first + i] = own + ratio * ratio * known + shift * shift * told
            for p in range(1, RANK + 1):
                at = first + p * n
                f.belief[at + i] = (
                    ratio * f.belief[at + i] - shift * f.belief[at + n - 1]
                )
        solve(f.belief, first, n, eta, 0, 1, m, small)
        for i in range(n):
            f.mean[k * n + i] = slope * m[i]


@kernel(types.void, *6 * (types.int64,), allocates=True)
def fields(mean, belief, weights, entries, rows, result):
    m, own = pointer_at(mean, weights), pointer_at(belief, entries)
    z = pointer_at(rows, weights * SIDE_BY_SIDE)
    found = pointer_at(result, 2 * SIDE_BY_SIDE)
    for j in range(SIDE_BY_SIDE):
        h, a = 0.0, 0.0
        for i in range(weights):
            h += m[i] * z[i * SIDE_BY_SIDE + j]
        u, small = np.empty(weights), np.empty(RANK * WIDE)
        solve(own, 0, weights, z, j, SIDE_BY_SIDE, u, small)
        for i in range(weights):
            a += u[i] * z[i * SIDE_BY_SIDE + j]
        found[j], found[SIDE_BY_SIDE + j] = h, a


class LowRank(Belief):
    name = "low_rank"
    fields: ClassVar = staticmethod(fields)

    def shape(self, weights):
        return RANK + 1, weights

    def prior(self, models, weights, variance):
        belief = np.zeros((models, RANK + 1, weights))
        belief[:, 0] = 1.0 / variance
        return belief

    def possible(self, belief):
        return bool((belief[:, 0] > 0.0).all())

    def routines(self, models, weights):
        return Routines(predict, learn, rescale, room=(models + 1) * weights + 99)

    def covariance(self, belief):
        A = belief[:, 1:]
        return np.linalg.inv(
            np.einsum("ki,ij->kij", belief[:, 0], np.eye(belief.shape[2]))
            + A.transpose(0, 2, 1) @ A
        )

    def of_precision(self, precision, prior):
        """Keep the largest eigenvectors of what is known beyond the prior."""
        own = np.eye(precision.shape[1]) / prior
        belief = self.prior(len(precision), len(own), prior)
        for k, matrix in enumerate(precision):
            values, vectors = np.linalg.eigh(matrix - own)
            largest = np.sqrt(np.maximum(values, 0.0)) * vectors
            some = largest[:, -RANK:].T
            belief[k, 1 : 1 + len(some)] = some
            rest = np.diagonal(matrix - own) - (some**2).sum(axis=0)
            belief[k, 0] += np.maximum(rest, 0.0)
        return belief

    def variances(self, belief, weights):
        return np.diagonal(self.covariance(belief), axis1=1, axis2=2)

    def precisions(self, belief, weights):
        return belief[:, 0] + (belief[:, 1:] ** 2).sum(axis=1)

    def times(self, belief, vectors):
        return Full().times(self.covariance(belief), vectors)

    def solve(self, belief, vectors):
        return Full().solve(self.covariance(belief), vectors)

    def marginal(self, belief, weights):
        covariance = self.covariance(belief)[:, :weights, :weights]
        return self.of_precision(np.linalg.inv(covariance), np.inf)

    def factors(self, belief):
        return np.linalg.cholesky(self.covariance(belief))

    def grown(self, belief, old, weights, prior):
        found = self.prior(len(belief), weights, prior)
        found[:, :, old] = belief
        return found

    def of_logistic_law(self, belief, prior, square):
        own = np.eye(belief.shape[2]) / prior
        precision = np.linalg.inv(self.covariance(belief))
        return self.of_precision(own + (precision - own) / square, prior)

    def likelihood(self, mean, belief, prior, shifts, ratios):
        return Full().likelihood(mean, self.covariance(belief), prior, shifts, ratios)

    def posterior(self, found, prior):
        mean, covariance = Full().posterior(found, prior)
        return mean, self.of_precision(np.linalg.inv(covariance), prior)

    def log_determinants(self, belief, weights):
        return np.linalg.slogdet(self.covariance(belief))[1]
