import copy
import functools
import logging
import os
import pickle
import signal
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from typer.testing import CliRunner

import rosenblatt as rb
from rosenblatt.cli.app import app
from rosenblatt.training import load
from rosenblatt.training.distributed import cluster as module
from tests.tables.examples import table, write

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

# The middle one of three classes cannot be told from the rest, which is said.
pytestmark = pytest.mark.filterwarnings(
    "ignore:above no threshold:sklearn.exceptions.ConvergenceWarning"
)
ROWS, COLUMNS = 600, 9
CHUNKS = [(600,), (150, 150, 300), (1, 99, 0, 500), (77,) * 7 + (61,)]
COUNTERS = [
    rb.ClippedHebb(),
    rb.ClippedHebb(binarise=0.2, class_weight="balanced"),
    rb.BinaryPerceptron(),
    rb.BinaryPerceptron(threshold="least error", class_weight={0: 3}),
]


@pytest.fixture(scope="module")
def workers():
    """Three processes on this machine."""
    with distributed.LocalCluster(
        n_workers=3,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    ) as found:
        yield found


@pytest.fixture(scope="module")
def client(workers):
    with distributed.Client(workers, set_as_default=False) as found:
        yield found


@pytest.fixture(scope="module")
def binary():
    """Rows of -1 and 1, the labels 0, 1 and 2 sorted: some pieces have one class."""
    rng = np.random.default_rng(1)
    X = np.where(rng.random((ROWS, COLUMNS)) < 0.3, 1.0, -1.0)
    y = np.digitize(X.sum(axis=1), [-4, -1])
    order = np.argsort(y, kind="stable")
    return X[order], y[order]


@pytest.fixture(scope="module")
def real():
    rng = np.random.default_rng(2)
    X = 3 + rng.standard_normal((ROWS, COLUMNS)) * np.arange(1, COLUMNS + 1)
    return X, (X @ rng.standard_normal(COLUMNS) > 2).astype(int)


def saved(model, folder):
    path = folder / "model.safetensors"
    rb.save_model(model, path)
    return path.read_bytes()


def lazy(X, y, rows=(150, 150, 300)):
    return da.from_array(X, chunks=(rows, 4)), da.from_array(y, chunks=100)


def cut(X, y, rows=(150, 150, 300)):
    ends = np.cumsum(rows)
    parts = zip(ends - rows, ends, strict=True)
    return [(X[first:end], y[first:end]) for first, end in parts]


@pytest.mark.parametrize("model", COUNTERS, ids=str)
@pytest.mark.parametrize("rows", CHUNKS, ids=len)
def test_counts_are_those_of_one_machine_to_the_bit(model, rows, binary, tmp_path):
    X, y = binary
    one = saved(clone(model).fit(X, y), tmp_path)
    here = rb.fit_parts(clone(model), cut(X, y, rows))
    assert saved(here, tmp_path) == one
    assert saved(rb.fit_parts(clone(model), *lazy(X, y, rows)), tmp_path) == one
    bits = rb.bits.pack(X)
    packed = rb.fit_parts(clone(model), cut(bits, y, rows))
    assert saved(packed, tmp_path) == saved(clone(model).fit(bits, y), tmp_path)


def test_a_search_without_end_is_said_once_for_all_pieces(binary):
    with pytest.warns(ConvergenceWarning, match="above no threshold") as said:
        rb.fit_parts(rb.BinaryPerceptron(), cut(*binary))
    assert len(said) == 1


def test_dataframes_with_labels_beside_or_within(client, binary, tmp_path):
    X, y = binary
    frame = pd.DataFrame(X, columns=list("abcdefghi"))
    words = pd.Series(np.array(["no", "perhaps", "yes"])[y], name="label")
    whole = rb.BinaryPerceptron().fit(frame, words)
    both = dd.from_pandas(frame.assign(label=words), npartitions=4)
    within = rb.fit_parts(rb.BinaryPerceptron(), both, "label", client=client)
    assert saved(within, tmp_path) == saved(whole, tmp_path)
    assert within.feature_names_in_.tolist() == list("abcdefghi")
    rows = both.drop(columns="label")
    beside = rb.fit_parts(rb.BinaryPerceptron(), rows, both.label)
    assert saved(beside, tmp_path) == saved(whole, tmp_path)


def test_what_workers_hold_already_and_what_is_delayed(client, binary, tmp_path):
    X, y = binary
    one = saved(rb.ClippedHebb().fit(X, y), tmp_path)
    held = client.persist(lazy(X, y))
    pieces = cut(X, y)
    delayed = [dask.delayed(pair, pure=False) for pair in pieces]
    halves = [(dask.delayed(a), dask.delayed(b)) for a, b in pieces]
    mixed = [(a, dask.delayed(b)) for a, b in pieces]
    futures = client.scatter(pieces)
    functions = [functools.partial(iter, [pair]) for pair in pieces]
    for given in ([*held], [delayed], [halves], [mixed], [futures], [functions]):
        found = rb.fit_parts(rb.ClippedHebb(), *given, client=client)
        assert saved(found, tmp_path) == one


