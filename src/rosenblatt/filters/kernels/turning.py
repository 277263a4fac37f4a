r"""Changes of the standardisation of a full covariance.

In the new units :math:`z' = R z - s`, with ratios R on a diagonal and shifts s, the
likelihood is eq. (1) of :mod:`rosenblatt.filters.kernels.changing`, and the prior is
what it was. With few weights this is done as it stands, by two inversions
(:func:`change_full`), where estimates are used.

With many weights, and where only the columns follow their rows, the ratios are handled
by each weight's own variance: with :math:`q_i = R_i^2 + (1 - R_i^2) V_{ii} /
\mathrm{prior}`,

.. math:: V'_{ij} = V_{ij} / \sqrt{q_i q_j}, \qquad m'_i = R_i m_i / q_i,   \tag{1}

which is exact without correlations, and if labels tell much more than the prior. The
shifts are handled exactly, in O(N^2): a new intercept is the old one plus
:math:`s \cdot w`, its prior is multiplied, and that of the old one is divided out. Both
are beliefs about one direction d with mean 0, so that, with + for the first,

.. math:: V' = V \mp \frac{V d\, d^T V}{\mathrm{prior} \pm d^T V d}, \qquad
    m' = m \mp \frac{V d\, (d \cdot m)}{\mathrm{prior} \pm d^T V d}.   \tag{2}
"""

from __future__ import annotations

import math

from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.blas import invert
from rosenblatt.compiling.pointers import pointer_at, table_at
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.filters.kernels.changing import columns_at
from rosenblatt.filters.kernels.layout import (
    BELIEF,
    CHANGE,
    CHANGE_COLUMNS,
    CLOCK,
    COUNTS,
    FEATURES,
    MATRICES,
    MEAN,
    MODELS,
    NUMBERS,
    POTRF,
    POTRI,
    PRIOR,
    RATIOS,
    SHIFTS,
    SIZE,
    WEIGHTS,
)
from rosenblatt.filters.kernels.lower import mirror, multiply_lower, turn_lower
from rosenblatt.filters.standardisation import next_change_in_kernels

__all__ = ["FEW", "change_full", "restores_prior", "turn_full"]

# Up to so many weights the prior is restored by inversions. Measured in log-loss: eq.
# (1) instead costs 0.002 on small data sets of 4 to 61 columns, and nothing with more.
FEW = 128
_LEAST = 1e-9  # of the prior, that is left where that of the old intercept is


@inlined
def restores_prior(table: IntArray, clock: int) -> bool:
    """Return whether a change at that time is not by :func:`turn_full`."""
    if table[CHANGE] == 0:
        return True
    if table[WEIGHTS] > FEW or clock == 0:  # the prior is the same in all units
        return False
    return bool(next_change_in_kernels(clock - 1) == clock)


@inlined
def _scale(
    V: FloatArray, mean: FloatArray, size: int, prior: float, turn: FloatArray
) -> None:
    """Write eq. (1) over the lower half and the mean; ratios ``turn`` are replaced."""
    for i in range(size):
        ratio = turn[i]
        part = min(V[i * (size + 1)] / prior, 1.0)
        q = ratio * ratio + (1.0 - ratio * ratio) * part
        known = ratio > 0.0
        turn[i] = 1.0 / math.sqrt(q) if known else 0.0
        mean[i] *= ratio / q if known else 0.0
    for i in range(size):
        at, own = i * size, turn[i]
        for j in range(i + 1):
            V[at + j] *= own * turn[j]
        if own == 0.0:
            V[at + i] = prior


@inlined
def _shift(
    V: FloatArray,
    mean: FloatArray,
    size: int,
    prior: float,
    moved: FloatArray,
    e: FloatArray,
    u: FloatArray,
) -> None:
    """Move the intercept, which is last, by the weights times ``moved``: eq. (2)."""
    last = size - 1
    end = last * size
    for i in range(size):
        u[i] = 0.0
    multiply_lower(V, moved, size, u)  # moved has 0 for the intercept
    corner, turned = V[end + last] + 2.0 * u[last], 0.0
    for i in range(last):
        e[i] = V[end + i] + u[i]
        corner += moved[i] * u[i]
        turned += moved[i] * e[i]
        mean[last] += moved[i] * mean[i]
    e[last], turned = corner, turned - corner
    # The prior of the new intercept, direction e_last, and then that of the old one,
    # moved - e_last, on the covariance after the first.
    first, known = 1.0 / (prior + corner), mean[last]
    u[last] = turned + corner  # the next line subtracts it again
    length, field = prior, 0.0
    for i in range(size):
        u[i] -= e[i] + first * turned * e[i]
        mean[i] -= first * known * e[i]
        way = moved[i] if i < last else -1.0
        length -= way * u[i]
        field += way * mean[i]
    second = 1.0 / length if length > _LEAST * prior else 0.0
    for i in range(size):
        mean[i] += second * field * u[i]
        V[end + i] = e[i]
        less, more = first * e[i], second * u[i]
        for j in range(i + 1):
            V[i * size + j] += more * u[j] - less * e[j]


@kernel(types.void, types.int64)
def turn_full(place: int) -> None:
    """Change columns and full covariances, by eqs. (1) and (2)."""
    table = table_at(place, SIZE)
    slope = columns_at(table[CHANGE_COLUMNS])(place)
    if pointer_at(table[COUNTS], CLOCK + 1)[CLOCK] == 0.0:
        return
    n, weights = table[FEATURES], table[WEIGHTS]
    prior = pointer_at(table[NUMBERS], PRIOR + 1)[PRIOR]
    shifts, ratios = pointer_at(table[SHIFTS], n), pointer_at(table[RATIOS], n)
    work, step = table[MATRICES], 8 * weights
    turn, moved = pointer_at(work, weights), pointer_at(work + step, weights)
    e, u = (
        pointer_at(work + 2 * step, weights),
        pointer_at(work + 3 * step, weights),
    )
    moved[weights - 1] = 0.0
    for i in range(n):
        moved[i] = shifts[i] if ratios[i] > 0.0 else 0.0
    for k in range(table[MODELS]):
        mean = pointer_at(table[MEAN] + 8 * k * weights, weights)
        V = pointer_at(table[BELIEF] + 8 * k * weights * weights, weights * weights)
        turn[weights - 1] = 1.0
        for i in range(n):
            turn[i] = ratios[i]
        _scale(V, mean, weights, prior, turn)
        if weights > n:
            _shift(V, mean, weights, prior, moved, e, u)
        for i in range(weights):
            mean[i] *= slope
        mirror(V, weights)


@kernel(types.int64, types.int64, types.int64, types.float64)
def change_full(place: int, first: int, slope: float) -> int:
    """Change full covariances, from the ``first`` model on, after the columns.

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
            precision[i * (weights + 1)] -= own
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
