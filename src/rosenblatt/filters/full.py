r"""The Gaussian filter with a full covariance.

.. math::
    m \leftarrow m + V z\, g, \qquad V \leftarrow V - c\, V z z^T V,   \tag{1}

with slope g and curvature c of :mod:`rosenblatt.numerics.evidence`. What is kept are
factors, :math:`V = L^T D L` with L lower triangular, ones on its diagonal, and D
diagonal and positive. V cannot lose its positive definiteness to rounding then, and
only half of a matrix is passed over. With :math:`f = L z` and :math:`p = D f` eq. (1)
is done for one row of L after the other (Bierman's form of the update),

.. math::
    L_j \leftarrow L_j - \frac{c f_j}{\alpha_j} \sum_{l<j} p_l L_l, \quad
    D_j \leftarrow \frac{\alpha_j}{\alpha_{j+1}} D_j, \quad
    \alpha_0 = 1 - c\, f \cdot p, \quad \alpha_{j+1} = \alpha_j + c f_j p_j,
    \tag{2}

where the sum, of rows as they were, ends as V z. One pass over the triangle does eq.
(2) and finds f for the next example, four rows of it at a time, since the sum is then
read once for four. Everything is computed in double precision.

Beliefs hold D on the diagonal of L.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.jit import woven
from rosenblatt.compiling.vector.loops import sweep
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import State
from rosenblatt.filters.row import (
    HUGE,
    LINE,
    SMALLEST,
    aligned,
    framed,
    observe,
    settle,
    tell,
    write_odds,
)

__all__ = ["advance_full"]

_TOGETHER = 4  # rows of the triangle
_ROUNDING = np.finfo(float).eps  # of 1 - c a, which is positive


def _arrive(x: Any, center: Any, scale: Any, clip: Any, none: Any) -> Any:
    """Find a row in the frame."""
    return (framed(x, center, scale, clip, none),), (x * none,)


def _turn(
    known: Any, z: Any, s: Any, t: Any, u: Any, v: Any,
    a: Any, b: Any, c: Any, d: Any, p: Any, q: Any, r: Any, o: Any
) -> Any:  # fmt: skip
    """Do eq. (2) for four rows of L, and return the terms of the next f."""
    changed = []
    for row, loss, pull in ((s, a, p), (t, b, q), (u, c, r), (v, d, o)):
        changed.append(row - known * loss)
        known = known + row * pull
    return (known, *changed), tuple(row * z for row in changed)


def _follow(m: Any, known: Any, z: Any, slope: Any) -> Any:
    """Move the mean; return the terms of the next field. The sum is empty again."""
    m = m + known * slope
    return (m, known - known), (m * z,)


def _pull(share: Any, f: Any, none: Any) -> Any:
    """Return p, and the terms of f.p, also as a sum."""
    pull = share * f
    return (pull, pull * f), (pull * f,)


def _weigh(
    before: Any, term: Any, f: Any, share: Any,
    curvature: Any, left: Any, one: Any, low: Any, high: Any
) -> Any:  # fmt: skip
    """Return the factors of the rows of L, and the new D: eq. (2)."""
    alpha = left + before * curvature
    after = alpha + term * curvature
    inverse = one / (alpha * after)  # one division for two
    share = share * (alpha * alpha * inverse)
    return (f * curvature * after * inverse, share.clip(low, high)), ()


_arriving = sweep(_arrive, reads=3, writes=1, sums=1, streamed=1)
_turning = sweep(_turn, reads=6, writes=5, sums=4)
_following = sweep(_follow, reads=3, writes=2, sums=1)
_pulling = sweep(_pull, reads=2, writes=2, sums=1)
_weighing = sweep(_weigh, reads=4, writes=2, sums=0)


@woven
def _add_up(terms: FloatArray, sums: FloatArray, own: int, length: int) -> None:
    """Write the sums of the terms before each, in steps of four."""
    total = 0.0
    for i in range(own, own + length, _TOGETHER):
        a, b, c, d = terms[i], terms[i + 1], terms[i + 2], terms[i + 3]
        sums[i], sums[i + 1] = total, total + a
        sums[i + 2], sums[i + 3] = total + (a + b), total + (a + b + c)
        total += (a + b) + (c + d)


@woven
def _learn(
    triangle: FloatArray,
    start: int,
    f: FloatArray,
    own: int,
    height: int,
    pulls: FloatArray,
    losses: FloatArray,
    known: FloatArray,
    z: FloatArray,
    coming: int,
) -> None:
    """Do eq. (2), write the sum to ``known``, and find f of the row at ``coming``.

    What is known of the model begins at ``start`` and at ``own``.
    """
    s = start
    for j in range(0, height, _TOGETHER):
        length = (j + LINE) & -LINE  # of these rows: whole lines
        t, u, v = s + length, s + 2 * length, s + 3 * length
        i = own + j
        f[i], f[i + 1], f[i + 2], f[i + 3] = _turning(
            length, known, 0, z, coming, triangle, s, triangle, t, triangle, u,
            triangle, v, known, 0, triangle, s, triangle, t, triangle, u, triangle, v,
            losses[j], losses[j + 1], losses[j + 2], losses[j + 3],
            pulls[i], pulls[i + 1], pulls[i + 2], pulls[i + 3]
        )  # fmt: skip
        s += _TOGETHER * length


@inlined
def _places(size: int) -> IntArray:
    """Return where each row of a triangle begins, and where the last one ends."""
    height = -(-size // _TOGETHER) * _TOGETHER
    places = np.zeros(height + 1, np.int64)
    for j in range(height):
        first = j // _TOGETHER * _TOGETHER
        places[j + 1] = places[j] + ((first + LINE) & -LINE)
    return places


@inlined
def advance_full(
    X: FloatArray,
    codes: IntArray,
    repeats: IntArray,
    odds: FloatArray,
    belief: FloatArray,
    state: State,
    clock: int,
) -> int:
    """Return the first row that is not finite, or -1."""
    center, inverse_scale, moments, noise, mean, tally, clip, width = state
    models, size = mean.shape
    rows, n = X.shape
    # Rows of the triangle are made whole lines of the cache, and as many as are turned
    # together: what is added is zero, and stays so.
    places = _places(size)
    height, stored = places.size - 1, places[-1]
    length = -(-size // LINE) * LINE
    triangle, start = aligned(models * stored)
    space, begin = aligned((4 + 6 * models) * length)
    z = space[begin:][: 2 * length]
    known = space[begin + 2 * length :][:length]
    losses = space[begin + 3 * length :][:length]
    parts = space[begin + 4 * length :][: 6 * models * length]
    means, shares, f, pulls, terms, before = (
        parts[: models * length],
        parts[models * length :][: models * length],
        parts[2 * models * length :][: models * length],
        parts[3 * models * length :][: models * length],
        parts[4 * models * length :][: models * length],
        parts[5 * models * length :],
    )
    for k in range(models):
        means[k * length : k * length + size] = mean[k]
        for j in range(size):
            at = start + k * stored + places[j]
            triangle[at : at + j] = belief[k, j, :j]
            triangle[at + j] = 1.0
            shares[k * length + j] = belief[k, j, j]
    z[n:size], z[length + n : length + size] = 1.0, 1.0
    table = X.reshape(-1)
    waiting = np.zeros(8)
    fields, squares, chances = np.zeros(models), np.zeros(models), np.empty((2, models))
    slopes, curvatures = np.empty(models), np.empty(models)
    products = np.ones(models)
    odd = 0.0
    for row in range(-1, rows):  # at -1 nothing is learned, the first row is looked at
        if odd != 0.0:  # NaN too
            return row
        here, coming = (row & 1) * length, (row + 1 & 1) * length
        if row + 1 < rows:
            (odd,) = _arriving(
                n, table, (row + 1) * n, center, 0, inverse_scale, 0, z, coming,
                clip, 0.0
            )  # fmt: skip
        times = 0
        if row >= 0:
            times = repeats[row] if repeats.size else 1
        if row >= 0:
            observe(
                table, row, rows, clock, float(times), waiting, center, inverse_scale,
                moments
            )  # fmt: skip
        if row >= 0:
            for k in range(models):
                if not abs(fields[k]) + squares[k] <= HUGE:
                    return row
            if odds.size:
                write_odds(fields, squares, width, noise, chances, odds[row])
        for turn in range(max(times, 1)):
            if times > 0:
                tell(
                    fields, squares, width, codes[row], noise, chances, slopes,
                    curvatures, products, tally
                )  # fmt: skip
            else:
                slopes[:] = 0.0
                curvatures[:] = 0.0
            for k in range(models):
                own, following = k * length, here if turn + 1 < times else coming
                left = max(1.0 - curvatures[k] * squares[k], _ROUNDING)
                _weighing(
                    length, before, own, terms, own, f, own, shares, own, losses, 0,
                    shares, own, curvatures[k], left, 1.0, SMALLEST, HUGE
                )  # fmt: skip
                _learn(
                    triangle, start + k * stored, f, own, height, pulls, losses, known,
                    z, following
                )  # fmt: skip
                (fields[k],) = _following(
                    length, means, own, known, 0, z, following,
                    means, own, known, 0, slopes[k]
                )  # fmt: skip
                (squares[k],) = _pulling(
                    length, shares, own, f, own, pulls, own, terms, own, 0.0
                )  # fmt: skip
                _add_up(terms, before, own, length)
    for k in range(models):
        mean[k] = means[k * length : k * length + size]
        for j in range(size):
            at = start + k * stored + places[j]
            belief[k, j, :j] = triangle[at : at + j]
            belief[k, j, j] = shares[k * length + j]
    settle(tally, products)
    return -1
