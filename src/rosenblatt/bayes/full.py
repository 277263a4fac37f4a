r"""The belief with a covariance matrix, learned row by row or in blocks of rows.

With slope g and curvature c of the label,

.. math::
    m \leftarrow m + V z\, g, \qquad V \leftarrow V - c\, V z z^T V.   \tag{1}

A covariance of few weights fits into the first cache. It is read and written faster
than products of matrices are called, in rows that are padded to vector registers. Else,
for a block of rows Z, :math:`U = Z V` and the Gram matrix :math:`G = U Z^T` are found
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

In new units :math:`z' = R z - s`, with ratios R on a diagonal and shifts s, the
likelihood is eq. (1) of :mod:`rosenblatt.bayes.belief`, and the prior is
what it was. So the prior of the weight :math:`w_i / R_i` is multiplied, and that of
:math:`w_i` is divided out. Both are about one direction, and one column after the other

.. math::
    V'_{ii} = V_{ii} / q, \qquad V'_{ij} = V_{ij} R_i / q, \qquad
    V'_{jk} = V_{jk} - \frac{1 - R_i^2}{q\, \mathrm{prior}} V_{ij} V_{ik}, \qquad
    q = R_i^2 + (1 - R_i^2) V_{ii} / \mathrm{prior},   \tag{4}

and the mean likewise. Blocks of columns take one matrix product. The precision that
labels give can be negative, and V' would then not be positive definite. So a column
with q below 0.1, and a ratio above 1, stays as it is. Eq. (4) is used with few weights,
where estimates are. With many, and where only the columns follow their rows, it is

.. math:: V'_{ij} = V_{ij} / \sqrt{q_i q_j}, \qquad m'_i = R_i m_i / q_i,   \tag{5}

which is exact without correlations, and if labels tell much more than the prior. The
shifts are handled exactly, in O(N^2). A new intercept is the old one plus
:math:`s \cdot w`, its prior is multiplied, and that of the old one is divided out. Both
are beliefs about one direction d with mean 0, so that, with + for the first,

.. math:: V' = V \mp \frac{V d\, d^T V}{\mathrm{prior} \pm d^T V d}, \qquad
    m' = m \mp \frac{V d\, (d \cdot m)}{\mathrm{prior} \pm d^T V d}.   \tag{6}
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from scipy.linalg import lapack

import rosenblatt.bayes.layout as layout
from rosenblatt.bayes.belief import Belief, Likelihood, Routines
from rosenblatt.bayes.layout import MOST_ROWS, arrays_at, part
from rosenblatt.bayes.standardisation import next_change_in_kernels
from rosenblatt.compiling import inlined, kernel, matrices
from rosenblatt.compiling.blas import product
from rosenblatt.compiling.pointers import address_of, pointer_at
from rosenblatt.core.types import FloatArray, IntArray

# With more weights blocks are faster: measured. Blocks need some columns.
MOST_WEIGHTS = 40
assert MOST_WEIGHTS >= matrices.FEWEST_COLUMNS
_ROUNDING = 2.0**-52  # of 1 - c a, which is positive
# Of a weight's variance that is left by one example. Less is lost in rounding, and this
# for each row of a block is still a number to divide by.
_LEFT = 2.0**-60
# Up to so many weights eq. (4) is used. Measured in log-loss: eq. (5) instead costs
# 0.002 on small data sets of 4 to 61 columns, and nothing with more.
_FEW = 128
_SMALLEST = 0.1  # of q: a variance becomes at most 10 times larger
# Of q. The variance is next to the smallest number, after the scale of a constant
# column went to zero. A column whose scale then grows begins anew.
_LOST = 1e-290
_LEAST = 1e-9  # of the prior, that is left where that of the old intercept is
_SIDE = 16  # of squares that are copied, two lines of the cache


@inlined
def _motion(numbers: FloatArray) -> tuple[float, float, float]:
    """Return f, s and r of eq. (3)."""
    factor = max(numbers[layout.KEPT], _LEFT)
    return factor, (1.0 - factor) * numbers[layout.PRIOR], math.sqrt(factor)


@inlined
def _product_of(a: FloatArray, first: int, b: FloatArray, begin: int, n: int) -> float:
    """Return the product of two vectors."""
    total = 0.0
    for i in range(n):
        total += a[first + i] * b[begin + i]
    return total


@inlined
def _bounded(curvature: float, variance: float) -> float:
    """Return a curvature that leaves a positive variance."""
    if curvature * variance > 1.0 - _ROUNDING:
        return (1.0 - _ROUNDING) / variance
    return curvature


# Few weights: padded covariances, then the product V z of each model.


def _padded_size(weights: int) -> int:
    return (weights + matrices.LANES - 1) // matrices.LANES * matrices.LANES


_padded = inlined(_padded_size)


@inlined
def _copy(place: int, inside: bool) -> None:
    """Copy the covariances to padded rows, or back; the padding stays 0."""
    f = arrays_at(place)
    wide = _padded(f.weights)
    V = part(f.work, 0, f.models * f.weights * wide)
    for row in range(f.models * f.weights):
        at, own = row * wide, row * f.weights
        if inside:
            for i in range(f.weights):
                V[at + i] = f.belief[own + i]
        else:
            for i in range(f.weights):
                f.belief[own + i] = V[at + i]


@kernel()
def _start_few(place: int, rows: int) -> None:
    if arrays_at(place).shown[layout.CHANGED_BEFORE] > 0.0:
        _copy(place, True)


@kernel()
def _finish_few(place: int, rows: int) -> None:
    if arrays_at(place).shown[layout.READ_AFTER] > 0.0:
        _copy(place, False)


@kernel()
def _predict_few(place: int, row: int) -> None:
    f = arrays_at(place)
    n = f.weights
    wide = _padded(n)
    z = part(f.rows, row * n, n)
    for k in range(f.models):
        V = part(f.work, k * n * wide, n * wide)
        u = part(f.work, (f.models * n + k) * wide, wide)
        matrices.multiply_symmetric(V, z, u, n)
        a = _product_of(u, 0, z, 0, n)
        f.label[k] = _product_of(f.mean, k * n, z, 0, n)
        f.label[f.models + k] = 0.0 if a < 0.0 else a


@kernel()
def _learn_few(place: int, row: int) -> None:
    """Learn eq. (1)."""
    f = arrays_at(place)
    n = f.weights
    wide = _padded(n)
    factor, added, shrink = _motion(f.numbers)
    for k in range(f.models):
        V = part(f.work, k * n * wide, n * wide)
        u = part(f.work, (f.models * n + k) * wide, wide)
        slope, curvature = f.label[2 * f.models + k], f.label[3 * f.models + k]
        curvature = _bounded(curvature, f.label[f.models + k])
        root = math.sqrt(abs(curvature) * factor)
        for i in range(n):
            f.mean[k * n + i] = (f.mean[k * n + i] + u[i] * slope) * shrink
            u[i] *= root
        matrices.update_symmetric(V, u, 1.0 if curvature > 0.0 else -1.0, factor, n)
        if added > 0.0:
            for i in range(n):
                V[i * (wide + 1)] += added


# Many weights: for each model U, U', G, the fields, slopes and curvatures. Then
# products of rows with each other, later the inverse of L. Then factors and added
# variance of the belief before each row and after the last, and factors of the mean.


def _room(weights: int, models: int) -> int:
    """Return the numbers in the work space of a block."""
    own = 2 * weights + MOST_ROWS + 3  # for each model and row
    return MOST_ROWS * (models * own + MOST_ROWS + 3) + 3


@inlined
def _places(place: int) -> tuple[int, int, int, int, int, int, int]:
    """Return where U, U', G, fields, slopes, products and factors begin."""
    f = arrays_at(place)
    u = address_of(f.work)
    wide, size = f.models * f.weights, f.models * MOST_ROWS
    w = u + 8 * MOST_ROWS * wide
    gram = w + 8 * MOST_ROWS * wide
    fields = gram + 8 * size * MOST_ROWS
    slopes = fields + 8 * size
    inner = slopes + 16 * size
    return u, w, gram, fields, slopes, inner, inner + 8 * MOST_ROWS * MOST_ROWS


