import gzip
import struct

import numpy as np
import pytest

from rosenblatt.tables.idx import read_idx

CODES = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}


def idx(array, code):
    shape = struct.pack(f">{array.ndim}I", *array.shape)
    big = array.astype(array.dtype.newbyteorder(">"))
    return bytes([0, 0, code, array.ndim]) + shape + big.tobytes()


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.parametrize("packed", [False, True])
def test_arrays_come_back(tmp_path, kind, packed):
    array = np.arange(24).reshape(2, 3, 4).astype(kind)
    content = idx(array, CODES[kind])
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(content, mtime=0) if packed else content)
    found = read_idx(path)
    np.testing.assert_array_equal(found, array)
    assert found.dtype == array.dtype
    assert found.dtype.isnative


GOOD = idx(np.arange(6, dtype=np.uint8).reshape(2, 3), 8)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not an idx file.*got nothing"),
        (b"\x00\x00\x08", "is not an idx file"),
        (b"P5 28 28 255\n", "is not an idx file.*got 50 35 20 32"),
        (b"\x00\x00\x07\x01\x00\x00\x00\x00", "is not an idx file"),
        (GOOD[:9], "is truncated: its head must have 12 bytes, got 9"),
        (GOOD[:-1], r"is truncated: an array of shape \(2, 3\) has 6 bytes, got 5"),
        (GOOD + b"x", "is too long"),
        (gzip.compress(GOOD, mtime=0)[:-9], "damaged or truncated gzip"),
        (b"\x1f\x8bnonsense", "damaged or truncated gzip"),
        (gzip.compress(GOOD[:-1], mtime=0), "is truncated"),
    ],
)
def test_foreign_and_truncated_files_are_named(tmp_path, content, message):
    path = tmp_path / "images"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"images.*{message}"):
        read_idx(path)


def test_a_missing_file_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_idx(tmp_path / "nothing")
