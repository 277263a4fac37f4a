r"""Changes of the standardisation of a full covariance.

In the new units :math:`z' = R z - s`, with ratios R on a diagonal and shifts s, the
likelihood is eq. (1) of :mod:`rosenblatt.bayes.kernels.changing`, and the prior is
what it was. So the prior of the weight :math:`w_i / R_i` is multiplied, and that of
:math:`w_i` is divided out. Both are about one direction, and one column after the other

.. math::
    V'_{ii} = V_{ii} / q, \qquad V'_{ij} = V_{ij} R_i / q, \qquad
    V'_{jk} = V_{jk} - \frac{1 - R_i^2}{q\, \mathrm{prior}} V_{ij} V_{ik}, \qquad
    q = R_i^2 + (1 - R_i^2) V_{ii} / \mathrm{prior},   \tag{1}

and the mean likewise. Blocks of columns take one matrix product. The precision that
labels give can be negative, and V' would then not be positive definite. So a column
with q below 0.1, and a ratio above 1, stays as it is. Eq. (1) is used with few weights,
where estimates are. With many, and where only the columns follow their rows, it is

.. math:: V'_{ij} = V_{ij} / \sqrt{q_i q_j}, \qquad m'_i = R_i m_i / q_i,   \tag{2}

which is exact without correlations, and if labels tell much more than the prior. The
shifts are handled exactly, in O(N^2). A new intercept is the old one plus
:math:`s \cdot w`, its prior is multiplied, and that of the old one is divided out. Both
are beliefs about one direction d with mean 0, so that, with + for the first,

.. math:: V' = V \mp \frac{V d\, d^T V}{\mathrm{prior} \pm d^T V d}, \qquad
    m' = m \mp \frac{V d\, (d \cdot m)}{\mathrm{prior} \pm d^T V d}.   \tag{3}
"""

from __future__ import annotations

import math

from rosenblatt.bayes.kernels.changing import columns_at
from rosenblatt.bayes.kernels.layout import (
    BELIEF,
    BLOCK_ROWS,
    CHANGE_COLUMNS,
    CLOCK,
    COUNTS,
    FEATURES,
    GEMM,
    MEAN,
    MODELS,
    NUMBERS,
    PRIOR,
    RATIOS,
    SHIFTS,
    SIZE,
    TURNING,
    WEIGHTS,
)
from rosenblatt.bayes.kernels.lower import mirror
from rosenblatt.bayes.kernels.passes import dot, turn_rows
from rosenblatt.bayes.standardisation import next_change_in_kernels
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.blas import product
from rosenblatt.compiling.pointers import pointer_at, table_at
from rosenblatt.core.types import FloatArray

__all__ = ["turn_full"]

# Up to so many weights eq. (1) is used. Measured in log-loss: eq. (2) instead costs
# 0.002 on small data sets of 4 to 61 columns, and nothing with more.
_FEW = 128
_SMALLEST = 0.1  # of q: a variance becomes at most 10 times larger
# Of q. The variance is next to the smallest number, after the scale of a constant
# column went to zero. A column whose scale then grows begins anew.
_LOST = 1e-290
_LEAST = 1e-9  # of the prior, that is left where that of the old intercept is


@inlined
def _restore(
    gemm: int,
    place: int,
    mean: FloatArray,
    size: int,
    prior: float,
    turn: FloatArray,
    work: int,
) -> None:
    """Write eq. (1) over the covariance at an address, and the mean.

    The work space is for three times ``BLOCK_ROWS`` rows.
    """
    V, some = pointer_at(place, size * size), BLOCK_ROWS * size
    # Rows of V that become those of V'; and rows before their turn, once times a factor
    rows, left = pointer_at(work, some), pointer_at(work + 8 * some, some)
    right = pointer_at(work + 16 * some, some)
    for first in range(0, size, BLOCK_ROWS):
        block = min(BLOCK_ROWS, size - first)
        for i in range(block * size):
            rows[i] = V[first * size + i]
        for b in range(block):
            own, ratio = b * size, turn[first + b]
            square = ratio * ratio
            q = square + (1.0 - square) * (rows[own + first + b] / prior)
            lost = ratio < 1.0 and not q > _LOST
            if lost or (ratio > 1.0 and q < _SMALLEST):
                ratio = square = q = 1.0
            gain, less = (1.0 - square) / (q * prior), ratio / q
            variance = rows[own + first + b] / q
            if lost:
                less, variance = 0.0, prior
            known = mean[first + b]
            for j in range(size):
                right[own + j] = rows[own + j]
                left[own + j] = gain * rows[own + j]
                mean[j] -= known * left[own + j]
            mean[first + b] = less * known
            for c in range(block):
                factor = right[own + first + c]
                if c != b:
                    for j in range(size):
                        rows[c * size + j] -= factor * left[own + j]
                    rows[c * size + first + b] = less * factor
                else:
                    for j in range(size):
                        rows[own + j] = less * right[own + j]
                    rows[own + first + b] = variance
        product(
            gemm, 1, size, size, block, -1.0, work + 8 * some, size, work + 16 * some,
            size, 1.0, place, size
        )  # fmt: skip
        for b in range(block):
            for j in range(size):
                V[(first + b) * size + j] = rows[b * size + j]
                V[j * size + first + b] = rows[b * size + j]


