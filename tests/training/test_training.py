import io
import signal
import threading
import tracemalloc

import numpy as np
import pyarrow
import pytest

import rosenblatt as rb
from rosenblatt.tables import pages, records
from rosenblatt.training import Settings, TrainingInterrupted, facts, predict
from rosenblatt.training import training as module
from rosenblatt.training.run import Trained, checkpoint_of
from tests.tables.examples import table, write

ROWS = 600


@pytest.fixture(scope="module")
def given():
    return table(ROWS)


@pytest.fixture(scope="module")
def csv(given, tmp_path_factory):
    return write(given, tmp_path_factory.mktemp("files") / "x.csv")


def parts(given):
    """The features that a table should become, and its labels."""
    sides = [(given["side"] == s).astype(float) for s in ("left", "middle", "right")]
    zero = np.zeros(len(given["a"]))
    X = np.column_stack([given["a"], given["b"], *sides, zero])
    return X, given["won"]


def test_the_model_is_that_of_the_same_rows_in_memory(given, csv):
    X, y = parts(given)
    model = rb.BayesPerceptron()
    shares = model.predict_then_learn(X, y, classes=[0, 1])
    trained = rb.train(csv, "won")
    assert trained.encoder.names == [
        "a",
        "b",
        "side=left",
        "side=middle",
        "side=right",
        "side=(other)",
    ]
    np.testing.assert_allclose(trained.model.coef_, model.coef_, rtol=1e-9)
    record = trained.record
    assert record.rows == record.judged == ROWS
    assert record.mistakes == np.sum(shares.argmax(axis=1) != y)
    loss = -np.log(shares[np.arange(ROWS), y]).sum()
    assert record.log_loss == pytest.approx(loss, rel=1e-9)
    assert trained.classes.tolist() == [0, 1]


def test_points_of_the_curve_are_what_was_known_then(given, csv):
    X, y = parts(given)
    wrong = rb.BayesPerceptron().predict_then_learn(X, y, classes=[0, 1])[:, 1] > 0.5
    so_far = np.cumsum(wrong != y)
    curve = rb.train(csv, "won", batch_rows=100).record.curve
    assert [point[0] for point in curve[:4]] == [16, 24, 36, 54]
    assert all(point[2] == so_far[point[0] - 1] for point in curve)
    last = facts(rb.train(csv, "won"))["curve"][-1]
    assert last["rows"] == ROWS
    assert last["error"] == so_far[-1] / ROWS


@pytest.mark.parametrize("name", ["x.tsv", "x.csv.gz", "x.parquet", "x.arrows"])
def test_every_format_gives_the_same_model(name, given, csv, tmp_path):
    other = write(given, tmp_path / name)
    for k, path in enumerate((csv, other)):
        rb.train(path, "won", save=tmp_path / f"{k}.safetensors", batch_rows=128)
    one, two = (Trained.load(tmp_path / f"{k}.safetensors") for k in (0, 1))
    assert np.array_equal(one.model.coef_, two.model.coef_)
    assert np.array_equal(one.model.coef_std_, two.model.coef_std_)
    assert one.record == two.record


def test_arrays_and_sparse_rows_are_learned_too(given, tmp_path):
    numbers = {k: v for k, v in given.items() if k != "side"}
    trained = rb.train(write(numbers, tmp_path / "x.npy"), "-1")
    assert trained.encoder.names == ["0", "1"]
    assert trained.record.error < 0.25
    lines = [
        f"{w} 1:{a} 2:{b}" + (" 3:1" if s == "left" else "")
        for a, b, s, w in zip(*given.values(), strict=True)
    ]
    path = tmp_path / "x.svm"
    path.write_text("\n".join(lines))
    trained = rb.train(path, "label")
    assert trained.encoder.names == ["0", "1", "2", "3"]
    assert trained.record.error < 0.2
    (found,) = predict(trained, path)
    assert np.mean(np.array(found.labels) != given["won"]) < 0.15
    top = facts(trained, top=1)["weights"]
    assert [w["feature"] for w in top] == ["1"]


def test_several_files_are_one_after_the_other(given, csv, tmp_path):
    halves = [
        write({k: v[part] for k, v in given.items()}, tmp_path / f"{i}.csv")
        for i, part in enumerate((slice(0, 300), slice(300, None)))
    ]
    together = rb.train(halves, "won", batch_rows=100)
    alone = rb.train(csv, "won", batch_rows=100)
    assert np.array_equal(together.model.coef_, alone.model.coef_)
    assert together.record == alone.record


