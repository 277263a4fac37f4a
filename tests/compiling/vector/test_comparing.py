import numpy as np
import pytest

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.comparing import WORD, equal


@inlined
def compare(values, start, wanted):
    return equal(values, start, wanted)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("start", [0, 5])
def test_a_word_has_a_bit_for_each_number_that_is_equal(kind, start):
    values = np.random.default_rng(0).integers(-1, 2, WORD + 5).astype(kind)
    found = int(compare(values, start, kind(1)))
    bits = [(found >> i) & 1 for i in range(WORD)]
    assert bits == (values[start : start + WORD] == 1).astype(int).tolist()