@kernel()
def _start_many(place: int, block: int) -> None:
    """Find U, G and the fields by matrix products."""
    f = arrays_at(place)
    n, size, wide = f.weights, MOST_ROWS, f.models * f.weights
    u_place, _, g_place, h_place, s_place, k_place, f_place = _places(place)
    gemm, z_place = f.gemm, address_of(f.rows)
    slopes = pointer_at(s_place, 2 * f.models * size)
    grown = pointer_at(f_place, 3 * (size + 1))
    for i in range(2 * f.models * size):
        slopes[i] = 0.0
    product(
        gemm, 2, f.models, block, n, 1.0, address_of(f.mean), n, z_place, n, 0.0,
        h_place, size
    )  # fmt: skip
    for k in range(f.models):
        V = part(f.belief, k * n * n, n * n)
        own = u_place + 8 * k * n
        u = pointer_at(own, size * wide)
        if block > 1:
            matrices.multiply_rows(block, n, n, f.rows, n, V, n, u, wide)
        else:  # for a single row, what is made for eight takes three times as long
            for i in range(n):
                u[i] = _product_of(V, i * n, f.rows, 0, n)
        product(
            gemm, 2, block, block, n, 1.0, own, wide, z_place, n, 0.0,
            g_place + 8 * k * size * size, size
        )  # fmt: skip
    factor, added, shrink = _motion(f.numbers)
    grown[0], grown[size + 1], grown[2 * size + 2] = 1.0, 0.0, 1.0
    for b in range(block):
        F, s, r = grown[b], grown[size + 1 + b], grown[2 * size + 2 + b]
        if f.shown[layout.LEARNED + b] > 0.0:
            F, s, r = factor * F, factor * s + added, shrink * r
        grown[b + 1], grown[size + 2 + b], grown[2 * size + 3 + b] = F, s, r
    if added > 0.0:
        product(
            gemm, 2, block, block, n, 1.0, z_place, n, z_place, n, 0.0, k_place, size
        )  # fmt: skip