@pytest.mark.parametrize(
    ("model", "most"),
    [
        ("bayes-full", 0.15),
        ("bayes-diagonal", 0.15),
        ("bayes-spherical", 0.25),
        ("perceptron", 0.25),
        ("clipped-hebb", 0.5),
        ("binary-perceptron:threshold=least error", 0.5),
        ("binary-bayes", 0.35),
    ],
)
@pytest.mark.filterwarnings("ignore:.*more than two values.*:UserWarning")
def test_every_model_learns_and_is_kept(model, most, csv, tmp_path):
    save = tmp_path / "m.safetensors"
    trained = rb.train(csv, "won", model=model, save=save, batch_rows=200)
    assert trained.record.error < most
    known = rb.training.load(save)
    one, two = (next(iter(predict(m, csv))).labels for m in (trained, known))
    assert one == two
    judged = facts(known)["judged"]
    by_row = model.startswith(("bayes", "perceptron"))
    assert judged == ("row by row" if by_row else "batch by batch")
    assert trained.record.judged == (ROWS if by_row else ROWS - 200)


@pytest.mark.filterwarnings("ignore:.*more than two values.*:UserWarning")
def test_a_binary_perceptron_has_the_threshold_of_all_rows(csv):
    model = "binary-perceptron:threshold=least error"
    trained = rb.train(csv, "won", model=model, batch_rows=100)
    assert trained.model.threshold_examples_ == ROWS


def test_a_perceptron_takes_rules_schedules_and_passes(csv):
    options = {"rule": "passive-aggressive", "schedule": "power:scale=1"}
    once = rb.train(csv, "won", model="perceptron", **options)
    thrice = rb.train(csv, "won", model="perceptron", passes=3, **options)
    assert thrice.model.t_ == 3 * ROWS
    assert thrice.record.rows == ROWS
    assert thrice.record.mistakes == once.record.mistakes == once.model.mistakes_[0]
    assert isinstance(once.model.rule, rb.rules.PassiveAggressive)


def test_three_classes_are_learned(tmp_path):
    random = np.random.default_rng(0)
    x = random.standard_normal((500, 2))
    names = np.array(["a", "b", "c"])
    best = np.argmax([x[:, 0], x[:, 1], -x.sum(axis=1)], axis=0)
    path = write({"u": x[:, 0], "v": x[:, 1], "y": names[best]}, tmp_path / "x.csv")
    for model in ("bayes", "perceptron"):
        trained = rb.train(path, "y", model=model, batch_rows=100)
        assert trained.classes.tolist() == ["a", "b", "c"]
        assert trained.record.error < 0.3
    assert {w["class"] for w in facts(trained)["weights"]} == {"a", "b", "c"}


BAD = "a,b,won\n" + "1,2,0\n2,1,1\n" * 20 + "{row}\n" + "3,4,0\n"
WRONG = {
    "1,2": "line 42: wrong number of fields: 2, not 3",
    "x,2,0": "line 42, column 'a': not a number: 'x'",
    "1,nan,0": "line 42, column 'b': NaN",
    "-inf,2,0": "line 42, column 'a': infinite",
    "1,2,": "line 42, column 'won': missing label",
    "1,2,9": "line 42, column 'won': unseen label: '9'",
}


@pytest.mark.parametrize("row", WRONG)
def test_a_bad_row_stops_with_file_line_and_column(row, tmp_path):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_text(BAD.format(row=row))
    save.write_bytes(b"the model before")
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        rb.train(path, "won", classes=[0, 1], save=save, batch_rows=10)
    assert str(caught.value) == f"{path}, {WRONG[row]}"
    assert save.read_bytes() == b"the model before"
    # all batches before it are kept, and the run can go on without the row
    assert Trained.load(checkpoint_of(save)).record.rows == 40
    options = {"classes": [0, 1], "batch_rows": 10, "on_error": "skip", "save": save}
    resumed = rb.train(path, "won", resume=True, **options)
    assert resumed.record.rows == 41
    kind = WRONG[row].partition(": ")[2].partition(":")[0]
    assert resumed.record.skipped == {kind: 1}
    bits = save.read_bytes()
    rb.train(path, "won", **options)
    assert save.read_bytes() == bits


