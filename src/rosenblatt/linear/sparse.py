r"""Learning of sparse rows by a rule without a shift: stored entries only.

Weights are kept as :math:`w = s v`, so that a decay changes the scale s alone, and
everything is computed in double precision. The squared length follows from the entries
that move; over long streams its rounding errors add up, at 1e-16 for each update.

Scalar sums are right here: to gather eight weights takes longer than to read them one
by one.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.compiling import inlined, types
from rosenblatt.compiling.jit import in_both_precisions, inlined_as_written
from rosenblatt.compiling.pointers import prefetch, rate_at, step_at
from rosenblatt.core import Clock, Percept, Update
from rosenblatt.core.types import HUGE, FloatArray, IntArray
from rosenblatt.linear.learner import EXAMPLES, MISTAKES, Learner, Settings, note_fault

# Scales outside are put into the weights: far enough for this to be rare, and no
# number of either factor gets near the ends of what double precision holds.
_SMALL, _LARGE = 1e-50, 1e50
_AHEAD = 400  # entries; flat around it


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


@inlined
def _prefetch(entries: FloatArray, columns: IntArray, first: int, last: int) -> None:
    """Fetch entries ahead of the row into the cache, a cache line at a time.

    Weights that do not fit into the first cache keep the processor from reading ahead
    by itself. Measured with 10 000 columns: a sixth of the time.
    """
    for j in range(first + _AHEAD, last + _AHEAD, 8):
        prefetch(entries, j)
    for j in range(first + _AHEAD, last + _AHEAD, 16):
        prefetch(columns, j)


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


@inlined
def _shrunk(v: FloatArray, at: int, weighted: int, scale: float, keep: float) -> float:
    """Return the scale after a decay; multiply the weights if it is far from 1."""
    scale *= keep
    if _SMALL < abs(scale) < _LARGE:
        return scale
    for i in range(at, at + weighted):
        v[i] *= scale
    return 1.0


def _learn_rows(
    entries: FloatArray,
    columns: types.ReadColumns,
    ends: types.ReadWholes,
    n: int,
    codes: types.ReadWholes,
    order: types.ReadWholes,
    portions: types.ReadVector,
    settings: Settings,
    learner: Learner,
    fault: types.Vector,
) -> int:
    """Return the row at which a number is no longer finite, or -1.

    The learner is written to as rows come.
    """
    weights, _, counts = learner
    step, rate = step_at(settings.step), rate_at(settings.rate)
    quiet, lengths, constant = settings.quiet, settings.lengths, settings.constant
    asked = not constant >= 0.0
    models, weighted = weights.shape
    size = float(weighted)
    bias = weighted > n
    v = weights.reshape(-1)
    scales, norms = np.ones(models), np.zeros(models)
    if lengths:
        for k in range(models):
            norms[k] = _square(v, k * weighted, (k + 1) * weighted)
    last = order.size if order.size else codes.size
    examples = counts[0, EXAMPLES]
    for turn in range(last):
        row = order[turn] if order.size else turn
        left = portions[turn] if portions.size else 1.0
        code = codes[row]
        begin, end = ends[row], ends[row + 1]
        _prefetch(entries, columns, begin, end)
        x2 = -1.0  # not known yet
        while left > 0.0:
            part = min(left, 1.0)
            left -= part
            examples += part
            for k in range(models):
                at = k * weighted
                h = _field(entries, columns, begin, end, v, at)
                h = scales[k] * (h + (v[at + n] if bias else 0.0))
                y = 1.0 if code == (k if models > 1 else 1) else -1.0
                stability = y * h
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
                    mistakes = counts[k, MISTAKES]
                    eta = rate(Clock(examples / size, mistakes / size, size))
                p = Percept(h, y, q / size, x2, eta, size, 0.0)
                u = Update(0.0, 0.0)
                if not lengths or q > 0.0 or x2 > 0.0:
                    u = step(p)
                keep, gain = 1.0 - part * u.decay / size, part * u.gain
                if lengths:  # |keep w + gain x|^2, before anything moves
                    q = max(keep * (keep * q + 2.0 * gain * h) + gain * gain * x2, 0.0)
                if not abs(h) + x2 + q + gain * gain + abs(u.decay) <= HUGE:
                    note_fault(p, u, lengths, fault)
                    return int(row)
                norms[k] = q
                if keep != 1.0:
                    scales[k] = _shrunk(v, at, weighted, scales[k], keep)
                if gain != 0.0:
                    gain /= scales[k]
                    _move(entries, columns, begin, end, v, at, gain)
                    if bias:
                        v[at + n] += gain
    odd = 0.0
    for k in range(models):
        counts[k, EXAMPLES] = examples
        for i in range(k * weighted, (k + 1) * weighted):
            v[i] *= scales[k]
            odd += v[i] * 0.0  # NaN if a weight is not finite
    return -1 if odd == 0.0 else int(order[last - 1] if order.size else last - 1)


learn_single, learn_double = in_both_precisions(_learn_rows, 1, allocates=True)