@kernel()
def _predict_many(place: int, row: int) -> None:
    f = arrays_at(place)
    _, _, g_place, h_place, _, _, _ = _places(place)
    fields = pointer_at(h_place, f.models * MOST_ROWS)
    gram = pointer_at(g_place, f.models * MOST_ROWS * MOST_ROWS)
    for k in range(f.models):
        a = gram[k * MOST_ROWS * MOST_ROWS + row * (MOST_ROWS + 1)]
        f.label[k] = fields[k * MOST_ROWS + row]
        f.label[f.models + k] = 0.0 if a < 0.0 else a


@kernel()
def _learn_many(place: int, row: int) -> None:
    """Learn eqs. (2) and (3)."""
    f = arrays_at(place)
    size, models = MOST_ROWS, f.models
    _, _, g_place, h_place, s_place, k_place, f_place = _places(place)
    fields = pointer_at(h_place, models * size)
    slopes = pointer_at(s_place, 2 * models * size)
    gram = pointer_at(g_place, models * size * size)
    inner = pointer_at(k_place, size * size)
    grown = pointer_at(f_place, 3 * (size + 1))
    factor, added, shrink = _motion(f.numbers)
    block = int(f.shown[layout.IN_BLOCK])
    for k in range(models):
        slope = f.label[2 * models + k]
        curvature = _bounded(f.label[3 * models + k], f.label[models + k])
        slopes[k * size + row] = slope
        slopes[(models + k) * size + row] = curvature
        own, back = k * size * size, 1.0 / grown[row]
        for j in range(row + 1, block):
            g = gram[own + row * size + j]
            fields[k * size + j] = shrink * (fields[k * size + j] + slope * g)
            share = curvature * g
            gram[own + j * size + row] = share * grown[j] * back
            for i in range(j, block):
                g = gram[own + j * size + i] - share * gram[own + row * size + i]
                gram[own + j * size + i] = factor * g + added * inner[j * size + i]


@inlined
def _invert_lower(lower: FloatArray, first: int, size: int, result: FloatArray) -> None:
    """Write the inverse of a lower matrix with ones on its diagonal, zeros above it.

    A matrix product with it is faster than to solve for each column. The matrix begins
    at entry ``first``.
    """
    for j in range(size):
        at = j * MOST_ROWS
        for i in range(size):
            result[at + i] = 1.0 if i == j else 0.0
        for b in range(j):
            share = lower[first + at + b]
            for i in range(b + 1):
                result[at + i] -= share * result[b * MOST_ROWS + i]


