import numpy as np
import pyarrow
import pytest

from rosenblatt.tables import Columns, open_table
from rosenblatt.tables.arrow import (
    KINDS,
    place_double,
    place_single,
    text_of,
)
from tests.tables.examples import write
from tests.tables.reading import read

TYPES = dict(zip(KINDS, (np.float32, np.float64, np.int32, np.int64), strict=True))


def test_numbers_keep_single_precision_if_they_have_it(tmp_path):
    x = np.random.default_rng(0).standard_normal((10, 2)).astype(np.float32)
    given = {"a": x[:, 0], "b": x[:, 1], "won": np.arange(10) % 2}
    (batch,) = read(
        write(given, tmp_path / "x.parquet"), Columns(("a", "b"), (), "won")
    )
    assert batch.numbers.dtype == np.float32
    assert batch.numbers.flags.c_contiguous
    assert np.array_equal(batch.numbers, x)
    np.save(tmp_path / "x.npy", x)
    (batch,) = read(tmp_path / "x.npy", Columns(("1",), (), "0"))
    assert batch.numbers.dtype == np.float32
    assert np.array_equal(batch.numbers[:, 0], x[:, 1])


def test_types_of_arrow_become_numbers_and_text(tmp_path):
    given = {
        "small": pyarrow.array([1, None, 3], pyarrow.int8()),
        "flag": pyarrow.array([True, False, None]),
        "dict": pyarrow.array(["u", "v", None]).dictionary_encode(),
        "money": pyarrow.array([1, 2, 3]).cast(pyarrow.decimal128(24, 2)),
        "won": pyarrow.array([1.0, 0.0, 1.0]),
    }
    path = write(given, tmp_path / "x.parquet")
    kinds = dict(open_table(str(path)).columns)
    assert kinds == {
        "small": "number",
        "flag": "number",
        "dict": "text",
        "money": "number",
        "won": "number",
    }
    (batch,) = read(path, Columns(("small", "flag", "money"), ("dict",), "won"))
    wanted = [[1, 1, 1], [np.nan, 0, 2], [3, np.nan, 3]]
    assert np.array_equal(batch.numbers, wanted, equal_nan=True)
    assert {j: w.tolist() for j, w in batch.missing.items()} == {0: [1], 1: [2]}
    assert batch.texts[0].codes[2] == -1
    assert set(batch.labels.values) == {"0", "1"}


def test_a_dictionary_longer_than_the_rows_gives_the_values_of_the_rows():
    """Batches of one row group share a dictionary, which may be much longer."""
    column = pyarrow.array(["a", None, "b", "NA", "c", "b"]).dictionary_encode()
    values, codes = text_of(column.slice(2, 2), ("NA",))
    assert (values, codes.tolist()) == (["b"], [0, -1])
    values, codes = text_of(column.slice(1, 2))
    assert (values, codes.tolist()) == (["b"], [-1, 0])


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
