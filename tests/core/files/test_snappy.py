import numpy as np
import pyarrow
import pytest

from rosenblatt.core.files.snappy import unpacked


def unpack(packed, size):
    out = np.zeros(size, np.uint8)
    source = np.frombuffer(packed, np.uint8)
    return unpacked(source, 0, len(source), out), out.tobytes()


def examples():
    random = np.random.default_rng(0)
    yield b""
    yield b"a"
    yield b"abc" * 1000
    yield bytes(5000)
    yield random.bytes(200_000)  # literals that need three bytes for their length
    yield random.standard_normal(3000).round(1).tobytes()
    yield np.arange(5000).tobytes()
    words = [random.bytes(k) for k in range(1, 80)]
    yield b"".join(words[i] for i in random.integers(0, len(words), 5000))


@pytest.mark.parametrize("given", list(examples()), ids=len)
def test_what_pyarrow_packs_is_unpacked(given):
    packed = pyarrow.compress(given, codec="snappy", asbytes=True)
    assert unpack(packed, len(given)) == (len(given), given)


def test_every_kind_of_copy_is_known():
    # Written by hand: length 20, a literal "abcd", then copies of one, two and four
    # bytes' distance, one of them of what is not there yet.
    packed = bytes([20, 3 << 2, *b"abcd"])
    packed += bytes([(0 << 5) | (0 << 2) | 1, 4])  # four from four before
    packed += bytes([(5 << 2) | 2, 2, 0])  # six from two before, which repeats
    packed += bytes([(5 << 2) | 3, 4, 0, 0, 0])  # six from four before
    assert unpack(packed, 20) == (20, b"abcdabcdcdcdcdcdcdcd")


def test_broken_streams_are_refused_and_nothing_else_is_touched():
    random = np.random.default_rng(0)
    given = random.standard_normal(80).round(1).tobytes()
    packed = pyarrow.compress(given, codec="snappy", asbytes=True)
    for cut in range(len(packed)):
        assert unpack(packed[:cut], len(given))[0] == -1
    assert unpack(packed, len(given) - 1)[0] == -1
    for _ in range(1000):
        broken = bytearray(packed)
        broken[random.integers(len(broken))] ^= random.integers(1, 256)
        whole = np.full(len(given) + 64, 7, np.uint8)
        size = unpacked(
            np.frombuffer(bytes(broken), np.uint8), 0, len(broken), whole[: len(given)]
        )
        assert -1 <= size <= len(given)
        assert (whole[len(given) :] == 7).all()