def test_bad_rows_of_parquet_are_named_by_row(tmp_path):
    given = table(50)
    given["b"][17] = np.nan
    path = write(given, tmp_path / "x.parquet")
    with pytest.raises(ValueError, match=r"x.parquet, row 18, column 'b': NaN"):
        rb.train(path, "won")
    trained = rb.train(path, "won", missing=["nan"])
    assert trained.record.missing == {"b": 1}
    assert trained.record.rows == 50


def test_a_batch_that_a_model_refuses_is_named_and_nothing_is_kept_half_learned(
    tmp_path, monkeypatch
):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_text(BAD.format(row="1e300,2,0"))
    original = module.teach

    def teach(model, X, codes, classes):
        if X.max() > 1e100:
            raise ArithmeticError("numbers are too large")
        return original(model, X, codes, classes)

    monkeypatch.setattr(module, "teach", teach)
    with pytest.raises(ValueError, match=r"x\.csv, a batch up to line 43: numbers are"):
        rb.train(path, "won", save=save, batch_rows=10)
    assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]


def test_a_run_with_parts_of_your_own_is_resumed(own, tmp_path):
    path, save = write(table(300), tmp_path / "x.csv"), tmp_path / "m.safetensors"
    rule = f"decay(rule={own('Timid')},strength=0.1)"
    given = {"model": "perceptron", "rule": rule, "schedule": own("late")}
    whole = rb.train(path, "won", batch_rows=50, **given)
    with path.open("a") as file:
        file.write("1,2,left\n")
    options = {"batch_rows": 50, "save": save, **given}
    with pytest.raises(rb.tables.BadRowError, match="wrong number of fields"):
        rb.train(path, "won", **options)
    resumed = rb.train(path, "won", resume=True, on_error="skip", **options)
    assert resumed.record.skipped == {"wrong number of fields": 1}
    np.testing.assert_array_equal(resumed.model.coef_, whole.model.coef_)
    assert not resumed.already
    assert rb.train(path, "won", resume=True, **options).already


def test_another_pipe_is_not_taken_for_the_one_before(tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    for rows in (300, 200):
        text = write(table(rows), tmp_path / "x.csv").read_bytes()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
        run = rb.train("-", "won", save=save, resume=True)
        assert run.record.rows == rows


def test_missing_values_and_new_categories_are_counted(tmp_path):
    path = tmp_path / "x.csv"
    rows = ["1,,u,0", "2,5,,1", ",5,v,0", "?,4,u,1", "1,2,w,0", "3,2,u,1"]
    path.write_text("a,b,t,won\n" + "\n".join(rows))
    record = rb.train(path, "won", missing=["?"], batch_rows=4).record
    assert record.rows == 6
    assert record.missing == {"a": 2, "b": 1, "t": 1}
    assert record.other == {"t": 1}


def test_columns_can_be_said_to_be_something_else(csv):
    trained = rb.train(csv, "won", categorical=["a"], ignore=["b"], hash_bits=6)
    assert trained.encoder.columns[:2] == ((), ("a", "side"))
    assert trained.encoder.hashed
    assert trained.model.n_features_in_ == 4 + 64
    with pytest.raises(ValueError, match="line 2, column 'side': not a number: '"):
        rb.train(write(table(20), csv.parent / "y.csv"), "won", numeric=["side"])


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("lost", {}, "has no column 'lost'; it has 'a', 'b', 'side', 'won'"),
        ("won", {"ignore": ["c"]}, "has no column 'c'"),
        ("won", {"ignore": ["a", "b", "side"]}, "no column besides the target"),
        ("won", {"numeric": ["won"]}, "numeric must not have the target"),
        ("a", {"classes": ["1"]}, "classes must be two"),
        ("won", {"model": "forest"}, "model must be one of bayes"),
        ("won", {"model": "bayes:age=1"}, "model bayes has no parameter 'age=1'"),
        ("won", {"rule": "hebb"}, "rule goes with the model perceptron only"),
        ("won", {"passes": 2}, "passes must be 1 but for"),
        ("won", {"on_error": "ask"}, "on_error must be one of stop, skip"),
        ("won", {"checkpoint_every": "0s"}, "checkpoint_every must be"),
        ("won", {"categories": "no"}, "categories must be one of"),
        ("won", {"hash_bits": 40}, "hash_bits must be from 1 to 28"),
        ("won", {"format": "xml"}, "format must be one of"),
    ],
)
def test_wrong_arguments_are_named(target, options, message, csv):
    with pytest.raises(ValueError, match=message):
        rb.train(csv, target, **options)


