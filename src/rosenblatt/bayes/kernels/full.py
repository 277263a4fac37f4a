r"""The loop of the filter with a full covariance, in blocks of rows.

With slope g and curvature c of the label,

.. math::
    m \leftarrow m + V z\, g, \qquad V \leftarrow V - c\, V z z^T V.   \tag{1}

For a block of rows Z, :math:`U = Z V` and the Gram matrix :math:`G = U Z^T` are found
by two matrix products. The labels are learned in their order from G alone. Field i has
the variance :math:`G_{ii}`, and when row i is learned, fields and Gram matrix of later
rows become

.. math::
    h_j \leftarrow h_j + g_i G_{ij}, \qquad
    G_{jk} \leftarrow G_{jk} - c_i G_{ij} G_{ik}.   \tag{2}

With :math:`L_{ji} = c_i G_{ij}` before that, the rows :math:`V z_i` of eq. (1), each
with the covariance before it was learned, solve :math:`L U' = U` with ones on the
diagonal of L. One more product updates V. The result is that of one row after the
other, to rounding, and nearly all of the time is spent in matrix products.

After each row the weights may drift, :math:`m \leftarrow r m` and
:math:`V \leftarrow f V + s I`, with :math:`f = r^2 < 1` and
:math:`s = (1 - f)\, \mathrm{prior}`. Then

.. math::
    h_j \leftarrow r h_j, \qquad G_{jk} \leftarrow f G_{jk} + s\, z_j \cdot z_k,
    \tag{3}

follows eq. (2). Before row j, V is :math:`F_j V + S_j I` apart from the rows of the
block. So U has the rows :math:`F_j V z_j + S_j z_j` and L the factors :math:`F_j /
F_i`. At the end of the block row i counts :math:`F / F_i`.
"""

from __future__ import annotations

import math

from rosenblatt.bayes.kernels.changing import change_before, motion
from rosenblatt.bayes.kernels.labels import HUGE, count_evidence, learn_label_at
from rosenblatt.bayes.kernels.layout import (
    BELIEF,
    BLOCK_ROWS,
    CENTER,
    CLIP,
    CLOCK,
    COUNTS,
    FEATURES,
    GEMM,
    INPUT_HALF_LIFE,
    INVERSE_SCALE,
    LABEL_WORK,
    LEARN_LABEL,
    MATRICES,
    MEAN,
    MODELS,
    NEXT_CHANGE,
    NUMBERS,
    SIZE,
    SUMMED,
    SUMS,
    WEIGHT,
    WEIGHTS,
)
from rosenblatt.bayes.kernels.lower import invert_lower
from rosenblatt.bayes.kernels.passes import add_row, dot, standardise
from rosenblatt.bayes.standardisation import REACH, counts
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.blas import product
from rosenblatt.compiling.pointers import address_of, pointer_at, pointer_to, table_at
from rosenblatt.compiling.vector.products import multiply_rows
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["ROUNDING", "learn_full"]

ROUNDING = 2.0**-52  # of 1 - c a, which is positive
_whole = types.Array(types.int64, 1, "C", readonly=True)


@inlined
def _move_rows(
    u: FloatArray,
    first: int,
    wide: int,
    z: FloatArray,
    weights: int,
    block: int,
    grown: FloatArray,
) -> None:
    """Write the products of rows with the covariance before each of them."""
    for b in range(block):
        factor, added = grown[b], grown[BLOCK_ROWS + 1 + b]
        at, own = b * wide + first, b * weights
        for i in range(weights):
            u[at + i] = factor * u[at + i] + added * z[own + i]