@kernel()
def _finish_many(place: int, block: int) -> None:
    """Move mean and covariance by all rows of the block."""
    f = arrays_at(place)
    n, size, models, wide = f.weights, MOST_ROWS, f.models, f.models * f.weights
    u_place, w_place, g_place, _, s_place, k_place, f_place = _places(place)
    u, w = pointer_at(u_place, size * wide), pointer_at(w_place, size * wide)
    gram = pointer_at(g_place, models * size * size)
    slopes = pointer_at(s_place, 2 * models * size)
    inner = pointer_at(k_place, size * size)
    grown = pointer_at(f_place, 3 * (size + 1))
    gemm, added = f.gemm, grown[size + 1 + block]
    end, root = grown[block], grown[2 * size + 2 + block]
    for k in range(models):
        square, first = k * size * size, k * n
        for b in range(block):
            if not f.shown[layout.LEARNED + b] > 0.0:
                for j in range(b + 1, block):
                    gram[square + j * size + b] = 0.0
            if end != 1.0:
                F, s = grown[b], grown[size + 1 + b]
                for i in range(n):
                    at = b * wide + first + i
                    u[at] = F * u[at] + s * f.rows[b * n + i]
                slopes[k * size + b] *= root / grown[2 * size + 2 + b]
                slopes[(models + k) * size + b] *= end / F
        _invert_lower(gram, square, block, inner)
        own, other = w_place + 8 * first, u_place + 8 * first
        product(
            gemm, 0, block, n, block, 1.0, k_place, size, other, wide, 0.0, own, wide
        )
        product(
            gemm, 0, 1, n, block, 1.0, s_place + 8 * k * size, size, own, wide, root,
            address_of(f.mean) + 8 * first, n
        )  # fmt: skip
        for b in range(block):
            # Label noise can make the likelihood's precision indefinite: a copy has
            # the signs of the curvatures.
            curvature = slopes[(models + k) * size + b]
            scale, at = math.sqrt(abs(curvature)), b * wide + first
            sign = scale if curvature > 0.0 else -scale
            for i in range(at, at + n):
                u[i] = sign * w[i]
                w[i] *= scale
        V = part(f.belief, k * n * n, n * n)
        product(
            gemm, 1, n, n, block, -1.0, other, wide, own, wide, end,
            address_of(f.belief) + 8 * k * n * n, n
        )  # fmt: skip
        if added > 0.0:
            for i in range(n):
                V[i * (n + 1)] += added


# Rescaling.


@inlined
def _restore(
    gemm: int,
    place: int,
    mean: FloatArray,
    size: int,
    prior: float,
    scale: FloatArray,
    work: int,
) -> None:
    """Write eq. (4) over the covariance at an address, and the mean.

    The work space is for three times ``MOST_ROWS`` rows.
    """
    V, some = pointer_at(place, size * size), MOST_ROWS * size
    # Rows of V that become those of V'; and rows before that, once times a factor
    rows, left = pointer_at(work, some), pointer_at(work + 8 * some, some)
    right = pointer_at(work + 16 * some, some)
    for first in range(0, size, MOST_ROWS):
        block = min(MOST_ROWS, size - first)
        for i in range(block * size):
            rows[i] = V[first * size + i]
        for b in range(block):
            own, ratio = b * size, scale[first + b]
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
    for first in range(0, size, _SIDE):  # the lower half to the upper one, in squares
        for begin in range(0, first + 1, _SIDE):
            for i in range(first, min(first + _SIDE, size)):
                for j in range(begin, min(begin + _SIDE, i)):
                    V[j * size + i] = V[i * size + j]


@inlined
def _scale_mean(
    V: FloatArray, mean: FloatArray, size: int, prior: float, scale: FloatArray
) -> None:
    """Move the mean by eq. (5), and make ratios the factors of the covariance.

    The factor of a column that begins anew is 0.
    """
    for i in range(size):
        ratio = scale[i]
        share = min(V[i * (size + 1)] / prior, 1.0)
        q = ratio * ratio + (1.0 - ratio * ratio) * share
        known = ratio > 0.0 and q > _LOST
        scale[i] = 1.0 / math.sqrt(q) if known else 0.0
        mean[i] *= ratio * scale[i] * scale[i]


@inlined
def _shift(
    V: FloatArray,
    mean: FloatArray,
    size: int,
    prior: float,
    scale: FloatArray,
    moved: FloatArray,
    scaled: FloatArray,
    e: FloatArray,
    u: FloatArray,
) -> None:
    """Move the intercept, which is last, by the weights times ``moved``: eq. (6).

    The mean and the last row of V are written. For other rows the vectors V d of the
    new and the old intercept are left in ``e`` and ``u``, times roots of the factors.
    """
    end, across, square = (size - 1) * size, 0.0, 0.0
    for i in range(size):
        scaled[i] = scale[i] * moved[i]
    for i in range(size):
        share = _product_of(V, i * size, scaled, 0, size)
        share = scale[i] * share if scale[i] > 0.0 else prior * moved[i]
        own = scale[i] * V[end + i]  # covariance with the old intercept
        e[i], u[i] = own + share, -own
        across += moved[i] * own
        square += moved[i] * share
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


