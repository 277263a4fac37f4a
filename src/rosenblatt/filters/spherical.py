r"""The Gaussian filter with one variance for all weights.

.. math::
    m \leftarrow m + s\, z\, g, \qquad
    s \leftarrow s - c\, s^2 |z|^2 / N,   \tag{1}

with slope g and curvature c of :mod:`rosenblatt.numerics.evidence`, for N weights.
This is :cite:t:`winther1997`, eq. (9), with a variance that is learned instead of fixed
by the length of the weights.

A mean is moved by one row in the same pass that finds its field for the next, since
both read it. Means are computed with in the precision of the rows, all scalars and the
intercept in double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.loops import sweep
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.addresses import State
from rosenblatt.filters.lookahead import foresee_spherical
from rosenblatt.filters.pairs import PAIRED, pair_spherical
from rosenblatt.filters.row import (
    HUGE,
    framed,
    narrowed,
    observe,
    settle,
    tell,
    write_odds,
)

__all__ = ["advance_spherical"]


def _arrive(
    x: Any,
    center: Any,
    scale: Any,
    m: Any,
    before: Any,
    gain: Any,
    clip: Any,
    none: Any,
) -> Any:
    """Move the mean by the row before; find the next row, its field and its length."""
    z = framed(x, center, scale, clip, none)
    m = m + before * gain
    return (z, m), (m * z, z * z, x * none)


def _look(z: Any, m: Any, before: Any, gain: Any) -> Any:
    """Move the mean by the row before, and find the field of this one."""
    m = m + before * gain
    return (m,), (m * z,)


_arriving = sweep(_arrive, reads=5, writes=2, sums=3, streamed=1)
_looking = sweep(_look, reads=3, writes=1, sums=1)


@inlined
def advance_spherical(
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
            return foresee_spherical(X, codes, odds, belief, state, clock)  # type: ignore[no-any-return]
        return pair_spherical(X, codes, odds, belief, state, clock)  # type: ignore[no-any-return]
    rows, n = X.shape
    own = mean[:, :n].astype(X.dtype).reshape(-1)
    place, scale = center.astype(X.dtype), narrowed(inverse_scale, X)
    # As numbers of the rows' precision: the farthest, nothing, and what is to be
    # learned of the row before, for each model.
    farthest, none = np.array([clip, 0.0]).astype(X.dtype)
    gains = np.zeros(models, X.dtype)
    inputs = np.zeros(2 * n, X.dtype)
    products = np.ones(models)
    fields, squares, chances = np.empty(models), np.empty(models), np.empty((2, models))
    slopes, curvatures = np.empty(models), np.empty(models)
    bias = size - n
    share = 1.0 / size
    table = X.reshape(-1)
    waiting = np.zeros(8)
    now, before = 0, 0
    for row in range(rows):
        if models > 1:  # all models need the row before; one has done with it
            now, before = before, n - before
        gain = gains[0]
        h, z2, odd = _arriving(
            n, table, row * n, place, 0, scale, 0, own, 0, inputs, before,
            inputs, now, own, 0, gain, farthest, none
        )  # fmt: skip
        z2 += bias
        if not (odd == 0.0 and abs(h) + z2 <= HUGE):
            return row
        times = repeats[row] if repeats.size else 1
        observe(
            table, row, rows, clock, float(times), waiting, center, inverse_scale,
            moments
        )  # fmt: skip
        for turn in range(max(times, 1)):
            last = now if turn > 0 else before
            for k in range(models):
                if k + turn > 0:
                    (h,) = _looking(
                        n, inputs, now, own, k * n, inputs, last, own, k * n, gains[k]
                    )
                fields[k] = h + mean[k, n] if bias else h
                squares[k] = belief[k] * z2
            if turn == 0 and odds.size:
                write_odds(fields, squares, width, noise, chances, odds[row])
            if times == 0:
                gains[:] = 0.0
                break
            tell(
                fields, squares, width, codes[row], noise, chances, slopes, curvatures,
                products, tally
            )  # fmt: skip
            for k in range(models):
                s = belief[k]
                gains[k] = slopes[k] * s  # eq. (1)
                if bias:
                    mean[k, n] += slopes[k] * s
                belief[k] = s - curvatures[k] * s * squares[k] * share
    for k in range(models):
        _looking(n, inputs, now, own, k * n, inputs, now, own, k * n, gains[k])
    mean[:, :n] = own.reshape(models, n)
    settle(tally, products)
    return -1
