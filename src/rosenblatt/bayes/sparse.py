r"""The loop of the diagonal filter on rows that are mostly zero.

Columns are not centred, so that zero stays zero, and only the entries that are not zero
are touched. The scale of a column begins as that of its first entry. The updates are
those of :mod:`rosenblatt.bayes.diagonal`, all in double precision.

"""

from __future__ import annotations

from rosenblatt.bayes.belief import drift
from rosenblatt.bayes.label_law import count_evidence, learn_label_at
from rosenblatt.bayes.standardisation import REACH, SMALLEST
from rosenblatt.bayes.table import (
    CLIP,
    CLOCK,
    DONE,
    HUGE,
    LEARN_LABEL,
    NEXT_CHANGE,
    POWER,
    ROW,
    SIZE,
    WEIGHT,
    arrays_at,
)
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.pointers import address_of, pointer_to, table_at
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["CHANGE_DUE", "learn_sparse"]

CHANGE_DUE = -2  # returned where the standardisation has to change before a row

_whole = types.Array(types.int64, 1, "C", readonly=True)


@kernel(
    types.int64,
    types.Array(types.float64, 1, "C", readonly=True),
    types.Array(types.int32, 1, "C", readonly=True),
    _whole,
    _whole,
    types.Array(types.float64, 1, "C", readonly=True),
    types.float64[:, ::1],
    types.float64[::1],
    types.int64,
)
def learn_sparse(
    entries: FloatArray,
    columns: IntArray,
    ends: IntArray,
    codes: IntArray,
    repeats: FloatArray,
    odds: FloatArray,
    room: FloatArray,
    place: int,
) -> int:
    """Learn rows from where the state says, up to the next change.

    Row r has the entries from ``ends[r]`` up to ``ends[r + 1]``, and the longest row
    has ``room``. Return the first row that is not finite, -1 if all are learned, or
    CHANGE_DUE.
    """
    f = arrays_at(place)
    n, weights, models, count, clip = (
        f.features,
        f.weights,
        f.models,
        f.counts,
        f.numbers[CLIP],
    )
    m, v, seen = f.mean, f.belief, f.sums
    learn_label = learn_label_at(table_at(place, SIZE)[LEARN_LABEL])
    row, done, rows = int(count[ROW]), int(count[DONE]), codes.size
    clock, due = int(count[CLOCK]), int(count[NEXT_CHANGE])
    z, column, given = pointer_to(room), pointer_to(columns), pointer_to(entries)
    status = -1
    while row < rows:
        times = repeats[row] if repeats.size else 1.0
        learned = times > 0
        if learned and clock == due:
            status = CHANGE_DUE
            break
        first, last = ends[row], ends[row + 1]
        odd = 0.0
        for j in range(first, last):
            i, entry = column[j], given[j]
            odd += entry * 0.0  # NaN if the entry is NaN or infinite
            if f.inverse[i] == 0.0 and entry != 0.0:
                f.inverse[i] = 1.0 / max(abs(entry), SMALLEST)
            z[j - first] = min(max(entry * f.inverse[i], -clip), clip)
        if odd != 0.0:
            return row
        for k in range(models):
            at, h, a = k * weights, 0.0, 0.0
            for j in range(first, last):
                i, value = at + column[j], z[j - first]
                h += m[i] * value
                a += v[i] * value * value
            for bias in range(at + n, at + weights):  # the intercept
                h += m[bias]
                a += v[bias]
            if not abs(h) + a <= HUGE:
                return row
            f.label[k], f.label[models + k] = h, a
        odds_place = 0
        if odds.size and done == 0:
            odds_place = address_of(odds) + 8 * models * row
        count[POWER] = min(times - done, 1.0)
        learn_label(place, codes[row] if learned else -1, odds_place)
        if learned:
            for k in range(models):
                at, slope = k * weights, f.label[2 * models + k]
                curvature = f.label[3 * models + k]
                for bias in range(at + n, at + weights):
                    step = v[bias]
                    m[bias] += slope * step
                    v[bias] -= curvature * step * step
                for j in range(first, last):
                    i = at + column[j]
                    step = v[i] * z[j - first]
                    m[i] += slope * step
                    v[i] -= curvature * step * step
            for j in range(first, last if f.summed > 0 else first):
                i, entry = column[j], given[j]
                far = min(max(entry * f.inverse[i], -REACH), REACH)
                seen[i] += 1.0 if entry != 0.0 else 0.0
                seen[n + i] += far * far
            count[WEIGHT] += 1.0
            count[CLOCK] = clock
            drift(f, models * weights)
            clock += 1
        done += 1
        if done >= times:
            row, done = row + 1, 0
    count[CLOCK], count[ROW], count[DONE] = clock, row, done
    count_evidence(f)
    return status
