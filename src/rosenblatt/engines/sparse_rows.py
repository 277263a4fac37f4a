r"""Sparse rows through a rule without a shift: only the entries that there are.

Weights are kept as :math:`w = s v`, so that a decay changes the scale s alone, and
everything is computed in double precision. The squared length follows from the entries
that move; over long streams its rounding errors add up, at 1e-16 for each update.

Scalar sums are right here: to gather eight weights takes longer than to read them one
by one.
"""

from __future__ import annotations

import numpy as np
from numba import types

from rosenblatt.core import Clock, Percept, Update, inlined, kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.core.pointers import rate_at, step_at
from rosenblatt.engines.ensemble import HUGE
from rosenblatt.engines.learner import EXAMPLES, MISTAKES
from rosenblatt.engines.plan import CONSTANT, QUIET, RATE, SHARED, STEP

__all__ = ["present_double", "present_single"]

# Scales outside are put into the weights: far enough for this to be rare, and no
# number of either factor gets near the ends of what double precision holds.
_SMALL, _LARGE = 1e-50, 1e50


@inlined
def _field(
    entries: FloatArray,
    columns: IntArray,
    first: int,
    last: int,
    v: FloatArray,
    at: int,
) -> float:
    """Return v.x for the model whose weights begin at ``at``."""
    even, odd = 0.0, 0.0
    for j in range(first, last - 1, 2):
        even += v[np.uint64(at + columns[j])] * entries[j]
        odd += v[np.uint64(at + columns[j + 1])] * entries[j + 1]
    if (last - first) % 2:
        even += v[np.uint64(at + columns[last - 1])] * entries[last - 1]
    return even + odd


@inlined
def _square(entries: FloatArray, first: int, last: int) -> float:
    """Return x.x."""
    total = 0.0
    for j in range(first, last):
        total += float(entries[j]) * float(entries[j])
    return total


@inlined
def _move(
    entries: FloatArray,
    columns: IntArray,
    first: int,
    last: int,
    v: FloatArray,
    at: int,
    gain: float,
) -> None:
    """Add gain times the row."""
    for j in range(first, last):
        v[np.uint64(at + columns[j])] += gain * entries[j]


def _present(
    entries: FloatArray,
    columns: IntArray,
    ends: IntArray,
    n: int,
    codes: IntArray,
    order: IntArray,
    portions: FloatArray,
    plan: IntArray,
    numbers: FloatArray,
    weights: FloatArray,
    sums: FloatArray,
    counts: FloatArray,
    fault: FloatArray,
) -> int:
    """Return the row at which a number is no longer finite, or -1.

    Row r has the entries from ``ends[r]`` up to ``ends[r + 1]``; there are n columns.
    The learner is written to as rows come.
    """
    step, rate = step_at(plan[STEP]), rate_at(plan[RATE])
    quiet = plan[QUIET] != 0
    constant = numbers[CONSTANT]
    asked = not constant >= 0.0
    models, weighted = weights.shape
    size = float(weighted)
    bias = weighted > n
    v = weights.reshape(-1)
    scales, norms = np.ones(models), np.zeros(models)
    for i in range(v.size):
        norms[i // weighted] += v[i] * v[i]
    last = order.size if order.size else codes.size
    for turn in range(last):
        row = order[turn] if order.size else turn
        left = portions[turn] if portions.size else 1.0
        code = codes[row]
        begin, end = ends[row], ends[row + 1]
        x2 = -1.0  # not known yet
        while left > 0.0:
            part = min(left, 1.0)
            left -= part
            for k in range(models):
                at = k * weighted
                h = _field(entries, columns, begin, end, v, at)
                if bias:
                    h += v[at + n]
                h *= scales[k]
                y = 1.0 if code == (k if models > 1 else 1) else -1.0
                stability = y * h
                counts[k, EXAMPLES] += part
                if quiet and 0.0 < stability <= HUGE:
                    continue
                if x2 < 0.0:
                    x2 = _square(entries, begin, end)
                    if bias:
                        x2 += 1.0
                if stability <= 0.0:
                    counts[k, MISTAKES] += part
                q = norms[k]
                eta = constant
                if asked:
                    t, m = counts[k, EXAMPLES] / size, counts[k, MISTAKES] / size
                    eta = rate(Clock(t, m, size))
                p = Percept(h, y, q / size, x2, eta, size, 0.0)
                u = Update(0.0, 0.0)
                if q > 0.0 or x2 > 0.0:
                    u = step(p)
                keep, gain = 1.0 - part * u.decay / size, part * u.gain
                # |keep w + gain x|^2, before anything moves
                q = max(keep * (keep * q + 2.0 * gain * h) + gain * gain * x2, 0.0)
                if not abs(h) + x2 + q <= HUGE:
                    for j in range(len(p)):
                        fault[j] = p[j]
                    fault[len(p)] = u.gain
                    fault[len(p) + 1] = u.decay
                    return int(row)
                norms[k] = q
                if keep != 1.0:
                    scale = scales[k] * keep
                    if not _SMALL < abs(scale) < _LARGE:
                        for i in range(at, at + weighted):
                            v[i] *= scale
                        scale = 1.0
                    scales[k] = scale
                if gain != 0.0:
                    gain /= scales[k]
                    _move(entries, columns, begin, end, v, at, gain)
                    if bias:
                        v[at + n] += gain
    for k in range(models):
        if scales[k] != 1.0:
            for i in range(k * weighted, (k + 1) * weighted):
                v[i] *= scales[k]
    return -1


_SHARED = (
    types.Array(types.int32, 1, "C", readonly=True),
    types.Array(types.int64, 1, "C", readonly=True),
    types.int64,
    *SHARED,
)
present_single = kernel(
    types.int64, types.Array(types.float32, 1, "C", readonly=True), *_SHARED
)(_present)
present_double = kernel(
    types.int64, types.Array(types.float64, 1, "C", readonly=True), *_SHARED
)(_present)
