"""Sources of pieces, and errors if there are none."""

import functools
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import rosenblatt as rb
from rosenblatt.system import dask_client as module
from tests.training.parts.pieces import COLUMNS, ROWS, cut, lazy, saved

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

# The middle one of three classes cannot be told from the rest, which is said.
pytestmark = pytest.mark.filterwarnings(
    "ignore:the share of positive:sklearn.exceptions.ConvergenceWarning"
)


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


def test_labels_may_be_a_column(binary, tmp_path):
    X, y = binary
    rows, labels = lazy(X, y)
    found = rb.fit_parts(rb.ClippedHebb(), rows, labels[:, None].rechunk((7, 1)))
    assert saved(found, tmp_path) == saved(rb.ClippedHebb().fit(X, y), tmp_path)
    with pytest.raises(ValueError, match="y must be one column, got the shape"):
        rb.fit_parts(rb.ClippedHebb(), rows, rows)


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
    # What each worker gets: the model, once in each of three rounds (for labels,
    # influences, thresholds); results go to the process that joins them. 2 kB are what
    # Dask wraps it in.
    received_once = 3 * len(client.nthreads())
    assert moved <= received_once * (len(pickle.dumps(model)) + 2000)
    assert moved < X.nbytes / 50


@pytest.mark.filterwarnings("ignore:labels come in long runs")
@pytest.mark.parametrize(
    "model", [rb.ClippedHebb(), rb.BayesPerceptron("diagonal")], ids=str
)
def test_a_bad_piece_is_named_and_the_model_stays(model, client, binary):
    X, y = binary
    model = clone(model).fit(X, y)
    before = pickle.dumps(model)
    wrong = X.copy()
    wrong[333, 2] = np.nan
    with pytest.raises(ValueError, match=r"piece 2: .*NaN"):
        rb.fit_parts(model, *lazy(wrong, y), client=client)
    with pytest.raises(ValueError, match=r"piece [01]: y must be among"):
        rb.fit_parts(model, *lazy(X, y), classes=[1, 2], client=client)
    assert pickle.dumps(model) == before


def test_pieces_that_are_none_are_refused(binary):
    X, y = binary
    fitted = rb.ClippedHebb(warm_start=True).fit(X, y)
    for wrong, complaint in (
        (lambda: rb.fit_parts(fitted, [binary]), "warm_start must be False"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), []), "one piece or more"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), 3), "X must be of Dask"),
        (lambda: rb.fit_parts(rb.ClippedHebb(), X, y), "Take model.fit"),
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


def test_without_dask_the_extra_is_named(monkeypatch, binary):
    parts = lazy(*binary)
    monkeypatch.setattr(module, "dask", None)
    with pytest.raises(ImportError, match=r"rosenblatt\[dask\]"):
        rb.fit_parts(rb.ClippedHebb(), *parts)
