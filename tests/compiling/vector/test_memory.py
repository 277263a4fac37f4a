import numpy as np
import pytest

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector import memory

READERS = {
    np.int32: memory.half_word_at,
    np.int64: memory.word_at,
    np.float32: memory.single_at,
    np.float64: memory.double_at,
}


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("offset", [0, 1, 3])
def test_numbers_are_read_on_a_boundary_of_words_or_not(kind, offset):
    read = READERS[kind]
    given = np.arange(1, 6).astype(kind)
    room = np.zeros(offset + given.nbytes, np.uint8)
    room[offset:] = given.view(np.uint8)

    @inlined
    def third(place):
        return read(place, 2)

    assert third(room.ctypes.data + offset) == 3
