"""Rows, labels and generators that are given to classifiers."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.datasets import load_iris

import rosenblatt as rb
from rosenblatt.estimators.inputs import LabelRuns

NAMES = rb.estimators.__all__
X = np.where(np.random.default_rng(0).standard_normal((12, 4)) > 0, 1.0, -1.0)
Y = np.arange(12) % 2


def damaged(kind, name, change):
    """Return sparse rows of which one of the arrays is changed."""
    rows = kind(X, **({"blocksize": (2, 2)} if kind is sparse.bsr_array else {}))
    setattr(rows, name, change(getattr(rows, name).copy()))
    return rows


def with_entry(place, value):
    def change(array):
        array[place] = value
        return array

    return change


CSR, LIL, BSR = sparse.csr_array, sparse.lil_array, sparse.bsr_array
DAMAGES = [
    (CSR, "indices", with_entry(3, 4), "column indices from 0 to 3"),
    (CSR, "indices", with_entry(3, 2**31 - 1), "column indices from 0 to 3"),
    (CSR, "indices", with_entry(3, -1), "column indices .*got -1"),
    (CSR, "indptr", with_entry(5, 2**31 - 1), "indptr must increase"),
    (CSR, "indptr", with_entry(-1, 1000), "indptr must increase"),
    (CSR, "indptr", with_entry(0, 2), "indptr must increase"),
    (CSR, "indptr", with_entry(5, 1), "indptr must increase"),
    (CSR, "indptr", lambda old: old[:-1], "13 entries for 12 rows"),
    (CSR, "indices", lambda old: old[:-2], "one index for each entry"),
    (CSR, "data", lambda old: old[:-2], "one index for each entry"),
    (CSR, "indices", lambda old: old / 1.0, "int32 or int64"),
    (CSR, "data", lambda old: old.astype(">f8"), "native byte order"),
    (CSR, "data", lambda old: old.repeat(2)[::2], "must be contiguous"),
    (CSR, "data", np.ma.masked_array, "X.data must not be a masked array"),
    (CSR, "indices", lambda old: old.astype("u4"), "int32 or int64"),
    (LIL, "rows", with_entry(1, [10**7] * 4), "column indices .*got 10000000"),
    (LIL, "rows", with_entry(1, [-5] * 4), "column indices .*got -5"),
    (LIL, "data", with_entry(1, [1.0] * 10**7), "got 4 and 10000000 in row 1"),
    (BSR, "indices", with_entry(3, 10**7), "block column indices from 0 to 1"),
    (BSR, "indptr", with_entry(3, 10**8), "indptr must increase"),
    (BSR, "data", lambda old: old[:-1], "one index for each entry"),
    (sparse.csc_array, "indices", with_entry(3, 99), "row indices from 0 to 11"),
    (sparse.coo_array, "col", with_entry(3, 99), "column indices from 0 to 3, got 99"),
]


@pytest.mark.parametrize("name", NAMES)
def test_damaged_sparse_rows_are_refused_before_compiled_code_reads_them(name):
    new, fitted = getattr(rb, name)(), getattr(rb, name)().fit(CSR(X), Y)
    told = {"classes": [0, 1]} if is_classifier(new) else {}
    for kind, array, change, message in DAMAGES:
        rows = damaged(kind, array, change)
        learn = partial(new.partial_fit, **told)
        for call, *given in ((new.fit, Y), (learn, Y), (fitted.predict,)):
            with pytest.raises((ValueError, TypeError), match=message):
                call(rows, *given)
        assert not hasattr(new, "n_features_in_")


@pytest.mark.parametrize("kind", [CSR, LIL, BSR, sparse.dok_array, sparse.dia_array])
def test_sparse_rows_of_any_format_are_rows(kind):
    model = rb.OnlinePerceptron().fit(kind(X), Y)
    assert np.array_equal(model.coef_, rb.OnlinePerceptron().fit(X, Y).coef_)


@pytest.mark.parametrize("name", NAMES)
def test_masked_entries_are_refused_in_words(name):
    hidden = np.ma.masked_array(X, X > 0)
    labels = np.ma.masked_array(Y, Y > 0)
    new, model = getattr(rb, name)(), getattr(rb, name)().fit(X, Y)
    weights = np.ma.masked_array(np.ones(12), Y > 0)
    for call, message in (
        (lambda: new.fit(hidden, Y), "X must not have masked entries"),
        (lambda: new.fit(X, labels), "y must not have masked entries, got 6"),
        (lambda: model.predict(hidden), "X must not have masked entries"),
        (lambda: model.partial_fit(X, labels), "y must not have masked entries, got 6"),
        (lambda: model.fit(X, Y, weights), "sample_weight must not have masked"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("name", NAMES)
def test_dates_are_refused_by_models_of_numbers(name, kind):
    dates = kind(np.zeros(X.shape, "M8[ms]"))
    if kind is np.asarray:
        with pytest.raises(TypeError, match="X must be numbers, got dates"):
            getattr(rb, name)().fit(dates, Y)
    with pytest.raises(TypeError, match=r"X must be numbers, got (da|[Dd]atetime)"):
        getattr(rb, name)().fit(X, Y).predict(dates)


def test_columns_of_text_and_dates_are_named():
    table = pd.DataFrame({"age": [1, 2, 3], "plan": ["9", "basic", "9"]})
    model = rb.BayesPerceptron().fit(table[["age"]], [0, 1, 0])
    text = "in column 'plan'; a model that is fitted to a table"
    with pytest.raises(TypeError, match=text):
        model.predict(table)
    table["plan"] = table["plan"].astype("category")
    with pytest.raises(TypeError, match=text):
        model.partial_fit(table, [0, 1, 0])
    with pytest.raises(TypeError, match=r"got datetime.* in column 'day'"):
        model.predict(table.assign(day=pd.Timestamp("2024-02-29"))[["day"]])


def test_a_failing_fit_leaves_the_generator_as_it_was():
    random = np.random.RandomState(0)
    before = random.get_state()[1].copy()
    parts = rb.rules.Delta(rb.rules.Linear()), rb.schedules.Constant(1e300)
    model = rb.OnlinePerceptron(*parts, shuffle=True, random_state=random)
    with pytest.raises(ArithmeticError):
        model.fit(1e300 * np.eye(4), [0, 1, 0, 1])
    np.testing.assert_array_equal(random.get_state()[1], before)
    assert random.get_state()[2] == 624


WORDS = "changes in 150 rows: 2, in random order 100; shuffle"
MODELS = [rb.BayesPerceptron, rb.BinaryBayesPerceptron, rb.OnlinePerceptron]


def test_the_expected_number_is_the_mean_over_random_orders():
    """A number that is off by 0.2 of 28.6 is caught."""
    rng, codes = np.random.default_rng(0), np.repeat([0, 1, 2], [30, 15, 5])
    found = [np.count_nonzero(np.diff(rng.permutation(codes))) for _ in range(5000)]
    spread = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found) - LabelRuns().add(codes).expected) < 5 * spread


@pytest.mark.parametrize("model", MODELS)
def test_fit_warns_of_sorted_labels_where_it_was_called(model):
    X, y = load_iris(return_X_y=True)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model().fit(X, y)
    (warning,) = [one for one in told if "long runs" in str(one.message)]
    assert WORDS in str(warning.message)
    assert warning.filename == __file__


@pytest.mark.parametrize("model", MODELS)
def test_random_order_few_rows_and_pieces_of_a_stream_give_no_warning(model):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model().fit(X[order], y[order])
        model().fit(X[20:80], y[20:80])
        model().partial_fit(X, y, classes=[0, 1, 2])
    assert not told


@pytest.mark.parametrize("given", [X, sparse.csr_matrix(X)])
def test_columns_without_names_make_a_model_forget_names(given):
    model = rb.OnlinePerceptron().fit(pd.DataFrame(X, columns=list("abcd")), Y)
    assert list(model.feature_names_in_) == ["a", "b", "c", "d"]
    model.fit(given, Y)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 4


@pytest.mark.parametrize("kind", [rb.OnlinePerceptron, rb.BayesPerceptron])
@pytest.mark.parametrize(
    "row",
    [
        X[:1].astype(">f8"),
        np.repeat(X[:1], 2, axis=1)[:, ::2],
        X[:1].tolist(),
        np.array([[3, -1, 2, 0]]),
        sparse.csr_matrix(X[:1]),
    ],
    ids=["big-endian", "strided", "list", "whole", "sparse"],
)
def test_single_rows_of_any_kind_are_learned_alike(kind, row):
    one, other = (kind().fit(X, Y) for _ in range(2))
    one.partial_fit(row, [1])
    plain = row.toarray() if hasattr(row, "toarray") else np.array(row, dtype=float)
    other.partial_fit(plain, [1])
    np.testing.assert_array_equal(one.coef_, other.coef_)
    before = one.coef_
    for wrong in ([7], [[1, 0]], [1, 0], [None]):
        with pytest.raises((TypeError, ValueError)):
            one.partial_fit(row, wrong)
    np.testing.assert_array_equal(one.coef_, before)
