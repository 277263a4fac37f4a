r"""Changes between examples: standardisation, noise and slope; and drifting weights.

A belief is the prior :math:`\mathcal N(0, \mathrm{prior}\, I)` times the likelihood of
the examples, :math:`\exp(\eta \cdot w - \tfrac12 w^T A\, w)`. In another
standardisation, :math:`z' = T z`, the field is the same function of the input if

.. math:: A' = T A T^T, \qquad \eta' = T \eta,   \tag{1}

and the prior is multiplied again as it was. Beliefs with one variance, or one for each
weight, keep the weights that give the same field, and of A the diagonal. For full
covariances see :mod:`rosenblatt.bayes.kernels.turning`.

The sums of the columns may forget rows with a half-life. Then there is a change after
every eighth of it, but after 32 rows at the earliest. A column whose scale was
forgotten begins anew. Noise and slope are estimated from all labels, and used at the
times of
:func:`~rosenblatt.bayes.standardisation.next_change` only.

Weights that drift, with the prior as what they drift to, lose a part of their variance
and gain as much of the prior's,

.. math:: m \leftarrow \sqrt{k}\, m, \qquad V \leftarrow k V + (1 - k)\,
    \mathrm{prior}\, I.   \tag{2}

Beliefs without correlations do it in pieces of an eighth of the half-life.
"""

from __future__ import annotations

import math

from rosenblatt.bayes.kernels.layout import (
    BELIEF,
    CENTER,
    CHANGE,
    CHANGE_COLUMNS,
    CHANGED,
    CLOCK,
    COUNTS,
    FEATURES,
    HALF_LIFE,
    INPUT_HALF_LIFE,
    INVERSE_SCALE,
    LABELS,
    MEAN,
    MODELS,
    NEXT_CHANGE,
    NOISE,
    NUMBERS,
    PIECE,
    PIECES,
    PRIOR,
    RATIOS,
    ROW_COPY,
    SHIFTS,
    SIZE,
    SPARSE,
    SPHERICAL,
    SUMS,
    WEIGHT,
    WEIGHTS,
)
from rosenblatt.bayes.label_law import STATISTICS, use_estimates_in_kernels
from rosenblatt.bayes.standardisation import (
    REACH,
    SMALLEST,
    follow,
    move,
    next_change,
    next_change_in_kernels,
)
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.pointers import doubles_at, function_at, pointer_at, table_at
from rosenblatt.core.types import FloatArray

__all__ = [
    "KNOWN",
    "change_before",
    "change_columns",
    "change_independent",
    "columns_at",
    "drift",
    "drift_piece",
    "following_change",
    "motion",
]

# A scale that shrinks more than this tells that all entries before were next to zero,
# and what is known of the weight is rounding.
KNOWN = 1e4
# Of a weight's variance that is left by one example. Less is lost in rounding, and this
# for each row of a block (kernels.full) is still a number to divide by.
_LEFT = 2.0**-60
# A column that was constant for many half-lives has a scale next to zero. Where so many
# rows, and this share of all, are out of reach of it, the column begins anew.
_AWAY_ROWS, _AWAY_SHARE = 2.5, 0.01
# A variance in the units of such a column may be next to zero, too. It counts as at
# least this, whose reciprocal times KNOWN squared is still a number.
_LEAST = 1e-290


def following_change(clock: int, piece: float) -> int:
    """Return the number of examples at which the next change is due."""
    return int(_sooner(next_change(clock), clock, piece))


def _sooner(change: int, clock: float, piece: float) -> float:
    """Return the example of the next change, early enough to forget in pieces."""
    return min(float(change), clock + piece) if piece > 0.0 else float(change)


_following = inlined(_sooner)


@inlined
def motion(numbers: FloatArray) -> tuple[float, float, float]:
    """Return k, (1 - k) prior and the root of k in eq. (2), for one example."""
    if not numbers[HALF_LIFE] > 0.0:
        return 1.0, 0.0, 1.0
    factor = max(0.5 ** (1.0 / numbers[HALF_LIFE]), _LEFT)
    return factor, (1.0 - factor) * numbers[PRIOR], math.sqrt(factor)


