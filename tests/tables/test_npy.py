import numpy as np
import pytest

from rosenblatt.tables import open_table
from tests.tables.reading import refused


def test_a_truncated_array_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.zeros((100, 3)))
    path.write_bytes(path.read_bytes()[:1000])
    assert "cannot be read: " in refused(path)


@pytest.mark.parametrize(
    "header", ["{'descr': '<f8', (", "{'descr': '<f8'", "\0\0", "[" * 60]
)
def test_a_damaged_header_of_an_array_is_refused(header, tmp_path):
    path = tmp_path / "x.npy"
    content = header.encode().ljust(117) + b"\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00" + len(content).to_bytes(2, "little") + content
    )
    assert "cannot be read: " in refused(path)


def test_arrays_that_are_no_tables_are_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    with pytest.raises(
        ValueError, match=r"two dimensions, got float64 of shape \(3,\)"
    ):
        open_table(str(tmp_path / "x.npy"))
    np.save(tmp_path / "y.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises(ValueError, match=r"y.npy must hold numbers in two dim"):
        open_table(str(tmp_path / "y.npy"))
