"""Random numbers of several replicas side by side: one replica in each column.

A column has the numbers of its own generator, as :mod:`rosenblatt.numerics.random`
returns them. A few rows are filled at once, so that vector instructions are full.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.compiling.jit import inlined
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import pair64, word

__all__ = ["Columns", "columns_of", "columns_of_normals", "columns_of_uniforms"]

_ROWS = 8  # that are filled at once
_U = np.uint64


class Columns(NamedTuple):
    """Generators of all columns, for each number of a few rows."""

    keys: Words
    gammas: Words
    rows: Words


@inlined
def columns_of(words: Words) -> Columns:
    """Return the columns of generators, which are (column, 3)."""
    count = len(words)
    columns = Columns(
        np.empty(_ROWS * count, np.uint64),
        np.empty(_ROWS * count, np.uint64),
        np.empty(_ROWS * count, np.uint64),
    )
    for row in range(_ROWS):
        for column in range(count):
            at = row * count + column
            columns.keys[at], columns.gammas[at] = words[column, 0], words[column, 1]
            columns.rows[at] = _U(row)
    return columns


@inlined
def columns_of_normals(out: FloatArray, columns: Columns, first: int) -> None:
    """Fill a flat table with Gaussians; each column as ``normals64`` would.

    The table has a multiple of 16 rows, and its generators begin at ``first``.
    """
    keys, gammas, rows = columns
    few, half = keys.size, out.size // 2
    for begin in range(0, half, few):
        row = _U(first) + _U(2 * (begin // few) * _ROWS)
        one, other = out[begin : begin + few], out[half + begin : half + begin + few]
        for i in range(few):
            n = row + _U(2) * rows[i]
            drawn = word(keys[i], gammas[i], n)
            turned = word(keys[i], gammas[i], n + _U(1))
            one[i], other[i] = pair64(drawn, turned)


@inlined
def columns_of_uniforms(out: FloatArray, columns: Columns, first: int) -> None:
    """Fill a flat table of a multiple of 8 rows as ``uniforms`` would."""
    keys, gammas, rows = columns
    few = keys.size
    for begin in range(0, out.size, few):
        row = _U(first) + _U((begin // few) * _ROWS)
        for i in range(few):
            z = word(keys[i], gammas[i], row + rows[i])
            out[begin + i] = (np.float64(z >> _U(11)) + 0.5) * 2.0**-53
