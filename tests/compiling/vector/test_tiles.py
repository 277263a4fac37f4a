import numba
import numpy as np
import pytest

from rosenblatt.compiling import inlined
from rosenblatt.compiling.vector.tiles import SIDE, tile_of

KINDS = {
    "float": np.float32,
    "double": np.float64,
    "int32": np.int32,
    "int64": np.int64,
}


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="made of instructions")
@pytest.mark.parametrize(
    ("source", "target"),
    [("float", "float"), ("float", "double"), ("int32", "double"), ("int64", "double")],
)
def test_columns_become_rows(source, target):
    turn = tile_of(source, target)

    @inlined
    def run(places, skip, to, stride):
        turn(places, 1, skip, to, stride)

    columns = np.random.default_rng(0).integers(-99, 99, (SIDE + 1, SIDE + 2))
    columns = columns.astype(KINDS[source])
    places = np.array([column.ctypes.data for column in columns])
    out = np.zeros((SIDE, SIDE + 3), KINDS[target])
    run(places, 2 * columns.itemsize, out.ctypes.data, out.strides[0])
    np.testing.assert_array_equal(out[:, :SIDE], columns[1:, 2:].T)
    assert not out[:, SIDE:].any()