@kernel()
def _rescale(place: int, slope: float) -> None:
    f = arrays_at(place)
    clock, n, weights = int(f.counts[layout.CLOCK]), f.features, f.weights
    exact = weights <= _FEW and next_change_in_kernels(clock - 1) == clock
    prior = f.numbers[layout.PRIOR]
    scale = part(f.work, 0, weights)
    moved = part(f.work, weights, weights)
    e = part(f.work, 2 * weights, weights)
    u = part(f.work, 3 * weights, weights)
    scaled = part(f.work, 4 * weights, weights)
    moved[weights - 1] = 0.0
    for i in range(n):
        moved[i] = f.shifts[i] if f.ratios[i] > 0.0 else 0.0
    for k in range(f.models):
        mean = part(f.mean, k * weights, weights)
        own = address_of(f.belief) + 8 * k * weights * weights
        V = pointer_at(own, weights * weights)
        for i in range(weights):
            scale[i] = f.ratios[i] if i < n else 1.0
            e[i] = u[i] = 0.0
        if exact:
            rest = address_of(f.work) + 40 * weights
            _restore(f.gemm, own, mean, weights, prior, scale, rest)
            for i in range(n):
                scale[i] = 1.0
        else:
            _scale_mean(V, mean, weights, prior, scale)
        if weights > n:
            _shift(V, mean, weights, prior, scale, moved, scaled, e, u)
        for i in range(n):
            at, by, more, less = i * weights, scale[i], u[i], e[i]
            for j in range(weights):
                V[at + j] = V[at + j] * (scale[j] * by) + u[j] * more - e[j] * less
        for i in range(n):
            if scale[i] == 0.0:
                V[i * (weights + 1)] += prior
            if weights > n:
                V[i * weights + n] = V[n * weights + i]
        for i in range(weights):
            mean[i] *= slope


@kernel()
def _fields(
    mean: int, belief: int, weights: int, entries: int, rows: int, result: int
) -> None:
    m, V = pointer_at(mean, weights), pointer_at(belief, entries)
    z = pointer_at(rows, weights * matrices.SIDE_BY_SIDE)
    matrices.forms(m, V, z, pointer_at(result, 2 * matrices.SIDE_BY_SIDE), weights)


def inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse of a symmetric matrix; raise an error if not positive.

    Examples
    --------
    >>> inverse(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    root, fault = lapack.dpotrf(matrix.T, lower=False, clean=True)
    if fault:
        raise np.linalg.LinAlgError("matrix must be positive definite")
    found, _ = lapack.dpotri(root, lower=False, overwrite_c=True)
    above = np.triu(found, 1)
    return np.asarray(above + above.T + np.diag(found.diagonal()), order="C")


def _rescaled(
    mean: FloatArray,
    covariance: FloatArray,
    prior: float,
    scale: FloatArray,
    shift: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Return shift and precision T A T^T, for T with scale and shift in its entries."""
    precision = inverse(covariance)
    product = precision @ mean
    np.einsum("ii->i", precision)[:] -= 1.0 / prior
    last = precision[-1].copy()
    precision *= scale[:, None]
    precision *= scale
    moved = np.zeros(scale.size)  # without an intercept nothing takes the shift
    if shift.size < scale.size:
        moved[:-1] = shift
    cross = np.outer(moved, scale * last)
    precision -= cross + cross.T
    precision += np.outer(moved, moved) * last[-1]
    return scale * product - moved * product[-1], precision


_NEAR = 1e-6  # of a covariance that is symmetric but for rounding


class Full(Belief):
    """A covariance matrix of the weights of each model."""

    name = "full"
    fields: ClassVar = staticmethod(_fields)

    def shape(self, weights: int) -> tuple[int, ...]:
        """Return the shape of a model's belief."""
        return weights, weights

    def prior(self, models: int, weights: int, variance: float) -> FloatArray:
        """Return the belief before any example."""
        return np.tile(variance * np.eye(weights), (models, 1, 1))

    def possible(self, belief: FloatArray) -> bool:
        """Return whether matrices are symmetric, and the variance of each sum > 0."""
        variances = np.diagonal(belief, axis1=1, axis2=2)
        if not (variances > 0.0).all():
            return False
        size = np.sqrt(variances)
        correlations = belief / size[:, :, None] / size[:, None, :]
        apart = np.abs(correlations - correlations.transpose(0, 2, 1)).max()
        if np.abs(correlations).max() > 1.0 + _NEAR or apart > _NEAR:
            return False
        try:
            np.linalg.cholesky(correlations)
        except np.linalg.LinAlgError:
            return False
        return True

    def routines(self, models: int, weights: int) -> Routines:
        """Return the routines that learn few weights, or many."""
        own = weights * (3 * MOST_ROWS + 5)  # to rescale
        if weights > MOST_WEIGHTS:
            return Routines(
                _predict_many, _learn_many, _rescale, _start_many, _finish_many,
                MOST_ROWS, max(own, _room(weights, models)), True
            )  # fmt: skip
        few = _padded_size(weights) * models * (weights + 1)
        return Routines(
            _predict_few, _learn_few, _rescale, _start_few, _finish_few,
            MOST_ROWS, max(own, few), True
        )  # fmt: skip

    def variances(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the variance of each weight."""
        return np.diagonal(belief, axis1=1, axis2=2).copy()

    def precisions(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the diagonal of the inverse of the covariance."""
        return np.diagonal(np.linalg.inv(belief), axis1=1, axis2=2)

    def times(self, belief: FloatArray, vectors: FloatArray) -> FloatArray:
        """Return the product of the covariance and a vector, for each model."""
        each = np.broadcast_to(vectors, belief.shape[:2])
        return np.asarray(np.einsum("kij,kj->ki", belief, each))

    def solve(self, belief: FloatArray, vectors: FloatArray) -> FloatArray:
        """Return the product of the covariance's inverse and a vector."""
        each = np.broadcast_to(vectors, belief.shape[:2])
        return np.asarray(np.linalg.solve(belief, each[:, :, None])[:, :, 0])

    def marginal(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the belief about the first weights."""
        return belief[:, :weights, :weights]

    def factors(self, belief: FloatArray) -> FloatArray | None:
        """Return F with the covariance F F^T."""
        return np.asarray(np.linalg.cholesky(belief))

    def grown(
        self, belief: FloatArray, old: IntArray, weights: int, prior: float
    ) -> FloatArray:
        """Return the belief about more weights; ``old`` are the places of the known."""
        found = self.prior(len(belief), weights, prior)
        found[:, old[:, None], old] = belief
        return found

    def of_logistic_law(
        self, belief: FloatArray, prior: float, square: float
    ) -> FloatArray:
        """Return eq. (1) of :mod:`rosenblatt.bayes.growing`, with s^2 ``square``."""
        more = np.eye(belief.shape[1]) + (square - 1.0) / prior * belief
        found = np.linalg.solve(more, square * belief)
        return np.asarray(0.5 * (found + found.transpose(0, 2, 1)))

    def likelihood(
        self,
        mean: FloatArray,
        belief: FloatArray,
        prior: float,
        shifts: FloatArray,
        ratios: FloatArray,
    ) -> Likelihood:
        """Return the likelihood in a new standardisation, from a belief in an old one.

        It is eq. (1) of :mod:`rosenblatt.bayes.belief`.
        """
        scale = np.append(ratios, np.ones(mean.shape[1] - ratios.size))
        each = [
            _rescaled(m, V, prior, scale, shifts)
            for m, V in zip(mean, belief, strict=True)
        ]
        return Likelihood(*(np.stack(some) for some in zip(*each, strict=True)))

    def posterior(
        self, found: Likelihood, prior: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return mean and belief: the prior times a likelihood."""
        shift, precision = found
        own = np.eye(shift.shape[1]) / prior
        belief = np.empty_like(precision)
        for k, matrix in enumerate(precision):
            try:
                belief[k] = inverse(matrix + own)
            except np.linalg.LinAlgError:  # label noise can make it indefinite
                values, vectors = np.linalg.eigh(matrix)
                known = (vectors * np.maximum(values, 0.0)) @ vectors.T
                belief[k] = inverse(known + own)
        return self.times(belief, shift), belief

    def log_determinants(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the logarithm of the determinant of each covariance."""
        return np.asarray(np.linalg.slogdet(belief)[1])
