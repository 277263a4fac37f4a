import numpy as np
import pyarrow

from rosenblatt.tables.reading import Columns, open_table, text_of
from tests.tables.examples import write
from tests.tables.reading import read


def test_numbers_keep_single_precision_if_they_have_it(tmp_path):
    x = np.random.default_rng(0).standard_normal((10, 2)).astype(np.float32)
    given = {"a": x[:, 0], "b": x[:, 1], "won": np.arange(10) % 2}
    (batch,) = read(
        write(given, tmp_path / "x.parquet"), Columns(("a", "b"), (), "won")
    )
    assert batch.numbers.dtype == np.float32
    assert batch.numbers.flags.c_contiguous
    assert np.array_equal(batch.numbers, x)


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
