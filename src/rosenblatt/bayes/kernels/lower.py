"""Lower halves of square matrices, for kernels: copies and inverses.

Matrices are flat, row by row.
"""

from __future__ import annotations

from rosenblatt.compiling import inlined
from rosenblatt.core.types import FloatArray

__all__ = ["invert_lower", "mirror"]

_SIDE = 16  # of squares that are copied, two lines of the cache


@inlined
def mirror(matrix: FloatArray, size: int) -> None:
    """Copy the lower half of a matrix to the upper one, in squares."""
    for first in range(0, size, _SIDE):
        for begin in range(0, first + 1, _SIDE):
            for i in range(first, min(first + _SIDE, size)):
                for j in range(begin, min(begin + _SIDE, i)):
                    matrix[j * size + i] = matrix[i * size + j]


@inlined
def invert_lower(
    lower: FloatArray, first: int, size: int, stride: int, inverse: FloatArray
) -> None:
    """Write the inverse of a lower matrix with ones on its diagonal, zeros above it.

    A matrix product with it is faster than to solve for each column. The matrix begins
    at entry ``first``.
    """
    for j in range(size):
        at = j * stride
        for i in range(size):
            inverse[at + i] = 1.0 if i == j else 0.0
        for b in range(j):
            part = lower[first + at + b]
            for i in range(b + 1):
                inverse[at + i] -= part * inverse[b * stride + i]