def test_weights_of_examples(client, binary, real, tmp_path):
    times = np.random.default_rng(3).integers(0, 3, ROWS)
    for model, (X, y) in ((rb.BinaryPerceptron(), binary), (rb.ClippedHebb(), binary)):
        weights = da.from_array(times, chunks=50)
        found = rb.fit_parts(clone(model), *lazy(X, y), weights, client=client)
        whole = clone(model).fit(X, y, sample_weight=times)
        assert saved(found, tmp_path) == saved(whole, tmp_path)
    X, y = real
    pieces = [(*pair, times[:150]) for pair in cut(X, y, (150, 450))[:1]]
    found = rb.fit_parts(rb.OnlinePerceptron(), pieces)
    assert found.t_ == times[:150].sum()


def merged_by_hand(model, pieces):
    """Pairs, then pairs of pairs: three pieces are ((0, 1), 2)."""
    parts = [clone(model).partial_fit(X, y, classes=[0, 1]) for X, y in pieces]
    return parts[0].merge(parts[1]).merge(parts[2])


@pytest.mark.parametrize(
    "model",
    [
        rb.BayesPerceptron(),
        rb.BayesPerceptron("full"),
        rb.BayesPerceptron("diagonal", noise=0.1, class_weight="balanced"),
        rb.BayesPerceptron("spherical"),
        rb.BinaryBayesPerceptron(),
    ],
    ids=str,
)
def test_beliefs_are_merged_as_by_hand(model, real, tmp_path):
    found = rb.fit_parts(clone(model), cut(*real))
    by_hand = merged_by_hand(model, cut(*real))
    assert saved(found, tmp_path) == saved(by_hand, tmp_path)
    assert found.t_ == ROWS


def mixed_plainly(pieces, rounds, scale):
    """Iterative parameter mixing of the perceptron with rate scale / time, in loops."""
    dim = COLUMNS + 1
    total, seen, mistakes = np.zeros(dim), 0, 0
    for _ in range(rounds):
        found = []
        for X, y in pieces:
            w, clock = total.copy(), seen
            for x, label in zip(np.c_[X, np.ones(len(X))], 2 * y - 1, strict=True):
                clock += 1
                if label * (w @ x) <= 0:
                    w += scale / (clock / dim) * label * x
                    mistakes += 1
            found.append(w)
        sizes = [len(y) for _, y in pieces]
        seen += sum(sizes)
        total = np.average(found, axis=0, weights=sizes)
    return total, seen, mistakes


@pytest.mark.parametrize("rounds", [1, 3])
def test_weights_of_perceptrons_are_mixed_after_every_round(rounds, client, real):
    schedule = rb.schedules.Power(0.5, 1.0)
    model = rb.OnlinePerceptron(schedule=schedule, max_iter=rounds)
    rb.fit_parts(model, *lazy(*real), client=client)
    weights, seen, mistakes = mixed_plainly(cut(*real), rounds, 0.5)
    np.testing.assert_allclose(model.coef_[0], weights[:-1], rtol=1e-9)
    np.testing.assert_allclose(model.intercept_[0], weights[-1], rtol=1e-9)
    assert (model.t_, model.mistakes_[0], model.n_iter_) == (seen, mistakes, rounds)


def test_one_piece_of_a_perceptron_is_fit(real, tmp_path):
    model = rb.OnlinePerceptron(schedule=rb.schedules.Power(1.0, 0.5), max_iter=3)
    found = rb.fit_parts(clone(model), [real])
    assert saved(found, tmp_path) == saved(model.fit(*real), tmp_path)


def dangerous(number, flag):
    """Rows of a piece; the process that first asks for the third is killed."""
    if number == 3 and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    rng = np.random.default_rng(number)
    X = rng.standard_normal((200, COLUMNS))
    return X, (X[:, 0] + 0.3 * rng.standard_normal(200) > 0).astype(int)


@pytest.mark.slow  # Dask has once not noticed the death, and waited for ever
def test_a_worker_killed_in_the_middle_changes_nothing(client, tmp_path):
    model = rb.BayesPerceptron("diagonal")
    flag = tmp_path / "killed"
    pieces = [functools.partial(dangerous, i, str(flag)) for i in range(6)]
    found = rb.fit_parts(clone(model), pieces, classes=[0, 1], client=client)
    assert flag.exists()
    same = rb.fit_parts(clone(model), pieces, classes=[0, 1])
    assert saved(found, tmp_path) == saved(same, tmp_path)


