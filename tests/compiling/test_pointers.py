import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.pointers import (
    address_of,
    pointer_at,
    pointer_to,
    same_or,
    table_at,
)


@inlined
def moved(table, place, size):
    numbers, wholes = pointer_to(table), table_at(place, size)
    for i in range(size):
        numbers[i] += wholes[i]
    return address_of(table)


@inlined
def doubled(place, size):
    numbers = pointer_at(place, size)
    for i in range(size):
        numbers[i] *= 2.0


@inlined
def chosen(numbers, place, like):
    found = same_or(pointer_to(numbers), place, 2, like)
    return found[0]


def test_kernels_read_and_write_the_memory_of_arrays():
    table, wholes = np.ones((2, 3)), np.arange(6)
    assert moved(table, wholes.ctypes.data, 6) == table.ctypes.data
    np.testing.assert_array_equal(table, 1 + np.arange(6.0).reshape(2, 3))
    doubled(table.ctypes.data, 2)
    np.testing.assert_array_equal(table.ravel(), [2, 4, 3, 4, 5, 6])


def test_other_precisions_get_other_room():
    numbers, room = np.array([3.0, 4.0]), np.array([7.0, 8.0], np.float32)
    assert chosen(numbers, room.ctypes.data, np.zeros(1)) == 3.0
    assert chosen(numbers, room.ctypes.data, np.zeros(1, np.float32)) == 7.0
