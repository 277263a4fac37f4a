import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.numerics.random import generators, normals64, uniforms
from rosenblatt.numerics.side_by_side import (
    columns_of,
    columns_of_normals,
    columns_of_uniforms,
)

ROWS, COLUMNS, FIRST = 32, 3, 5


@inlined
def fill(words, normal, uniform):
    """Fill two tables, column by column in the last axis."""
    columns = columns_of(words)
    columns_of_normals(normal, columns, FIRST)
    columns_of_uniforms(uniform, columns, FIRST)


def test_each_column_has_the_numbers_of_its_own_generator():
    words = generators(7, range(COLUMNS), 1)[:, 0]
    normal, uniform = np.empty((2, ROWS * COLUMNS))
    fill(words, normal, uniform)
    for column, rng in enumerate(words):
        for table, one in ((normal, normals64), (uniform, uniforms)):
            wanted, rng[2] = np.empty(ROWS), FIRST
            inlined(one)(wanted, rng)
            assert np.array_equal(table.reshape(ROWS, COLUMNS)[:, column], wanted)
