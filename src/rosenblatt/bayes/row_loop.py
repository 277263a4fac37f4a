r"""Loops over rows: standardise, predict, learn.

Dense rows are learned by one loop for beliefs of all kinds. A change between examples
lets columns follow their rows, and uses what was estimated of the label law. It depends
on the number of examples alone. Sums of the columns include the row that comes next:
its inputs are known before its label is.

Rows that are mostly zero are learned by a loop of the diagonal filter. Columns are not
centred, so that zero stays zero, and only the entries that are not zero are touched.
The scale of a column begins as that of its first entry. The updates are those of
:mod:`rosenblatt.bayes.diagonal`, all in double precision.
"""

from __future__ import annotations

import rosenblatt.bayes.layout as layout
from rosenblatt.bayes import label_law
from rosenblatt.bayes import standardisation as scaling
from rosenblatt.bayes.belief import drift, nothing
from rosenblatt.bayes.layout import arrays_at
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.jit import in_both_precisions
from rosenblatt.compiling.pointers import (
    address_of,
    calling,
    function_at,
    pointer_to,
    prefetch,
)
from rosenblatt.core.types import FloatArray

# Bytes in a line of the cache, and how many entries ahead rows are asked for: the
# processor does not read ahead far enough by itself. Measured at 1000 columns: a fifth
# of the time.
_LINE, _AHEAD = 64, 768
_routine_at = calling(nothing)
_rescale_at = function_at(types.FunctionType(types.void(types.int64, types.float64)))


@inlined
def _last_use(clock: int) -> int:
    """Return when estimates were used before, or -1 if they are not to be used now."""
    if clock > 0 and scaling.next_change_in_kernels(clock - 1) != clock:
        return -1
    last, following = 0, 1
    while following < clock:
        last, following = following, scaling.next_change_in_kernels(following)
    return last if following == clock else -1


@kernel()
def change(place: int) -> None:
    """Change the standardisation, the noise and the belief before an example."""
    f = arrays_at(place)
    clock, slope = int(f.counts[layout.CLOCK]), 1.0
    scaling.change_columns(f, f.sparse != 0)
    last = _last_use(clock)
    if last >= 0:
        slope = label_law.use_estimates_in_kernels(
            f.statistics, f.noise, f.models, last / float(clock)
        )
    if clock > 0:  # the prior is the same in all units
        _rescale_at(f.rescale)(place, slope)


_change_at = calling(change)


