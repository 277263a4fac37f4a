import threading
import tracemalloc

import numpy as np
import pyarrow
import pytest

import rosenblatt as rb
from rosenblatt.tables import reading
from rosenblatt.training import load, loop, predict, report
from rosenblatt.training.record import Classify
from tests.tables.examples import table, write
from tests.training.running import learn

ROWS = 600


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
    trained = learn(csv, "won")
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
    assert record.rows == record.metrics.rows == ROWS
    assert sum(record.metrics.wrong) == np.sum(shares.argmax(axis=1) != y)
    loss = -np.log(shares[np.arange(ROWS), y]).sum()
    assert record.metrics.log_loss == pytest.approx(loss, rel=1e-9)
    assert trained.model.classes_.tolist() == [0, 1]


def test_points_of_the_curve_are_what_was_known_then(given, csv):
    X, y = parts(given)
    wrong = rb.BayesPerceptron().predict_then_learn(X, y, classes=[0, 1])[:, 1] > 0.5
    so_far = np.cumsum(wrong != y)
    curve = learn(csv, "won", batch_rows=100).record.curve
    assert [point[0] for point in curve[:4]] == [16, 24, 36, 54]
    assert all(point[2] == so_far[point[0] - 1] for point in curve)
    last = report(rb.train(csv, "won"))["curve"][-1]
    assert last["rows"] == ROWS
    assert last["error"] == so_far[-1] / ROWS


@pytest.mark.parametrize("name", ["x.tsv", "x.csv.gz", "x.parquet", "x.arrows"])
def test_every_format_gives_the_same_model(name, given, csv, tmp_path):
    other = write(given, tmp_path / name)
    for k, path in enumerate((csv, other)):
        learn(path, "won", save=tmp_path / f"{k}.safetensors", batch_rows=128)
    one, two = (load(tmp_path / f"{k}.safetensors") for k in (0, 1))
    assert np.array_equal(one.model.coef_, two.model.coef_)
    assert np.array_equal(one.model.coef_std_, two.model.coef_std_)
    assert one.record == two.record


def test_sparse_rows_are_learned_too(given, tmp_path):
    lines = [
        f"{w} 1:{a} 2:{b}" + (" 3:1" if s == "left" else "")
        for a, b, s, w in zip(*given.values(), strict=True)
    ]
    path = tmp_path / "x.svm"
    path.write_text("\n".join(lines))
    trained = learn(path, "label")
    assert trained.encoder.names == ["0", "1", "2", "3"]
    assert trained.record.metrics.error < 0.2
    (found,) = predict(trained.model, path)
    assert np.mean(np.array(found.columns["prediction"]) != given["won"]) < 0.15
    top = report(trained.model, top=1)["weights"]
    assert [w["feature"] for w in top] == ["1"]


def test_several_files_are_one_after_the_other(given, csv, tmp_path):
    halves = [
        write({k: v[part] for k, v in given.items()}, tmp_path / f"{i}.csv")
        for i, part in enumerate((slice(0, 300), slice(300, None)))
    ]
    together = learn(halves, "won", batch_rows=100)
    alone = learn(csv, "won", batch_rows=100)
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
    trained = learn(csv, "won", model=model, save=save, batch_rows=200)
    assert trained.record.metrics.error < most
    known = load(save)
    one, two = (next(iter(predict(m.model, csv))) for m in (trained, known))
    assert one == two
    judged = report(known.model)["judged"]
    by_row = model.startswith("bayes")
    assert judged == ("row by row" if by_row else "batch by batch")
    first = {"b": 0, "p": 16}.get(model[0], 200) if "binary" not in model else 200
    assert trained.record.metrics.rows == ROWS - first


@pytest.mark.filterwarnings("ignore:.*more than two values.*:UserWarning")
def test_a_binary_perceptron_has_the_threshold_of_all_rows(csv):
    model = "binary-perceptron:threshold=least error"
    trained = learn(csv, "won", model=model, batch_rows=100)
    assert trained.model.threshold_examples_ == ROWS


def test_a_perceptron_takes_rules_and_schedules_and_a_file_several_times(csv):
    options = {"rule": "passive-aggressive", "schedule": "power:scale=1"}
    once = learn(csv, "won", model="perceptron", **options)
    thrice = learn([csv] * 3, "won", model="perceptron", **options)
    assert thrice.model.t_ == thrice.record.rows == 3 * ROWS
    assert once.record.metrics.rows == ROWS - 16  # the first batch is small
    assert isinstance(once.model.rule, rb.rules.PassiveAggressive)


def test_three_classes_are_learned(tmp_path):
    random = np.random.default_rng(0)
    x = random.standard_normal((500, 2))
    names = np.array(["a", "b", "c"])
    best = np.argmax([x[:, 0], x[:, 1], -x.sum(axis=1)], axis=0)
    path = write({"u": x[:, 0], "v": x[:, 1], "y": names[best]}, tmp_path / "x.csv")
    for model in ("bayes", "perceptron"):
        trained = learn(path, "y", model=model, batch_rows=100)
        assert trained.classes == ("a", "b", "c")
        assert trained.record.metrics.error < 0.3
    assert {w["class"] for w in report(trained.model)["weights"]} == {"a", "b", "c"}


