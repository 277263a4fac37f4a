r"""Changes between examples: standardisation, forgetting, noise and slope.

A belief is the prior :math:`\mathcal N(0, \mathrm{prior}\, I)` times the likelihood of
the examples, :math:`\exp(\eta \cdot w - \tfrac12 w^T A\, w)`. In another
standardisation, :math:`z' = T z`, the field is the same function of the input if

.. math:: A' = T A T^T, \qquad \eta' = T \eta,   \tag{1}

and the prior is multiplied again as it was. A factor below 1 of A and :math:`\eta`
forgets. Beliefs with one variance, or one for each weight, keep the weights that give
the same field, and of A the diagonal. Kernels change these in the middle of their
loops: a filter that forgets soon changes after every few rows. Full covariances forget
with each row, the prior too, see :mod:`rosenblatt.filters.kernels.full`: a change gives
back what is missing of the prior.

Weights that drift, with the prior as what they drift to, lose a part of their variance
and gain as much of the prior's,

.. math:: m \leftarrow \sqrt{k}\, m, \qquad V \leftarrow k V + (1 - k)\,
    \mathrm{prior}\, I.   \tag{2}

Beliefs without correlations do it in pieces of an eighth of the half-life.
"""

from __future__ import annotations

import math

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.addresses import doubles_at, function_at
from rosenblatt.compiling.blas import invert
from rosenblatt.compiling.pointers import pointer_at, table_at
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.kernels.layout import (
    BELIEF,
    BLOCK_ROWS,
    CENTER,
    CHANGE_COLUMNS,
    CHANGED,
    CLOCK,
    COUNTS,
    FEATURES,
    HALF_LIFE,
    INVERSE_SCALE,
    LABELS,
    MATRICES,
    MEAN,
    MODELS,
    NEXT_CHANGE,
    NOISE,
    NUMBERS,
    PIECE,
    POTRF,
    POTRI,
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
from rosenblatt.filters.kernels.lower import mirror, multiply_lower, turn_lower
from rosenblatt.filters.label_law import STATISTICS, use_estimates_in_kernels
from rosenblatt.filters.standardisation import (
    SMALLEST,
    follow,
    move,
    next_change,
    next_change_in_kernels,
)

__all__ = [
    "KNOWN",
    "change_columns",
    "change_full",
    "change_independent",
    "drift",
    "drift_piece",
    "following_change",
    "piece_of",
]

# A scale that shrinks more than this tells that all entries before were next to zero,
# and what is known of the weight is rounding.
KNOWN = 1e4
_PIECES = 8.0  # a half-life is forgotten in so many pieces
# A full covariance forgets the prior too, up to a change after so many half-lives, or
# after a block of rows if that comes first: at least 84% of the prior are left.
_PRIOR_LIVES = 0.25


def piece_of(half_life: float, full: bool) -> float:
    """Return after how many examples a change forgets; 0 for a half-life without end.

    A full covariance forgets between changes too, and a change is for the prior.
    """
    if half_life <= 0.0:
        return 0.0
    piece = max(1.0, half_life // _PIECES)
    return max(piece, min(BLOCK_ROWS, _PRIOR_LIVES * half_life // 1)) if full else piece


def following_change(clock: int, piece: float) -> int:
    """Return the number of examples at which the next change is due."""
    return int(_sooner(next_change(clock), clock, piece))


def _sooner(change: int, clock: float, piece: float) -> float:
    """Return when to change, in time to forget in pieces."""
    return min(float(change), clock + piece) if piece > 0.0 else float(change)


_following = inlined(_sooner)


@inlined
def drift_piece(half_life: float) -> int:
    """Return after how many examples weights drift if they do it in pieces."""
    return int(max(1.0, half_life // _PIECES))


@inlined
def drift(
    mean: FloatArray, variance: FloatArray, size: int, keep: float, prior: float
) -> None:
    """Let so many weights drift: eq. (2) without correlations."""
    root, added = math.sqrt(keep), (1.0 - keep) * prior
    for i in range(size):
        mean[i] *= root
        variance[i] = keep * variance[i] + added


_PAIR = types.UniTuple(types.float64, 2)


@kernel(_PAIR, types.int64)
def change_columns(place: int) -> tuple[float, float]:
    """Standardise columns by their sums and the current row, and use the estimates.

    Shifts and ratios of the columns are left in the work space of the state. Return the
    part of the examples that is not forgotten, and the slope that means are to be
    multiplied by.
    """
    table = table_at(place, SIZE)
    n = table[FEATURES]
    numbers = pointer_at(table[NUMBERS], PIECE + 1)
    counts = pointer_at(table[COUNTS], NEXT_CHANGE + 1)
    clock, changed = counts[CLOCK], counts[CHANGED]
    half_life, keep = numbers[HALF_LIFE], 1.0
    if half_life > 0.0:
        keep = 0.5 ** ((clock - changed) / half_life)
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
            place, unit = follow(first, second, weight, center[i], inverse[i], row[i])
        shifts[i], ratios[i], sums[i], sums[n + i] = move(
            first, second, weight, center[i], inverse[i], place, unit, sparse
        )
        if not ratios[i] < KNOWN:
            ratios[i] = 0.0
        center[i], inverse[i] = place, unit
    models = table[MODELS]
    slope = use_estimates_in_kernels(
        doubles_at(table[LABELS], models * STATISTICS),
        doubles_at(table[NOISE], models),
        keep,
        changed / max(clock, 1.0),
    )
    counts[CHANGED] = clock
    counts[NEXT_CHANGE] = _following(
        next_change_in_kernels(int(clock)), clock, numbers[PIECE]
    )
    return keep, slope


_columns_at = function_at(types.FunctionType(_PAIR(types.int64)))


@kernel(types.void, types.int64)
def change_independent(place: int) -> None:
    """Change a filter whose belief has one variance, or one for each weight."""
    table = table_at(place, SIZE)
    keep, slope = _columns_at(table[CHANGE_COLUMNS])(place)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    alike = table[SPHERICAL] != 0
    own = 1.0 / pointer_at(table[NUMBERS], PRIOR + 1)[PRIOR]
    shifts, ratios = pointer_at(table[SHIFTS], n), pointer_at(table[RATIOS], n)
    mean = pointer_at(table[MEAN], models * weights)
    belief = pointer_at(table[BELIEF], models if alike else models * weights)
    for k in range(models):
        at = k * weights
        moved, total, number = 0.0, 0.0, float(weights - n)
        for i in range(n):
            ratio = ratios[i]
            inverse = 1.0 / (belief[k] if alike else belief[at + i])
            precision = max(inverse - own, 0.0) * ratio * ratio
            center = ratio * mean[at + i] * inverse / (precision + own)
            mean[at + i] = center
            if ratio > 0.0:
                moved += center * shifts[i]
                number += 1.0
            total += precision
            if not alike:
                belief[at + i] = precision
        for i in range(at + n, at + weights):  # the intercept, if there is one
            mean[i] += moved
            precision = max(1.0 / (belief[k] if alike else belief[i]) - own, 0.0)
            total += precision
            if not alike:
                belief[i] = precision
        if alike:
            belief[k] = total / max(number, 1.0)  # at first there may be none
        for i in range(at, at + weights):
            precision = belief[k] if alike else belief[i]
            variance = 1.0 / (keep * precision + own)
            mean[i] *= slope * (keep * (precision + own) * variance)
            if not alike:
                belief[i] = variance
        if alike:
            belief[k] = 1.0 / (keep * belief[k] + own)


@kernel(types.int64, types.int64, types.int64, types.float64, types.float64)
def change_full(place: int, first: int, keep: float, slope: float) -> int:
    """Change full covariances, from the ``first`` model on, after the columns: (1).

    What was learned has been forgotten already, and ``keep`` of the prior is left.

    Return -1, or the number of a model with a posterior that is not positive definite.
    Then the lower half of the precision A' is left in the work space, and after it the
    vector eta'.
    """
    table = table_at(place, SIZE)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    own = 1.0 / pointer_at(table[NUMBERS], PRIOR + 1)[PRIOR]
    shifts, ratios = pointer_at(table[SHIFTS], n), pointer_at(table[RATIOS], n)
    size = weights * weights
    work = table[MATRICES]
    precision, eta = pointer_at(work, size), pointer_at(work + 8 * size, weights)
    turn = pointer_at(work + 8 * (size + weights), weights)
    moved = pointer_at(work + 8 * (size + 2 * weights), weights)
    turn[weights - 1], moved[weights - 1] = 1.0, 0.0
    for i in range(n):
        turn[i] = ratios[i]
        moved[i] = shifts[i] if weights > n and ratios[i] > 0.0 else 0.0
    for k in range(first, models):
        mean = pointer_at(table[MEAN] + 8 * k * weights, weights)
        belief_place = table[BELIEF] + 8 * k * size
        belief = pointer_at(belief_place, size)
        for i in range(size):
            precision[i] = belief[i]
        invert(table[POTRF], table[POTRI], weights, work)
        multiply_lower(precision, mean, weights, eta)
        for i in range(weights):
            precision[i * (weights + 1)] -= keep * own
        turn_lower(precision, eta, weights, turn, moved)
        for i in range(size):
            belief[i] = precision[i]
        for i in range(weights):
            belief[i * (weights + 1)] += own
        if not invert(table[POTRF], table[POTRI], weights, belief_place):
            return k
        multiply_lower(belief, eta, weights, mean)
        for i in range(weights):
            mean[i] *= slope
        mirror(belief, weights)
    return -1