@kernel(
    types.int64,
    types.Array(types.float64, 2, "C", readonly=True),
    _whole,
    _whole,
    types.float64[:, ::1],
    types.int64,
)
def learn_full(
    X: FloatArray, codes: IntArray, repeats: IntArray, odds: FloatArray, place: int
) -> int:
    """Learn rows, with all changes; return the first that is not finite, or -1."""
    table = table_at(place, SIZE)
    n, weights, models = table[FEATURES], table[WEIGHTS], table[MODELS]
    numbers = pointer_at(table[NUMBERS], INPUT_HALF_LIFE + 1)
    clip, summed = numbers[CLIP], table[SUMMED] > 0
    forgets = numbers[INPUT_HALF_LIFE] > 0.0
    count = pointer_at(table[COUNTS], NEXT_CHANGE + 1)
    center, inverse = pointer_at(table[CENTER], n), pointer_at(table[INVERSE_SCALE], n)
    sums = pointer_at(table[SUMS], table[SUMMED])
    work = pointer_at(table[LABEL_WORK], 4 * models)
    # Rows Z; then for each model U, U', G, the fields, slopes and
    # curvatures; then what is done with each row.
    size, wide = BLOCK_ROWS, models * weights
    z_place = table[MATRICES]
    u_place = z_place + 8 * size * weights
    w_place = u_place + 8 * size * wide
    g_place = w_place + 8 * size * wide
    z = pointer_at(z_place, size * weights)
    u, w = pointer_at(u_place, size * wide), pointer_at(w_place, size * wide)
    gram = pointer_at(g_place, models * size * size)
    f_place = g_place + 8 * models * size * size
    s_place = f_place + 8 * models * size
    fields = pointer_at(f_place, models * size)
    slopes = pointer_at(s_place, 2 * models * size)
    shown_place = g_place + 8 * models * size * (size + 3)
    shown = pointer_at(shown_place, 3 * size)
    # Products of rows with each other, later the inverse of L; factors and added
    # variance of the belief before each row and after the last, factors of the mean.
    k_place = shown_place + 24 * size
    inner = pointer_at(k_place, size * size)
    grown = pointer_at(k_place + 8 * size * size, 3 * (size + 1))
    factor, added, shrink = motion(numbers)
    moving = factor != 1.0
    clock, due = int(count[CLOCK]), int(count[NEXT_CHANGE])
    rows_at = pointer_to(X)
    row, done, rows = 0, 0, len(X)
    status = -1
    while status == -1 and row < rows:
        # Which rows are presented next, and which of them are learned.
        block, at_row, at_done, time, odd = 0, row, done, clock, 0.0
        while block < size and at_row < rows:
            (odd,) = standardise(
                n, rows_at, at_row * n, center, 0, inverse, 0, z, block * weights,
                clip, 0.0
            )  # fmt: skip
            times = repeats[at_row] if repeats.size else 1
            if odd != 0.0 or (times > 0 and time == due):  # NaN too
                break
            for i in range(n, weights):
                z[block * weights + i] = 1.0
            # The row; whether it is predicted, learned, or learned again; and added.
            kind = 0.0 if times == 0 else 1.0 if at_done == 0 else 2.0
            counted = times > 0 and summed and (forgets or counts(time))
            shown[block], shown[size + block] = at_row, kind
            shown[2 * size + block] = 1.0 if counted else 0.0
            time += 1 if times > 0 else 0
            block, at_done = block + 1, at_done + 1
            if at_done >= times:
                at_row, at_done = at_row + 1, 0
        if block == 0:
            if odd != 0.0:
                status = row
            else:
                count[CLOCK] = clock
                change_before(place, rows_at, row * n)
                due = int(count[NEXT_CHANGE])
            continue
        gemm = table[GEMM]
        product(
            gemm, 2, models, block, weights, 1.0, table[MEAN], weights, z_place,
            weights, 0.0, f_place, size
        )  # fmt: skip
        for k in range(models):
            own, square = u_place + 8 * k * weights, weights * weights
            V = pointer_at(table[BELIEF] + 8 * k * square, square)
            rows_u = pointer_at(own, size * wide)
            if block > 1:
                multiply_rows(
                    block, weights, weights, z, weights, V, weights, rows_u, wide
                )
            else:  # for a single row, what is made for eight takes three times as long
                for i in range(weights):
                    (rows_u[i],) = dot(weights, V, i * weights, z, 0, 0.0)
            product(
                gemm, 2, block, block, weights, 1.0, u_place + 8 * k * weights, wide,
                z_place, weights, 0.0, g_place + 8 * k * size * size, size
            )  # fmt: skip
        grown[0], grown[size + 1], grown[2 * size + 2] = 1.0, 0.0, 1.0
        for b in range(block):
            f, s, r = grown[b], grown[size + 1 + b], grown[2 * size + 2 + b]
            if shown[size + b] > 0.0:
                f, s, r = factor * f, factor * s + added, shrink * r
            grown[b + 1], grown[size + 2 + b], grown[2 * size + 3 + b] = f, s, r
        if added > 0.0:
            product(
                gemm, 2, block, block, weights, 1.0, z_place, weights, z_place, weights,
                0.0, k_place, size
            )  # fmt: skip
        for b in range(block):
            at, kind = int(shown[b]), shown[size + b]
            keep, new, left = 1.0, 0.0, 1.0
            if kind > 0.0:
                keep, new, left = factor, added, shrink
            for k in range(models):
                h, a = fields[k * size + b], gram[k * size * size + b * (size + 1)]
                if not abs(h) + a <= HUGE:
                    return at
                work[k], work[models + k] = h, max(a, 0.0)
            odds_place = 0
            if odds.size and kind < 2.0:
                odds_place = address_of(odds) + 8 * models * at
            learn_label_at(table[LEARN_LABEL])(
                place, codes[at] if kind > 0.0 else -1, odds_place
            )
            for k in range(models):
                slope, curvature = 0.0, 0.0
                if kind > 0.0:
                    slope, a = work[2 * models + k], work[models + k]
                    curvature = work[3 * models + k]
                    if curvature * a > 1.0 - ROUNDING:
                        curvature = (1.0 - ROUNDING) / a
                slopes[k * size + b] = slope
                slopes[(models + k) * size + b] = curvature
                own, back = k * size * size, 1.0 / grown[b]
                for j in range(b + 1, block):  # eqs. (2) and (3)
                    g = gram[own + b * size + j]
                    h = fields[k * size + j] + slope * g
                    fields[k * size + j] = left * h
                    part = curvature * g
                    gram[own + j * size + b] = part * grown[j] * back
                    for i in range(j, block):
                        g = gram[own + j * size + i] - part * gram[own + b * size + i]
                        gram[own + j * size + i] = keep * g + new * inner[j * size + i]
        for k in range(models):
            end, root = grown[block], grown[2 * size + 2 + block]
            if moving:
                _move_rows(u, k * weights, wide, z, weights, block, grown)
                for b in range(block):
                    slopes[k * size + b] *= root / grown[2 * size + 2 + b]
                    slopes[(models + k) * size + b] *= end / grown[b]
            invert_lower(gram, k * size * size, block, size, inner)
            own = w_place + 8 * k * weights
            product(
                gemm, 0, block, weights, block, 1.0, k_place, size,
                u_place + 8 * k * weights, wide, 0.0, own, wide
            )  # fmt: skip
            product(
                gemm, 0, 1, weights, block, 1.0, s_place + 8 * k * size, size, own,
                wide, root, table[MEAN] + 8 * k * weights, weights
            )  # fmt: skip
            other = own  # a copy with signs where labels can tell less than nothing
            for b in range(block):
                if slopes[(models + k) * size + b] < 0.0:
                    other = u_place + 8 * k * weights
            for b in range(block):
                curvature = slopes[(models + k) * size + b]
                scale, first = math.sqrt(abs(curvature)), b * wide + k * weights
                for i in range(first, first + weights):
                    w[i] *= scale
                if other != own:
                    scale = 1.0 if curvature > 0.0 else -1.0
                    for i in range(first, first + weights):
                        u[i] = scale * w[i]
            product(
                gemm, 1, weights, weights, block, -1.0, other, wide, own, wide, end,
                table[BELIEF] + 8 * k * weights * weights, weights
            )  # fmt: skip
            if added > 0.0:
                square = weights * weights
                belief = pointer_at(table[BELIEF] + 8 * k * square, square)
                for i in range(weights):
                    belief[i * (weights + 1)] += grown[size + 1 + block]
        for b in range(block):
            if shown[2 * size + b] > 0.0:
                add_row(
                    n, rows_at, int(shown[b]) * n, center, 0, inverse, 0, sums, 0,
                    sums, n, sums, 0, sums, n, REACH, 0.0
                )  # fmt: skip
                count[WEIGHT] += 1.0
        row, done, clock = at_row, at_done, time
    count[CLOCK] = clock
    count_evidence(table)
    return status
