"""TableEncoder: the features of each kind of column, from every kind of table."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import rosenblatt as rb
from rosenblatt import TableEncoder

FRAMES = {
    "pandas": lambda table: table.to_pandas(),
    "polars": pl.from_arrow,
    "pyarrow": lambda table: table,
    "batch": lambda table: table.combine_chunks().to_batches()[0],
}
TABLE = pa.table(
    {
        "size": [1.0, None, 5.0, 3.0],
        "sold": [True, False, True, True],
        "side": ["left", "right", None, "left"],
        "kind": pa.array(["a", "b", "b", "a"]).dictionary_encode(),
        "day": pa.array([0, 1, 365, 20000], pa.int32()).cast(pa.date32()),
        "when": ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"],
    }
)


def plain(table):
    """The same features, value by value."""
    week = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    rows = table.to_pylist()
    columns = {}
    size = [row["size"] for row in rows]
    mean = np.mean([s for s in size if s is not None])
    columns["size"] = [mean if s is None else s for s in size]
    columns["sold"] = [float(row["sold"]) for row in rows]
    columns["size is missing"] = [float(s is None) for s in size]
    for name, levels in (
        ("side", ("left", "right", "(missing)", "(other)")),
        ("kind", ("a", "b", "(other)")),
    ):
        for level in levels:
            columns[f"{name}={level}"] = [
                float((row[name] or "(missing)") == level) for row in rows
            ]
    for name in ("day", "when"):
        dates = [pd.Timestamp(row[name]) for row in rows]
        days = np.array([d.timestamp() / 86400 for d in dates])
        columns[f"{name}=elapsed"] = (days - days.mean()) / days.std()
        columns[f"{name}=year sin"] = np.sin(2 * np.pi * days / 365.2425)
        columns[f"{name}=year cos"] = np.cos(2 * np.pi * days / 365.2425)
        for k, short in enumerate(week):
            columns[f"{name}={short}"] = [float(d.day_of_week == k) for d in dates]
    return columns


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_features_are_those_of_the_plain_twin(frame):
    encoder = TableEncoder().fit(frame(TABLE))
    wanted = plain(TABLE)
    assert encoder.get_feature_names_out().tolist() == list(wanted)
    found = encoder.transform(frame(TABLE.select(TABLE.column_names[::-1])))
    np.testing.assert_allclose(found.T, list(wanted.values()), atol=1e-12)
    assert encoder.feature_names_in_.tolist() == TABLE.column_names
    assert list(encoder.kinds_.values()) == [
        "number", "number", "category", "category", "date", "date",
    ]  # fmt: skip
    assert encoder.missing_ == {"size": 1, "side": 1}


def test_an_index_of_pandas_is_no_column():
    frame = TABLE.to_pandas().iloc[::2]
    assert TableEncoder().fit(frame).n_features_in_ == 6
    named = frame.set_index("side")
    assert "side" not in TableEncoder().fit(named).feature_names_in_


@pytest.mark.parametrize("levels", [128, 129])
def test_more_than_128_levels_are_hashed(levels):
    table = pd.DataFrame({"x": np.arange(300.0), "c": np.arange(300) % levels})
    table["c"] = table["c"].astype(str)
    encoder = TableEncoder().fit(table)
    X = encoder.transform(table)
    assert issparse(X) == (levels > 128)
    assert encoder.encoding_.hashed_columns == (["c"] if levels > 128 else [])
    assert encoder.transform(pl.from_pandas(table)).shape == X.shape
    for few in (table[:0], table[:1]):
        assert encoder.transform(few).shape == (len(few), X.shape[1])


def test_sentences_are_words_and_pairs_of_words():
    words = np.random.default_rng(0).choice(["red", "old", "car", "bus"], (200, 4))
    table = pa.table({"t": [" ".join([*row, str(i)]) for i, row in enumerate(words)]})
    encoder = TableEncoder(standardise=False).fit(table)
    assert encoder.kinds_ == {"t": "text"}
    row = encoder.transform(pa.table({"t": ["Red red"]}))
    assert sorted(np.abs(row.data)) == [1.0, 1.0]  # red, and the pair


def test_later_tables_are_counted_and_change_no_feature():
    encoder = TableEncoder().fit(TABLE)
    names = encoder.get_feature_names_out().tolist()
    column = TABLE.column_names.index("side")
    later = TABLE.set_column(column, "side", pa.array(["up", None, "left", "down"]))
    encoder.partial_fit(later)
    assert encoder.n_rows_ == 8
    assert encoder.unknown_ == {"side": 2}
    assert encoder.missing_ == {"size": 2, "side": 2}
    assert encoder.get_feature_names_out().tolist() == names
    found = encoder.transform(later)[:, names.index("side=(other)")]
    assert found.tolist() == [1.0, 0.0, 0.0, 1.0]
    again = clone(encoder).partial_fit(TABLE)
    assert again.same_features(encoder)
    assert not again.same_features(clone(encoder).fit(later))


def test_kinds_can_be_given():
    table = pa.table({"zip": [1, 2, 1], "n": ["1", "2", None], "id": [7, 8, 9]})
    kinds = {"zip": "category", "n": "number", "id": "ignore"}
    encoder = TableEncoder(kinds=kinds).fit(table)
    names = ["n", "n is missing", "zip=1", "zip=2", "zip=(other)"]
    assert encoder.get_feature_names_out().tolist() == names
    np.testing.assert_array_equal(
        encoder.transform(table),
        [[1, 0, 1, 0, 0], [2, 0, 0, 1, 0], [1.5, 1, 1, 0, 0]],
    )


def test_nan_is_a_gap_and_columns_may_be_empty():
    gaps = pl.DataFrame({"a": [1.0, float("nan"), None], "b": [None, None, None]})
    found = TableEncoder().fit_transform(gaps)
    wanted = [[1, 0, 0, 1], [1, 0, 1, 1], [1, 0, 1, 1]]
    np.testing.assert_array_equal(found, wanted)
    encoder = TableEncoder().fit(TABLE)
    nothing = TABLE.slice(0, 1).set_column(2, "side", pa.nulls(1))
    assert encoder.transform(nothing)[0, 5] == 1.0  # side=(missing)


def test_a_pipeline_of_scikit_learn():
    y = [1, 0, 1, 0]
    pipeline = make_pipeline(TableEncoder(), rb.OnlinePerceptron(max_iter=50))
    assert pipeline.fit(TABLE, y).score(TABLE, y) == 1.0


def fitted():
    return TableEncoder().fit(TABLE)


ROW = TABLE.slice(0, 1)
ERRORS = [
    (lambda: TableEncoder().fit([[1.0]]), TypeError, "X must be a table"),
    (lambda: TableEncoder().fit(TABLE[:0]), ValueError, "a row or more"),
    (lambda: TableEncoder(kinds={"q": "text"}).fit(TABLE), ValueError, "column 'q'"),
    (lambda: TableEncoder(kinds={"size": "x"}).fit(TABLE), ValueError, "got 'x'"),
    (lambda: TableEncoder(categories="x").fit(TABLE), ValueError, "categories"),
    (
        lambda: TableEncoder(kinds={"side": "number"}).fit(TABLE),
        ValueError,
        "numbers in column 'side'",
    ),
    (
        lambda: TableEncoder().fit(pa.table({"a": [[1], [2]]})),
        ValueError,
        "X, column 'a': list<.*> is neither number nor text",
    ),
    (
        lambda: TableEncoder().fit(pd.DataFrame({"a": [1, "x"]})),
        TypeError,
        "one type in each column.*'a'|column a",
    ),
    (
        lambda: TableEncoder().fit(pa.table([[1], [2]], names=["a", "a"])),
        ValueError,
        "'a'",
    ),
    (
        lambda: TableEncoder().fit(pa.table({"a": [1.0, float("inf")]})),
        ValueError,
        "got inf in row 1, column 'a'",
    ),
    (lambda: fitted().transform(ROW.drop_columns("day")), ValueError, "lacks 'day'"),
    (
        lambda: fitted().transform(ROW.append_column("new", [[1]])),
        ValueError,
        "others: 'new'",
    ),
    (
        lambda: fitted().transform(ROW.set_column(0, "size", [["1"]])),
        TypeError,
        "string in column 'size', which is a number",
    ),
    (
        lambda: fitted().partial_fit(ROW.set_column(2, "side", [[1]])),
        TypeError,
        "int64 in column 'side', which is a category",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), ERRORS)
def test_errors_name_the_column(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