@inlined
def _scale_mean(
    V: FloatArray, mean: FloatArray, size: int, prior: float, turn: FloatArray
) -> None:
    """Move the mean by eq. (2), and turn ratios into the factors of the covariance.

    The factor of a column that begins anew is 0.
    """
    for i in range(size):
        ratio = turn[i]
        part = min(V[i * (size + 1)] / prior, 1.0)
        q = ratio * ratio + (1.0 - ratio * ratio) * part
        known = ratio > 0.0 and q > _LOST
        turn[i] = 1.0 / math.sqrt(q) if known else 0.0
        mean[i] *= ratio * turn[i] * turn[i]


@inlined
def _shift(
    V: FloatArray,
    mean: FloatArray,
    size: int,
    prior: float,
    turn: FloatArray,
    moved: FloatArray,
    scaled: FloatArray,
    e: FloatArray,
    u: FloatArray,
) -> None:
    """Move the intercept, which is last, by the weights times ``moved``: eq. (3).

    The mean and the last row of V are written. For other rows the vectors V d of the
    new and the old intercept are left in ``e`` and ``u``, times roots of the factors.
    """
    end, across, square = (size - 1) * size, 0.0, 0.0
    for i in range(size):
        scaled[i] = turn[i] * moved[i]
    for i in range(size):
        (part,) = dot(size, V, i * size, scaled, 0, 0.0)
        part = turn[i] * part if turn[i] > 0.0 else prior * moved[i]
        own = turn[i] * V[end + i]  # covariance with the old intercept
        e[i], u[i] = own + part, -own
        across += moved[i] * own
        square += moved[i] * part
        mean[size - 1] += moved[i] * mean[i]
    e[size - 1] += across + square
    u[size - 1] -= across
    first, turned, known = 1.0 / (prior + e[size - 1]), u[size - 1], mean[size - 1]
    length, field = prior, 0.0
    for i in range(size):
        u[i] -= first * turned * e[i]
        mean[i] -= first * known * e[i]
        way = moved[i] if i < size - 1 else -1.0
        length -= way * u[i]
        field += way * mean[i]
    second = 1.0 / length if length > _LEAST * prior else 0.0
    less, more = math.sqrt(first), math.sqrt(second)
    corner, old = less * e[size - 1], more * u[size - 1]
    for i in range(size):
        mean[i] += second * field * u[i]
        V[end + i] = e[i]
        e[i] *= less
        u[i] *= more
        V[end + i] += old * u[i] - corner * e[i]


@kernel(types.void, types.int64)
def turn_full(place: int) -> None:
    """Change columns and full covariances."""
    table = table_at(place, SIZE)
    slope = columns_at(table[CHANGE_COLUMNS])(place)
    clock = int(pointer_at(table[COUNTS], CLOCK + 1)[CLOCK])
    if clock == 0:  # the prior is the same in all units
        return
    n, weights = table[FEATURES], table[WEIGHTS]
    exact = weights <= _FEW and next_change_in_kernels(clock - 1) == clock
    prior = pointer_at(table[NUMBERS], PRIOR + 1)[PRIOR]
    shifts, ratios = pointer_at(table[SHIFTS], n), pointer_at(table[RATIOS], n)
    work, step = table[TURNING], 8 * weights
    turn, moved = pointer_at(work, weights), pointer_at(work + step, weights)
    e, u = pointer_at(work + 2 * step, weights), pointer_at(work + 3 * step, weights)
    scaled = pointer_at(work + 4 * step, weights)
    moved[weights - 1] = 0.0
    for i in range(n):
        moved[i] = shifts[i] if ratios[i] > 0.0 else 0.0
    for k in range(table[MODELS]):
        mean = pointer_at(table[MEAN] + 8 * k * weights, weights)
        own = table[BELIEF] + 8 * k * weights * weights
        V = pointer_at(own, weights * weights)
        for i in range(weights):
            turn[i] = ratios[i] if i < n else 1.0
            e[i] = u[i] = 0.0
        if exact:
            rest = work + 5 * step
            _restore(table[GEMM], own, mean, weights, prior, turn, rest)
            mirror(V, weights)
            for i in range(n):
                turn[i] = 1.0
        else:
            _scale_mean(V, mean, weights, prior, turn)
        if weights > n:
            _shift(V, mean, weights, prior, turn, moved, scaled, e, u)
        for i in range(0, n, 2):  # if there is no next one, the last one twice
            j = min(i + 1, n - 1)
            at, after = i * weights, j * weights
            turn_rows(
                weights, V, at, V, after, turn, 0, u, 0, e, 0, V, at, V, after,
                turn[i], u[i], e[i], turn[j], u[j], e[j]
            )  # fmt: skip
        for i in range(n):
            if turn[i] == 0.0:
                V[i * (weights + 1)] += prior
            if weights > n:
                V[i * weights + n] = V[n * weights + i]
        for i in range(weights):
            mean[i] *= slope