def received(dask_worker):
    return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)


def test_models_travel_and_rows_do_not(client):
    rows, pieces = 20_000, 8
    X = da.random.default_rng(0).random((rows * pieces, COLUMNS), chunks=(rows, -1))
    X = X.round()
    y = X.sum(axis=1) > COLUMNS / 2
    before = sum(client.run(received).values())
    model = rb.fit_parts(rb.BinaryPerceptron(), X, y, client=client)
    moved = sum(client.run(received).values()) - before
    assert model.t_ == rows * pieces
    # Three rounds (labels, influences, thresholds); in each at most one result of every
    # piece, one of every join but the last, and the model, which each worker gets once;
    # 2 kB are what Dask wraps a result in.
    results = 3 * (2 * pieces - 2 + len(client.nthreads()))
    assert moved <= results * (len(pickle.dumps(model)) + 2000)
    assert moved < X.nbytes / 50


def test_what_a_task_returns_does_not_grow_with_its_rows():
    X, y = dangerous(0, "")
    model = rb.BayesPerceptron("diagonal").fit(X, y)
    few = len(pickle.dumps(model))
    model.partial_fit(np.tile(X, (50, 1)), np.tile(y, 50))
    assert len(pickle.dumps(model)) < few + 100  # longer numbers of examples


@pytest.mark.parametrize(
    "model", [rb.ClippedHebb(), rb.BayesPerceptron("diagonal")], ids=str
)
def test_a_bad_row_is_named_and_the_model_stays(model, client, binary):
    X, y = binary
    model = clone(model).fit(X, y)
    before = pickle.dumps(model)
    wrong = X.copy()
    wrong[333, 2] = np.nan
    with pytest.raises(ValueError, match=r"piece 2, row 33: .*NaN"):
        rb.fit_parts(model, *lazy(wrong, y), client=client)
    with pytest.raises(ValueError, match=r"piece [01], row 0: y must be among"):
        rb.fit_parts(model, *lazy(X, y), classes=[1, 2], client=client)
    assert pickle.dumps(model) == before


def test_levels_that_pieces_cannot_agree_on_are_an_error(binary):
    X, y = binary
    three = X.copy()
    three[0, 0] = 7.0
    with pytest.raises(ValueError, match="binarise"):
        rb.fit_parts(rb.ClippedHebb(), cut(three, y))


def test_a_model_forgets_what_it_knew(binary, tmp_path):
    X, y = binary
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    model = rb.ClippedHebb().fit(frame, y)
    rb.fit_parts(model, [binary])
    assert saved(model, tmp_path) == saved(rb.ClippedHebb().fit(X, y), tmp_path)


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        (rb.GradientPerceptron(), "ClippedHebb .* BayesPerceptron .* OnlinePerceptron"),
        (rb.ShiftedPerceptron(), "model must be"),
        (rb.BayesPerceptron(half_life=10), "half_life must be None"),
        (rb.OnlinePerceptron(shuffle=True), "shuffle must be False"),
        (rb.OnlinePerceptron(rb.rules.Shifted(rb.rules.Hebb())), "average shift"),
    ],
    ids=str,
)
def test_models_that_cannot_be_joined_are_refused(model, complaint, binary):
    with pytest.raises((TypeError, ValueError), match=complaint):
        rb.fit_parts(model, [binary])


def test_pieces_that_are_none_are_refused(binary):
    X, y = binary
    fitted = rb.ClippedHebb(warm_start=True).fit(X, y)
    for wrong, complaint in (
        (lambda: rb.fit_parts(fitted, [binary]), "warm_start must be False"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), []), "one piece or more"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), 3), "X must be of Dask"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), X, y), "take fit"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), [X]), "piece 0 must be a pair"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), [(X, y[1:])]), "as many labels"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), [(X[:0], y[:0])]), "more than one"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), lazy(X, y)[0]), "y must be given"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), lazy(X, y)[0], y), "y must be a coll"),
        (
            lambda: rb.fit_parts(rb.ClippedHebb(), *lazy(X, y[1:], (200, 400))),
            "y must have 600 rows",
        ),
    ):
        with pytest.raises((TypeError, ValueError), match=complaint):
            wrong()


def test_thresholds_are_merged_only_with_the_same_weights(binary):
    X, y = binary
    one = rb.BinaryPerceptron().fit(X, y)
    other = rb.BinaryPerceptron().fit(-X, y)
    before = pickle.dumps(one)
    with pytest.raises(ValueError, match="same weights"):
        one.merge_threshold(other)
    assert pickle.dumps(one) == before
    assert one.merge_threshold(copy.copy(one)).threshold_examples_ == 2 * ROWS