@inlined
def drift_piece(half_life: float) -> int:
    """Return the number of examples after which weights drift, if in pieces."""
    return int(max(1.0, half_life // PIECES))


@inlined
def drift(
    mean: FloatArray,
    weights: int,
    variance: FloatArray,
    variances: int,
    keep: float,
    prior: float,
) -> None:
    """Let weights drift: eq. (2) without correlations."""
    root, added = math.sqrt(keep), (1.0 - keep) * prior
    for i in range(weights):
        mean[i] *= root
    for i in range(variances):
        variance[i] = keep * variance[i] + added


@inlined
def _last_use(clock: int) -> int:
    """Return when estimates were used before, or -1 if they are not to be used now."""
    if clock > 0 and next_change_in_kernels(clock - 1) != clock:
        return -1
    last, following = 0, 1
    while following < clock:
        last, following = following, next_change_in_kernels(following)
    return last if following == clock else -1


@kernel(types.float64, types.int64)
def change_columns(place: int) -> float:
    """Standardise columns by their sums and the current row, and use the estimates.

    Shifts and ratios of the columns are left in the work space of the state. Return the
    slope that means are to be multiplied by.
    """
    table = table_at(place, SIZE)
    n = table[FEATURES]
    numbers = pointer_at(table[NUMBERS], PIECE + 1)
    counts = pointer_at(table[COUNTS], NEXT_CHANGE + 1)
    clock, keep, most = counts[CLOCK], 1.0, math.inf
    if numbers[INPUT_HALF_LIFE] > 0.0:
        most = max(_AWAY_ROWS, _AWAY_SHARE * counts[WEIGHT]) * REACH * REACH
        keep = 0.5 ** ((clock - counts[CHANGED]) / numbers[INPUT_HALF_LIFE])
    counts[WEIGHT] *= keep
    weight, sparse = counts[WEIGHT], table[SPARSE] != 0
    center = pointer_at(table[CENTER], n)
    inverse = pointer_at(table[INVERSE_SCALE], n)
    row, sums = pointer_at(table[ROW_COPY], n), pointer_at(table[SUMS], 2 * n)
    shifts, ratios = pointer_at(table[SHIFTS], n), pointer_at(table[RATIOS], n)
    for i in range(n):
        first, second = keep * sums[i], keep * sums[n + i]
        if sparse:
            place, unit = center[i], inverse[i]
            if second > 0.0:
                unit = min(unit * math.sqrt(first / second), 1.0 / SMALLEST)
        else:
            known = weight
            if sums[n + i] > most:
                first = second = known = 0.0
            place, unit = follow(first, second, known, center[i], inverse[i], row[i])
        shifts[i], ratios[i], sums[i], sums[n + i] = move(
            first, second, weight, center[i], inverse[i], place, unit, sparse
        )
        if not ratios[i] < KNOWN:
            ratios[i] = 0.0
        center[i], inverse[i] = place, unit
    slope, last = 1.0, _last_use(int(clock))
    if last >= 0:
        models = table[MODELS]
        slope = use_estimates_in_kernels(
            doubles_at(table[LABELS], models * STATISTICS),
            doubles_at(table[NOISE], models),
            last / clock,
        )
    counts[CHANGED] = clock
    counts[NEXT_CHANGE] = _following(
        next_change_in_kernels(int(clock)), clock, numbers[PIECE]
    )
    return slope


columns_at = function_at(types.FunctionType(types.float64(types.int64)))
_change_at = function_at(types.FunctionType(types.void(types.int64)))


@inlined
def change_before(place: int, rows: FloatArray, first: int) -> None:
    """Change a filter before a row, of which this is the first entry."""
    table = table_at(place, SIZE)
    n = table[FEATURES]
    row = pointer_at(table[ROW_COPY], n)
    for i in range(n):
        row[i] = rows[first + i]
    _change_at(table[CHANGE])(place)


@kernel(types.void, types.int64)
def change_independent(place: int) -> None:
    """Change a filter whose belief has one variance, or one for each weight."""
    table = table_at(place, SIZE)
    slope = columns_at(table[CHANGE_COLUMNS])(place)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    alike = table[SPHERICAL] != 0
    own = 1.0 / pointer_at(table[NUMBERS], PRIOR + 1)[PRIOR]
    shifts, ratios = pointer_at(table[SHIFTS], n), pointer_at(table[RATIOS], n)
    mean = pointer_at(table[MEAN], models * weights)
    belief = pointer_at(table[BELIEF], models if alike else models * weights)
    for k in range(models):
        at = k * weights
        moved, total, number = 0.0, 0.0, float(weights - n)
        for i in range(at, at + n):
            ratio = ratios[i - at]
            inverse = 1.0 / max(belief[k] if alike else belief[i], _LEAST)
            precision = max(inverse - own, 0.0) * ratio * ratio
            variance = 1.0 / (precision + own)
            mean[i] *= ratio * inverse * variance
            if ratio > 0.0:
                moved += mean[i] * shifts[i - at]
                number += 1.0
            mean[i] *= slope
            total += precision
            if not alike:
                belief[i] = variance
        for i in range(at + n, at + weights):  # the intercept, if there is one
            mean[i] = slope * (mean[i] + moved)
            inverse = 1.0 / max(belief[k] if alike else belief[i], _LEAST)
            precision = max(inverse - own, 0.0)
            total += precision
            if not alike:
                belief[i] = 1.0 / (precision + own)
        if alike:  # at first there may be none
            belief[k] = 1.0 / (total / max(number, 1.0) + own)
