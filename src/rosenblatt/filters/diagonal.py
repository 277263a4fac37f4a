r"""The Gaussian filter with a variance for each weight.

.. math::
    m_i \leftarrow m_i + v_i z_i\, g, \qquad
    v_i \leftarrow v_i - c\, v_i^2 z_i^2,   \tag{1}

with slope g and curvature c of :mod:`rosenblatt.numerics.evidence`.

A belief is moved by one row in the same pass that finds the field of the next, since
both read it. Means and variances are computed with in the precision of the rows, all
scalars and the intercept in double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.loops import sweep
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import State
from rosenblatt.filters.lookahead import foresee_diagonal
from rosenblatt.filters.pairs import PAIRED, pair_diagonal
from rosenblatt.filters.row import (
    HUGE,
    framed,
    moved,
    narrowed,
    observe,
    settle,
    tell,
    write_odds,
)

__all__ = ["advance_diagonal"]


def _arrive(
    x: Any, center: Any, scale: Any, m: Any, v: Any, before: Any,
    slope: Any, curvature: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Learn the row before; find the next row, and mean and variance of its field."""
    z = framed(x, center, scale, clip, none)
    m, v = moved(m, v, before, slope, curvature)
    return (z, m, v), (m * z, v * z * z, x * none)


def _look(z: Any, m: Any, v: Any, before: Any, slope: Any, curvature: Any) -> Any:
    """Learn the row before, and find mean and variance of the field of this one."""
    m, v = moved(m, v, before, slope, curvature)
    return (m, v), (m * z, v * z * z)


_arriving = sweep(_arrive, reads=6, writes=3, sums=3, streamed=1)
_looking = sweep(_look, reads=4, writes=2, sums=2)


@inlined
def advance_diagonal(
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
    if models == 1 and not repeats.size:
        if X.shape[1] < PAIRED:
            return foresee_diagonal(X, codes, odds, belief, state, clock)  # type: ignore[no-any-return]
        return pair_diagonal(X, codes, odds, belief, state, clock)  # type: ignore[no-any-return]
    rows, n = X.shape
    ms = mean[:, :n].astype(X.dtype).reshape(-1)
    vs = belief[:, :n].astype(X.dtype).reshape(-1)
    place, scale = center.astype(X.dtype), narrowed(inverse_scale, X)
    # As numbers of the rows' precision: the farthest, nothing, and what is to be
    # learned of the row before, for each model.
    farthest, none = np.array([clip, 0.0]).astype(X.dtype)
    steps, bends = np.zeros(models, X.dtype), np.zeros(models, X.dtype)
    inputs = np.zeros(2 * n, X.dtype)
    products = np.ones(models)
    fields, squares, chances = np.empty(models), np.empty(models), np.empty((2, models))
    slopes, curvatures = np.empty(models), np.empty(models)
    bias = size > n
    table = X.reshape(-1)
    waiting = np.zeros(8)
    now, before = 0, 0
    for row in range(rows):
        if models > 1:  # all models need the row before; one has done with it
            now, before = before, n - before
        h, a, odd = _arriving(
            n, table, row * n, place, 0, scale, 0, ms, 0, vs, 0, inputs, before,
            inputs, now, ms, 0, vs, 0, steps[0], bends[0], farthest, none
        )  # fmt: skip
        if not (odd == 0.0 and abs(h) + a <= HUGE):
            return row
        times = repeats[row] if repeats.size else 1
        observe(
            table, row, rows, clock, float(times), waiting, center, inverse_scale,
            moments
        )  # fmt: skip
        for turn in range(max(times, 1)):
            last = now if turn > 0 else before
            for k in range(models):
                at = k * n
                if k + turn > 0:
                    h, a = _looking(
                        n, inputs, now, ms, at, vs, at, inputs, last,
                        ms, at, vs, at, steps[k], bends[k]
                    )  # fmt: skip
                fields[k], squares[k] = h, a
                if bias:
                    fields[k] += mean[k, n]
                    squares[k] += belief[k, n]
            if turn == 0 and odds.size:
                write_odds(fields, squares, width, noise, chances, odds[row])
            if times == 0:
                steps[:] = 0.0
                bends[:] = 0.0
                break
            tell(
                fields, squares, width, codes[row], noise, chances, slopes, curvatures,
                products, tally
            )  # fmt: skip
            for k in range(models):
                steps[k], bends[k] = slopes[k], curvatures[k]
                if bias:
                    v = belief[k, n]
                    mean[k, n] += v * slopes[k]
                    belief[k, n] = v - curvatures[k] * v * v
    for k in range(models):
        at = k * n
        _looking(
            n, inputs, now, ms, at, vs, at, inputs, now,
            ms, at, vs, at, steps[k], bends[k]
        )  # fmt: skip
    mean[:, :n] = ms.reshape(models, n)
    belief[:, :n] = vs.reshape(models, n)
    settle(tally, products)
    return -1
