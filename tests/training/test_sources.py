import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training.loop import Sources, load
from rosenblatt.training.options import options_of
from rosenblatt.training.record import Classify
from tests.tables.examples import table, write
from tests.training.running import learn

BAD = "a,b,won\n" + "1,2,0\n2,1,1\n" * 20 + "{row}\n" + "3,4,0\n"
WRONG = {
    "1,2": "row 42: wrong number of fields: 2, not 3",
    "x,2,0": "row 42, column 'a': not a number: 'x'",
    "1,nan,0": "row 42, column 'b': NaN",
    "-inf,2,0": "row 42, column 'a': infinite",
    "1,2,": "row 42, column 'won': missing label",
    "1,2,9": "row 42, column 'won': unseen label: '9'",
}


@pytest.fixture
def paths(tmp_path):
    return [
        str(write(table(rows, seed=rows), tmp_path / f"{rows}.csv"))
        for rows in (30, 20)
    ]


def sources(paths, **more):
    return Sources(options_of(paths, "won", {"batch_rows": 8} | more))


def test_batches_from_any_position_are_the_rest_of_all_batches(paths):
    found = sources(paths)
    _, encoder, labels = found.first
    known = encoder, Classify(labels)
    every = list(found.batches(*known))
    assert [len(batch.rows.lines) for batch in every] == [8, 8, 8, 6, 8, 8, 4]
    for number, batch in enumerate(every):
        rest = list(sources(paths).batches(*known, batch.end))
        assert [one.end for one in rest] == [one.end for one in every[number + 1 :]]


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet", "svm"])
def test_the_share_of_the_work_grows_to_one(ending, tmp_path):
    paths = [tmp_path / f"{k}.{ending}" for k in range(2)]
    for path in paths:
        write(table(30), path)
        if ending == "svm":
            path.write_text("1 0:1\n0 1:2\n" * 9)
    found = sources(list(map(str, paths)))
    _, encoder, labels = found.first
    shares = [batch.done for batch in found.batches(encoder, Classify(labels))]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_wide_tables_have_smaller_batches(tmp_path):
    wide = {f"c{k}": [1.0, 2.0] for k in range(300)} | {"won": ["a", "b"]}
    path = write(wide, tmp_path / "wide.csv")
    narrow = write(table(10), tmp_path / "narrow.csv")
    rows = [Sources(options_of([one], "won", {})).batch_rows for one in (path, narrow)]
    assert rows == [2048, 8192]


def test_a_target_with_one_label_is_an_error(tmp_path):
    path = write({"a": [1.0, 2.0], "won": ["x", "x"]}, tmp_path / "one.csv")
    with pytest.raises(ValueError, match=r"must have two labels or more, got 'x'"):
        rb.train(path, "won")
    with pytest.raises(ValueError, match=r"got \['x'\]; give all labels with classes"):
        rb.train(path, "won", model="clipped-hebb")


@pytest.mark.parametrize("row", WRONG)
def test_a_bad_row_stops_with_file_line_and_column(row, tmp_path):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_text(BAD.format(row=row))
    save.write_bytes(b"the model before")
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        learn(path, "won", classes=[0, 1], save=save, batch_rows=10, missing=[])
    assert str(caught.value) == f"{path}, {WRONG[row]}"
    assert save.read_bytes() == b"the model before"
    # all batches before it are kept, and the run can go on without the row
    assert load(f"{save}.checkpoint").record.rows == 40
    options = {"classes": [0, 1], "batch_rows": 10, "on_error": "skip", "save": save}
    options["missing"] = []
    resumed = learn(path, "won", resume=True, **options)
    assert resumed.record.rows == 41
    kind = WRONG[row].partition(": ")[2].partition(":")[0]
    assert resumed.record.skipped == {kind: 1}
    bits = save.read_bytes()
    learn(path, "won", **options)
    assert save.read_bytes() == bits


def test_bad_rows_of_parquet_are_named_by_row(tmp_path):
    given = table(50)
    given["b"][17] = np.nan
    path = write(given, tmp_path / "x.parquet")
    with pytest.raises(ValueError, match=r"x.parquet, row 18, column 'b': NaN"):
        learn(path, "won", missing=[])
    trained = learn(path, "won")
    assert trained.record.missing == {"b": 1}
    assert trained.record.rows == 50


def test_missing_values_and_new_categories_are_counted(tmp_path):
    path = tmp_path / "x.csv"
    rows = ["1,,u,0", "2,5,,1", ",5,v,0", "?,4,u,1", "1,2,w,0", "3,2,u,1"]
    path.write_text("a,b,t,won\n" + "\n".join(rows))
    record = learn(path, "won", missing=["?"], batch_rows=4).record
    assert record.rows == 6
    assert record.missing == {"a": 2, "b": 1, "t": 1}
    assert record.other == {"t": 1}


def test_labels_that_an_array_would_change_are_refused_or_stay_text(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,won\n" + "1,a\n2,a\0\n" * 4)
    with pytest.raises(ValueError, match=r"rows.csv: target 'won' must not .* NUL"):
        learn(str(path), "won", model="perceptron")
    labels = ["-1", str(2**63)]
    path.write_text("a,won\n" + "".join(f"{i % 2},{labels[i % 2]}\n" for i in range(8)))
    run = learn(str(path), "won", model="perceptron")
    assert run.model.classes_.tolist() == labels