def test_training_works_in_a_thread_too(csv):
    found = []
    thread = threading.Thread(target=lambda: found.append(learn(csv, "won")))
    thread.start()
    thread.join()
    assert found[0].record.rows == ROWS


AHEAD = [
    pytest.mark.xfail(reason="pyarrow decodes whole row groups, and reads ahead"),
    pytest.mark.slow,
]


@pytest.mark.parametrize("name", ["x.csv", pytest.param("x.parquet", marks=AHEAD)])
def test_memory_does_not_grow_with_the_file(name, tmp_path, monkeypatch):
    """Peaks for 4000 and for 40 000 rows, of which the latter would take 3 MB more."""
    monkeypatch.setattr(reading, "LONGEST", 2**14)  # larger than both files otherwise
    peaks = []
    for rows in (4000, 40_000):
        path = write(table(rows), tmp_path / f"{rows}{name}")
        pool = pyarrow.proxy_memory_pool(pyarrow.default_memory_pool())
        before = pyarrow.default_memory_pool()
        pyarrow.set_memory_pool(pool)
        tracemalloc.start()
        learn(path, "won", model="bayes-diagonal", batch_rows=500)
        peaks.append(tracemalloc.get_traced_memory()[1] + pool.max_memory())
        tracemalloc.stop()
        pyarrow.set_memory_pool(before)
    # rows as numbers: 36 000 * 7 * 8 bytes = 2 MB, and as text about 0.9 MB
    assert peaks[1] < peaks[0] + 0.5e6


def refusing(original):
    """Learn as ever, but refuse large numbers, as a model whose squares overflow."""

    def learn(task, model, rows):
        if rows.X.max() > 1e100:
            raise ArithmeticError("numbers are too large")
        return original(task, model, rows)

    return learn


def test_a_batch_that_a_model_refuses_is_named_and_nothing_is_kept_half_learned(
    tmp_path, monkeypatch
):
    path, save = tmp_path / "x.csv", tmp_path / "m.safetensors"
    path.write_text("a,b,won\n" + "1,2,0\n2,1,1\n" * 20 + "1e300,2,0\n3,4,0\n")
    monkeypatch.setattr(Classify, "learn", refusing(Classify.learn))
    with pytest.raises(ValueError, match=r"x\.csv, a batch up to row 43: numbers are"):
        learn(path, "won", save=save, batch_rows=10)
    assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]


def test_rows_that_a_model_refuses_are_skipped_and_counted(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    good = ["1,2,0", "2,1,1", "3,1,1"] * 20
    huge = ["1e200,1,0", "1,1e300,1", "1e200,2,1"]
    path.write_text("\n".join(["a,b,won", *good, *huge[:2], *good[:7], huge[2]]))
    monkeypatch.setattr(Classify, "learn", refusing(Classify.learn))
    trained = learn(path, "won", on_error="skip", batch_rows=32)
    assert trained.record.skipped == {"refused by the model": 3}
    path.write_text("\n".join(["a,b,won", *good, *good[:7]]))
    wanted = learn(path, "won", batch_rows=32)
    assert trained.record.rows == wanted.record.rows == 67
    assert sum(trained.record.metrics.wrong) == sum(wanted.record.metrics.wrong)
    np.testing.assert_allclose(trained.model.coef_, wanted.model.coef_, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_that_a_binary_perceptron_refused_are_left_out_of_its_last_pass(tmp_path):
    """A third level in a column; the threshold is looked for in a pass of its own."""
    rng = np.random.default_rng(0)
    X = (rng.random((200, 3)) < [0.3, 0.6, 0.5]).astype(int)
    good = [f"{a},{b},{c},{int(a + b + c > 1)}" for a, b, c in X]
    path, clean = tmp_path / "x.csv", tmp_path / "clean.csv"
    bad = ["2,0,1,1", "0,1,-1,0", "0,5,1,0"]
    # the first rows say which levels there are
    rows = [*good[:32], bad[0], *good[32:90], bad[1], *good[90:], bad[2]]
    path.write_text("\n".join(["a,b,c,won", *rows]))
    clean.write_text("\n".join(["a,b,c,won", *good]))
    given = {"model": "binary-perceptron", "batch_rows": 16}
    trained = learn(path, "won", on_error="skip", **given)
    assert trained.record.skipped == {"refused by the model": 3}
    wanted = learn(clean, "won", **given).model
    model = trained.model
    assert model.threshold_examples_ == model.t_ == 200
    np.testing.assert_array_equal(model.coef_, wanted.coef_)
    np.testing.assert_array_equal(model.threshold_, wanted.threshold_)
    with pytest.raises(ValueError, match="two levels in each column, got 2 in column"):
        learn(path, "won", **given)


def test_a_file_that_grows_before_the_last_pass_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text("a,b,won\n" + "0,1,0\n1,0,1\n" * 20)
    original = loop._learn

    def growing(*given):
        original(*given)
        with path.open("a") as file:
            file.write("1,1,1\n")

    monkeypatch.setattr(loop, "_learn", growing)
    with pytest.raises(ValueError, match=r"same when read again .* 40 rows and .* 41"):
        learn(path, "won", model="binary-perceptron")


def test_a_model_that_takes_no_row_says_why(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,won\n1,0\n2,1\n3,1\n")
    with pytest.raises(ValueError, match="X must have two levels in each column"):
        learn(path, "won", model="clipped-hebb:binarise=none", on_error="skip")