def test_without_dask_the_extra_is_named(monkeypatch, binary):
    parts = lazy(*binary)
    monkeypatch.setattr(module, "dask", None)
    with pytest.raises(ImportError, match=r"rosenblatt\[dask\]"):
        rb.fit_parts(rb.ClippedHebb(), *parts)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A table, whole and in three files of different formats."""
    folder = tmp_path_factory.mktemp("parts")
    given = table(ROWS)
    write(given, folder / "whole.csv")
    ends = {"a.csv": (0, 100), "b.parquet": (100, 350), "c.csv.gz": (350, ROWS)}
    for name, (first, end) in ends.items():
        part = {key: values[first:end] for key, values in given.items()}
        write(part, folder / name)
    return folder / "whole.csv", [folder / name for name in ends]


@pytest.mark.parametrize("model", ["clipped-hebb", "binary-perceptron"])
def test_files_are_counted_as_one_file_to_the_bit(model, client, files, tmp_path):
    _, parts = files
    model += ":binarise=0.5"
    given = {"model": model, "categories": "one-hot"}
    found = rb.train_parts(parts, "won", client=client, **given)
    whole = rb.train(parts, "won", **given)
    assert saved(found.model, tmp_path) == saved(whole.model, tmp_path)
    assert found.encoder == whole.encoder
    assert found.record.rows == whole.record.rows == ROWS


def test_the_command_and_python_give_the_same_file(client, files, tmp_path):
    _, parts = files
    options = ["--target", "won", "--scheduler", client.scheduler.address]
    options += ["--model", "bayes-diagonal"]
    save = tmp_path / "m.safetensors"
    done = CliRunner().invoke(
        app, ["train", *map(str, parts), *options, "--save", str(save)]
    )
    assert done.exit_code == 0, done.output
    assert f"{ROWS} rows, error 0." in done.output
    save_here = tmp_path / "n.safetensors"
    rb.train_parts(parts, "won", save=save_here, model="bayes-diagonal")
    assert save.read_bytes() == save_here.read_bytes()
    assert load(save).settings["pieces"] == len(parts)


def test_perceptrons_of_files_go_several_rounds(client, files):
    _, parts = files
    given = {"model": "perceptron", "passes": 3, "target": "won"}
    found = rb.train_parts(parts, client=client, **given)
    here = rb.train_parts(parts, **given)
    assert np.array_equal(found.model.coef_, here.model.coef_)
    assert (found.model.t_, found.record.rows) == (3 * ROWS, ROWS)


def test_bad_rows_of_files_are_named_or_counted(client, files, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b,side,won\n1,2,left,1\n1,x,left,0\n")
    parts = [*files[1], bad]
    with pytest.raises(ValueError, match=r"bad\.csv, line 3, column 'b': not a number"):
        rb.train_parts(parts, "won", client=client, model="clipped-hebb:binarise=0")
    found = rb.train_parts(
        parts,
        "won",
        client=client,
        model="clipped-hebb:binarise=0",
        on_error="skip",
    )
    assert found.record.skipped == {"not a number": 1}
    assert found.record.rows == ROWS + 1


def test_wrong_options_of_the_command(files):
    part = str(files[1][0])
    for options, complaint in (
        (["--workers", "1", "--resume", "--save", "m.safetensors"], "--resume"),
        (["--workers", "1", "--scheduler", "tcp://127.0.0.1:1"], "not both"),
        (["--workers", "0"], "workers must"),
        (["--workers", "1", "--model", "bayes:half_life=9"], "half_life must be None"),
    ):
        done = CliRunner().invoke(app, ["train", part, "--target", "won", *options])
        assert done.exit_code != 0
        assert complaint in done.output + str(done.exception)
    with pytest.raises(ValueError, match="standard input"):
        rb.train_parts(["-"], "won")


def test_any_number_of_workers_gives_the_same_bits(
    workers, client, binary, real, tmp_path
):
    # the last test that uses the workers: it sends them away
    models = [*COUNTERS, rb.BayesPerceptron("diagonal"), rb.OnlinePerceptron()]
    given = [binary if model in COUNTERS else real for model in models]
    wanted = []
    for model, (X, y) in zip(models, given, strict=True):
        alone = rb.fit_parts(clone(model), cut(X, y, CHUNKS[3]))
        wanted.append(saved(alone, tmp_path))
        if model in COUNTERS:
            assert wanted[-1] == saved(clone(model).fit(X, y), tmp_path)
    for count in (3, 2, 1):
        workers.scale(count)
        deadline = time.monotonic() + 60
        while len(client.nthreads()) != count and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(client.nthreads()) == count
        for model, data, bits in zip(models, given, wanted, strict=True):
            parts = lazy(*data, CHUNKS[3])
            found = rb.fit_parts(clone(model), *parts, client=client)
            assert saved(found, tmp_path) == bits
