import numpy as np
import pytest

from rosenblatt.tables.arrow.rows import KINDS, place_double, place_single

TYPES = dict(zip(KINDS, (np.float32, np.float64, np.int32, np.int64), strict=True))


def placed(columns, where, kind, block):
    """Write columns, none of which begins at a boundary of words."""
    held = [np.frombuffer(b"x" * 3 + c.tobytes(), np.uint8) for c in columns]
    places = np.array([each.ctypes.data + 3 for each in held], np.int64)
    place = place_single if block.dtype == np.float32 else place_double
    return place(places, np.array(where, np.int64), KINDS.index(kind), block)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [0, 1, 7, 8, 513, 1030])
def test_columns_come_to_where_they_belong(kind, rows):
    random = np.random.default_rng(0)
    for count in (1, 7, 8, 21):
        given = 1e8 * random.standard_normal((count, rows))
        columns = given.astype(TYPES[kind])
        # some side by side, and a gap
        where = [j if j < 10 else j + 1 for j in range(count)]
        block = np.full((rows, count + 2), -7.0)
        assert placed(columns, where, kind, block)
        wanted = np.full((rows, count + 2), -7.0)
        wanted[:, where] = columns.T
        np.testing.assert_array_equal(block, wanted)


@pytest.mark.parametrize("kind", ["float", "int32"])
def test_blocks_may_be_single(kind):
    columns = np.arange(20 * 100).reshape(20, 100).astype(TYPES[kind])
    block = np.zeros((100, 20), np.float32)
    assert placed(columns, range(20), kind, block)
    np.testing.assert_array_equal(block, columns.T)


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_told(kind, value):
    columns = np.ones((9, 1200), TYPES[kind])
    for row, column in ((0, 0), (700, 5), (1199, 8)):
        columns[column, row] = value
        block = np.zeros((1200, 9))
        assert not placed(columns, range(9), kind, block)
        np.testing.assert_array_equal(block, columns.T)
        columns[column, row] = np.finfo(columns.dtype).max / 2000
    assert placed(columns, range(9), kind, block)