def _learn(
    X: FloatArray,
    codes: types.ReadWholes,
    repeats: types.ReadVector,
    odds: types.Matrix,
    place: int,
) -> int:
    """Learn rows, with all changes; return the first that is not finite, or -1.

    A row is presented ``repeats`` times in succession, the last time perhaps in part.
    """
    f = arrays_at(place)
    start, predict = _routine_at(f.start), _routine_at(f.predict)
    learn, finish = _routine_at(f.learn), _routine_at(f.finish)
    learn_label = label_law.learn_label_at(f.learn_label)
    n, models, most, rows = f.features, f.models, f.block, len(X)
    forgets = f.numbers[layout.INPUT_HALF_LIFE] > 0.0
    clock, due = int(f.counts[layout.CLOCK]), int(f.counts[layout.NEXT_CHANGE])
    given, line = pointer_to(X), _LINE // X.itemsize
    row, done, status, changed = 0, 0, -1, 1.0
    while status == -1 and row < rows:
        # Rows up to the next change, each as often as it is presented.
        block, at_row, at_done, time, odd = 0, row, done, clock, 0.0
        while block < most and at_row < rows:
            for i in range(0, n, line):  # beyond the end nothing happens
                prefetch(given, at_row * n + _AHEAD + i)
            odd = scaling.standardise(f, given, at_row * n, block * f.weights)
            times = repeats[at_row] if repeats.size else 1.0
            learned = times > 0
            if odd != 0.0 or (learned and time == due):  # NaN too
                break
            added = learned and f.summed > 0 and (forgets or scaling.counts(time))
            f.shown[layout.SHOWN_ROW + block] = at_row
            f.shown[layout.LEARNED + block] = min(times - at_done, 1.0)
            f.shown[layout.ADDED + block] = 1.0 if added else 0.0
            f.shown[layout.WANTED + block] = 1.0 if at_done == 0 else 0.0
            time += 1 if learned else 0
            block, at_done = block + 1, at_done + 1
            if at_done >= times:
                at_row, at_done = at_row + 1, 0
        if block == 0:
            if odd != 0.0:
                status = row
            else:
                for i in range(n):
                    f.row[i] = given[row * n + i]
                _change_at(f.change)(place)
                due, changed = int(f.counts[layout.NEXT_CHANGE]), 1.0
            continue
        followed = block == most and at_row < rows and time < due
        f.shown[layout.IN_BLOCK] = block
        f.shown[layout.CHANGED_BEFORE] = changed
        f.shown[layout.READ_AFTER] = changed = 0.0 if followed else 1.0
        start(place, block)
        for b in range(block):
            at = int(f.shown[layout.SHOWN_ROW + b])
            learned = f.shown[layout.LEARNED + b] > 0.0
            predict(place, b)
            for k in range(models):
                if not abs(f.label[k]) + f.label[models + k] <= layout.HUGE:
                    return at
            odds_place = 0
            if odds.size and f.shown[layout.WANTED + b] > 0.0:
                odds_place = address_of(odds) + 8 * models * at
            f.counts[layout.POWER] = f.shown[layout.LEARNED + b]
            learn_label(place, codes[at] if learned else -1, odds_place)
            if learned:
                learn(place, b)
                clock += 1
                f.counts[layout.CLOCK] = clock
        finish(place, block)
        for b in range(block):
            if f.shown[layout.ADDED + b] > 0.0:
                scaling.add_row(f, given, int(f.shown[layout.SHOWN_ROW + b]) * n)
        row, done = at_row, at_done
    label_law.count_evidence(f)
    return status


learn_singles, learn_doubles = in_both_precisions(_learn, 2)
CHANGE_DUE = -2  # returned where the standardisation has to change before a row


@kernel()
def learn_sparse(
    entries: types.ReadVector,
    columns: types.ReadColumns,
    ends: types.ReadWholes,
    codes: types.ReadWholes,
    repeats: types.ReadVector,
    odds: types.Matrix,
    room: types.Vector,
    place: int,
) -> int:
    """Learn rows from where the state says, up to the next change.

    Row r has the entries from ``ends[r]`` up to ``ends[r + 1]``, and the longest row
    has ``room``. Return the first row that is not finite, -1 if all are learned, or
    CHANGE_DUE.
    """
    f = arrays_at(place)
    n, weights, models = f.features, f.weights, f.models
    count, clip = f.counts, f.numbers[layout.CLIP]
    m, v, seen = f.mean, f.belief, f.sums
    learn_label = label_law.learn_label_at(f.learn_label)
    row, done, rows = int(count[layout.ROW]), int(count[layout.DONE]), codes.size
    clock, due = int(count[layout.CLOCK]), int(count[layout.NEXT_CHANGE])
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
                f.inverse[i] = 1.0 / max(abs(entry), scaling.SMALLEST)
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
            if not abs(h) + a <= layout.HUGE:
                return row
            f.label[k], f.label[models + k] = h, a
        odds_place = 0
        if odds.size and done == 0:
            odds_place = address_of(odds) + 8 * models * row
        count[layout.POWER] = min(times - done, 1.0)
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
                far = min(max(entry * f.inverse[i], -scaling.REACH), scaling.REACH)
                seen[i] += 1.0 if entry != 0.0 else 0.0
                seen[n + i] += far * far
            count[layout.WEIGHT] += 1.0
            count[layout.CLOCK] = clock
            drift(f, models * weights)
            clock += 1
        done += 1
        if done >= times:
            row, done = row + 1, 0
    count[layout.CLOCK], count[layout.ROW], count[layout.DONE] = clock, row, done
    label_law.count_evidence(f)
    return status
