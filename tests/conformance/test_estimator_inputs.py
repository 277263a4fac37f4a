"""Inputs of every estimator: labels, tables, sparse matrices, single precision."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.utils import get_tags

import rosenblatt as rb
from tests.conformance.estimators import (
    assert_same,
    data,
    every,
    finished,
    one_pass,
    state,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
NAMES = list("abcdef")
LABELS = {
    "words": ["no", "perhaps", "yes"],
    "numbers": [3, 10, 12],
    "negative": [-7, -1, 4],
    "bytes": np.array([0, 2, 3], np.uint8),
    "objects": np.array(["no", "perhaps", "yes"], object),
    "whole floats": [1.0, 2.0, 3.0],
    "truths": [False, True],
}


@every
@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_labels_of_any_type(kind, labels):
    labels = np.asarray(labels)
    X, codes = data(kind, len(labels))
    y = labels[codes]
    wanted = one_pass(kind).fit(X, codes)
    model = one_pass(kind).fit(X, y)
    first = one_pass(kind).partial_fit(X[:40], y[:40], classes=labels[::-1])
    for found in (model, first):
        assert found.classes_.tolist() == sorted(labels.tolist())
        assert found.predict(X).dtype == labels.dtype
    np.testing.assert_array_equal(model.predict(X), labels[wanted.predict(X)])
    first.partial_fit(X[40:], y[40:].tolist(), classes=list(labels))
    first.partial_fit(X[:1], y[:1])
    before = state(first)
    stranger = np.array(["zebra"]) if y.dtype.kind in "OU" else np.array([99])
    with pytest.raises(ValueError, match=r"y must be among classes \[.*, got "):
        first.partial_fit(X[:1], stranger)
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        first.partial_fit(X[:1], y[:1], classes=labels[:-1])
    assert state(first) == before


@every
def test_series_and_categories_are_labels(kind):
    X, codes = data(kind, 3)
    words = np.array(["red", "green", "blue"])[codes]
    wanted = one_pass(kind).fit(X, words)
    series = pd.Series(words, index=np.arange(len(words))[::-1])
    given = [series, series.astype("category"), pl.Series(words), list(words)]
    for y in (*given, pa.chunked_array([words])):
        model = one_pass(kind).fit(X, y)
        assert model.classes_.tolist() == ["blue", "green", "red"]
        np.testing.assert_array_equal(model.predict(X), wanted.predict(X))
        stream = one_pass(kind).partial_fit(X, y, ["red", "green", "blue"])
        assert_same(finished(stream, X, y), model)


@every
@pytest.mark.parametrize(
    "frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"]
)
def test_frames_have_names_that_are_kept_and_checked(kind, frame):
    X, y = data(kind)
    table = frame({name: X[:, i] for i, name in enumerate(NAMES)})
    model = one_pass(kind).fit(table, y)
    assert model.feature_names_in_.tolist() == NAMES
    assert_same(model, one_pass(kind).fit(X, y))
    np.testing.assert_array_equal(model.predict(table), model.predict(table[NAMES]))
    stream = one_pass(kind).partial_fit(table, y, classes=[0, 1])
    assert stream.feature_names_in_.tolist() == NAMES
    before = state(stream)
    other = frame({name: X[:, i] for i, name in enumerate("uvwxyz")})
    np.testing.assert_array_equal(
        stream.predict(table[NAMES[::-1]]), stream.predict(table)
    )
    for call in (
        lambda: stream.partial_fit(other, y),
        lambda: stream.partial_fit(other[:1], y[:1]),
        lambda: stream.predict(other),
    ):
        with pytest.raises(ValueError, match="feature names should match"):
            call()
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        stream.predict(X)
    assert state(stream) == before
    stream.partial_fit(table[:1], y[:1])


SPARSE = [sparse.csr_matrix, sparse.csr_array, sparse.csc_matrix, sparse.csc_array]


@every
@pytest.mark.parametrize("wide", [np.int32, np.int64])
@pytest.mark.parametrize("form", SPARSE, ids=lambda form: form.__name__)
def test_sparse_matrices_of_any_form_are_rows(kind, form, wide):
    """All forms give the same model; a sparse model may differ from a dense one.

    That of BayesPerceptron does by default, since it keeps less of its belief.
    """
    X, y = data(kind)
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    if "binarise" in kind().get_params():
        X = (X > 0.0).astype(float)
    table = form(X)
    table.indices, table.indptr = table.indices.astype(wide), table.indptr.astype(wide)
    model = one_pass(kind)
    assert get_tags(model).input_tags.sparse
    model.fit(table, y)
    if "covariance" in kind().get_params():
        plain = sparse.csr_matrix(X)
        for rows, given in (
            (plain, {}),
            (plain, {"covariance": "diagonal"}),
            (X, {"covariance": "full"}),
        ):
            wanted = one_pass(kind, **given).fit(rows, y)
            assert_same(one_pass(kind, **given).fit(table, y), wanted)
    else:
        assert_same(one_pass(kind).fit(X, y), model)
    np.testing.assert_array_equal(model.predict(table), model.predict(X))
    scores = model.decision_function(table)
    np.testing.assert_allclose(scores, model.decision_function(X), 1e-9, 1e-9)
    stream = one_pass(kind).partial_fit(table[:40], y[:40], classes=[0, 1])
    stream.partial_fit(table[40:], y[40:])
    assert_same(model, finished(stream, table, y))


@every
def test_packed_bits_are_taken_or_refused(kind):
    X, y = data(kind)
    bits = rb.bits.pack(X > 0)
    model = one_pass(kind)
    try:
        model.fit(bits, y)
    except (TypeError, ValueError):
        assert not hasattr(model, "classes_")
        model.fit(X, y)
        with pytest.raises(TypeError, match="X must be rows of numbers, got Bits"):
            model.predict(bits)
    else:
        # weights of inputs -1 and +1, whatever else is learned
        assert model.predict(bits).shape == y.shape
        stream = one_pass(kind).partial_fit(bits, y, classes=[0, 1])
        np.testing.assert_array_equal(stream.coef_, model.coef_)


@every
def test_single_precision_is_learned_without_a_copy(kind):
    X, y = data(kind, rows=20_000, columns=50)
    X = (X / np.sqrt(50)).astype(np.float32)
    model = one_pass(kind).partial_fit(X[:100], y[:100], classes=[0, 1])
    twin = one_pass(kind).partial_fit(X[:100], y[:100], classes=[0, 1])
    tracemalloc.start()
    model.partial_fit(X, y)
    model.predict(X[:10])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 0.75 * X.nbytes
    twin.partial_fit(X.astype(np.float64), y)
    close = np.isclose(
        model.coef_, twin.coef_, rtol=1e-3, atol=1e-3 * np.abs(twin.coef_).max()
    )
    assert close.all()
