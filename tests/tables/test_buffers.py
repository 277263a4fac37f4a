import numpy as np

from rosenblatt.tables.buffers import Blocks


def test_memory_is_used_again_once_nothing_refers_to_it():
    blocks = Blocks()
    first = blocks.take(4, 3, np.float64)
    part, place = first[1:2], first.ctypes.data
    del first
    assert blocks.take(4, 3, np.float64).ctypes.data != place
    del part
    places = [blocks.take(4, 3, np.float64).ctypes.data for _ in range(3)]
    assert place in places


def test_a_smaller_block_may_use_the_memory_of_a_larger_one():
    blocks = Blocks()
    place = blocks.take(10, 10, np.float64).ctypes.data
    small = blocks.take(2, 5, np.float32)
    assert small.ctypes.data == place
    assert small.shape == (2, 5)
    assert small.dtype == np.float32
