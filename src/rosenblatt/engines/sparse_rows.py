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
from rosenblatt.core.jit import IntArray, inlined_as_written
from rosenblatt.core.pointers import rate_at, step_at
from rosenblatt.engines.ensemble import HUGE
from rosenblatt.engines.learner import EXAMPLES, MISTAKES
from rosenblatt.engines.plan import CONSTANT, LENGTHS, QUIET, RATE, SHARED, STEP

__all__ = ["present_double", "present_single"]

_NORM2, _INPUT2 = Percept._fields.index("norm2"), Percept._fields.index("input2")
# Scales outside are put into the weights: far enough for this to be rare, and no
# number of either factor gets near the ends of what double precision holds.
_SMALL, _LARGE = 1e-50, 1e50


@inlined_as_written
def _field(
    entries: FloatArray,
    columns: IntArray,
    first: int,
    last: int,
    v: FloatArray,
    at: int,
) -> float:
    """Return v.x for the model whose weights begin at ``at``.

    Four sums that do not wait for each other. The compiler may not reorder them: it
    would gather weights.
    """
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    begin, j, end = np.uint64(at), np.uint64(first), np.uint64(last)
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    while j + four <= end:
        a += v[begin + np.uint64(columns[j])] * entries[j]
        b += v[begin + np.uint64(columns[j + one])] * entries[j + one]
        c += v[begin + np.uint64(columns[j + two])] * entries[j + two]
        d += v[begin + np.uint64(columns[j + three])] * entries[j + three]
        j += four
    while j < end:
        a += v[begin + np.uint64(columns[j])] * entries[j]
        j += one
    return (a + b) + (c + d)


@inlined_as_written
def _skim(
    entries: FloatArray,
    columns: IntArray,
    ends: IntArray,
    codes: IntArray,
    v: FloatArray,
    intercept: float,
    scale: float,
    row: int,
) -> tuple[int, float]:
    """Return the next row that is not right for the only model, and its field."""
    while row < codes.size:
        h = _field(entries, columns, ends[row], ends[row + 1], v, 0)
        h = scale * (h + intercept)
        if not 0.0 < (h if codes[row] == 1 else -h) <= HUGE:
            return row, h
        row += 1
    return row, 0.0


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
    begin = np.uint64(at)
    for j in range(np.uint64(first), np.uint64(last)):
        v[begin + np.uint64(columns[j])] += gain * entries[j]


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
    quiet, lengths = plan[QUIET] != 0, plan[LENGTHS] != 0
    constant = numbers[CONSTANT]
    asked = not constant >= 0.0
    models, weighted = weights.shape
    size = float(weighted)
    bias = weighted > n
    v = weights.reshape(-1)
    scales, norms = np.ones(models), np.zeros(models)
    if lengths:
        for k in range(models):
            norms[k] = _square(v, k * weighted, (k + 1) * weighted)
    plain = quiet and models == 1 and order.size == 0 and portions.size == 0
    last = order.size if order.size else codes.size
    turn, h = 0, 0.0
    while turn < last:
        if plain:  # past the rows that are right, with nothing else to think of
            right, intercept = turn, v[n] if bias else 0.0
            turn, h = _skim(
                entries, columns, ends, codes, v, intercept, scales[0], turn
            )
            counts[0, EXAMPLES] += turn - right
            if turn == last:
                break
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
                if not plain:
                    h = _field(entries, columns, begin, end, v, at)
                    h = scales[k] * (h + (v[at + n] if bias else 0.0))
                y = 1.0 if code == (k if models > 1 else 1) else -1.0
                stability = y * h
                counts[k, EXAMPLES] += part
                if quiet and 0.0 < stability <= HUGE:
                    continue
                if lengths and x2 < 0.0:
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
                if not lengths or q > 0.0 or x2 > 0.0:
                    u = step(p)
                keep, gain = 1.0 - part * u.decay / size, part * u.gain
                if lengths:  # |keep w + gain x|^2, before anything moves
                    q = max(keep * (keep * q + 2.0 * gain * h) + gain * gain * x2, 0.0)
                if not abs(h) + x2 + q + gain * gain + abs(u.decay) <= HUGE:
                    for j in range(len(p)):
                        fault[j] = p[j]
                    if not lengths:
                        fault[_NORM2], fault[_INPUT2] = np.nan, np.nan  # unknown
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
        turn += 1
    odd = 0.0
    for k in range(models):
        for i in range(k * weighted, (k + 1) * weighted):
            v[i] *= scales[k]
            odd += v[i] * 0.0  # NaN if a weight is not finite
    return -1 if odd == 0.0 else int(order[last - 1] if order.size else last - 1)


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