def test_a_number_is_no_label(tmp_path):
    x = np.random.default_rng(0).standard_normal(2000)
    path = write({"a": x, "price": x}, tmp_path / "x.csv")
    with pytest.raises(ValueError, match="more than 1000 different values"):
        rb.train(path, "price")
    one = write({"a": x, "y": np.ones(2000, int)}, tmp_path / "y.csv")
    with pytest.raises(ValueError, match=r"two labels or more, got \['1'\]"):
        rb.train(one, "y")


def test_checkpoints_do_not_change_the_result(csv, tmp_path):
    bits = set()
    for every in ("1", "250", "1000s"):
        save = tmp_path / f"{every}.safetensors"
        rb.train(csv, "won", save=save, checkpoint_every=every, batch_rows=64)
        bits.add(save.read_bytes())
        assert not checkpoint_of(save).exists()
    assert len(bits) == 1


def test_an_interrupt_keeps_what_was_learned(csv, tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    options = {"save": save, "batch_rows": 64}
    rb.train(csv, "won", **options)
    bits = save.read_bytes()
    save.unlink()
    seen = []
    original = module._teach

    def teach(run, *arguments, **more):
        original(run, *arguments, **more)
        seen.append(run)
        if len(seen) == 3:
            signal_self()

    monkeypatch.setattr(module, "_teach", teach)
    with pytest.raises(
        TrainingInterrupted, match=r"after 192 rows.*go on with --resume"
    ):
        rb.train(csv, "won", **options)
    assert not save.exists()
    monkeypatch.undo()
    rb.train(csv, "won", resume=True, **options)
    assert save.read_bytes() == bits


def signal_self():
    """Press Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def test_resuming_needs_the_same_files_and_settings(csv, given, tmp_path, monkeypatch):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_bytes(csv.read_bytes())

    def stop(run, *arguments, **more):
        if run.record.rows >= 128:
            raise OSError("no more")
        return original(run, *arguments, **more)

    original = module._teach
    monkeypatch.setattr(module, "_teach", stop)
    with pytest.raises(OSError, match="no more"):
        rb.train(path, "won", save=save, batch_rows=64)
    monkeypatch.undo()
    assert Trained.load(checkpoint_of(save)).record.rows == 128
    with pytest.raises(ValueError, match="batch_rows must be as it was to resume, 64"):
        rb.train(path, "won", save=save, batch_rows=65, resume=True)
    path.write_bytes(csv.read_bytes()[:-1] + b" \n")
    with pytest.raises(ValueError, match="files must be as they were to resume"):
        rb.train(path, "won", save=save, batch_rows=64, resume=True)


def test_a_finished_run_is_not_repeated(csv, tmp_path, monkeypatch):
    save = tmp_path / "m.safetensors"
    rb.train(csv, "won", save=save)
    monkeypatch.setattr(module, "_learn", None)  # cannot be called
    again = rb.train(csv, "won", save=save, resume=True)
    assert again.record.rows == ROWS


def test_training_works_in_a_thread_too(csv):
    found = []
    thread = threading.Thread(target=lambda: found.append(rb.train(csv, "won")))
    thread.start()
    thread.join()
    assert found[0].record.rows == ROWS


@pytest.mark.parametrize("name", ["x.csv", "x.parquet"])
def test_memory_does_not_grow_with_the_file(name, tmp_path, monkeypatch):
    """Peaks for 4000 and for 40 000 rows, of which the latter would take 3 MB more."""
    monkeypatch.setattr(records, "_PORTION", 2**14)  # larger than both files otherwise
    monkeypatch.setattr(pages, "_ENTRIES", 2**10)  # likewise
    peaks = []
    for rows in (4000, 40_000):
        path = write(table(rows), tmp_path / f"{rows}{name}")
        pool = pyarrow.proxy_memory_pool(pyarrow.default_memory_pool())
        before = pyarrow.default_memory_pool()
        pyarrow.set_memory_pool(pool)
        tracemalloc.start()
        rb.train(path, "won", model="bayes-diagonal", batch_rows=500)
        peaks.append(tracemalloc.get_traced_memory()[1] + pool.max_memory())
        tracemalloc.stop()
        pyarrow.set_memory_pool(before)
    # rows as numbers: 36 000 * 7 * 8 bytes = 2 MB, and as text about 0.9 MB
    assert peaks[1] < peaks[0] + 0.5e6


def test_settings_can_be_seen():
    given = Settings(files=("x.csv",), target="y")
    assert (given.model, given.standardised) == ("bayes", False)
    assert Settings(files=("x.csv",), target="y", model="perceptron").standardised
