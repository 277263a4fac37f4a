"""Checks of examples: the short way for plain arrays, and everything else."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, csr_matrix

import rosenblatt as rb
from rosenblatt.estimators.inputs import (
    rows_and_labels,
    set_columns,
    single_row_code,
)

X = np.random.default_rng(0).standard_normal((6, 3))
Y = np.array([0, 1, 0, 1, 1, 0])


@pytest.mark.parametrize("precision", [np.float32, np.float64])
@pytest.mark.parametrize("kind", [np.asarray, csr_matrix, csr_array])
def test_what_engines_take_is_passed_on(kind, precision):
    given = kind(X.astype(precision))
    rows, labels = rows_and_labels(rb.OnlinePerceptron(), given, Y)
    assert rows is given
    assert labels is Y


@pytest.mark.parametrize(
    "given", [X.astype(">f8"), X[:, ::-1], X.T.copy().T, X.tolist(), pd.DataFrame(X)]
)
def test_everything_else_becomes_that(given):
    rows, labels = rows_and_labels(rb.OnlinePerceptron(), given, Y.tolist())
    assert rows.dtype == np.float64
    assert rows.dtype.isnative
    assert rows.flags.c_contiguous
    np.testing.assert_array_equal(rows, np.asarray(given))
    np.testing.assert_array_equal(labels, Y)


def test_labels_that_are_apart_are_put_together():
    apart = np.stack([Y, 1 - Y], axis=1)[:, 0]
    rows, labels = rows_and_labels(rb.OnlinePerceptron(), X, apart)
    assert rows is X
    assert labels.flags.c_contiguous
    np.testing.assert_array_equal(labels, Y)


@pytest.mark.parametrize(
    ("rows", "labels", "said"),
    [
        (X[:5], Y, "inconsistent numbers of samples"),
        (X[0], Y[:3], "Expected 2D array"),
        (X[:0], Y[:0], "0 sample"),
        (X[:, :0], Y, "0 feature"),
        (csr_matrix((6, 0)), Y, "0 feature"),
        (X, Y[:, None] * np.ones((1, 2), int), "1d array"),
        (X, Y + 0.5, "Unknown label type"),
    ],
)
def test_what_is_wrong_is_said(rows, labels, said):
    with pytest.raises(ValueError, match=said):
        rows_and_labels(rb.OnlinePerceptron(), rows, labels)


@pytest.mark.parametrize("given", [X, csr_matrix(X)])
def test_columns_without_names_make_a_model_forget_names(given):
    model = rb.OnlinePerceptron().fit(pd.DataFrame(X, columns=list("abc")), Y)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    set_columns(model, given)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 3


@pytest.mark.parametrize("kind", [rb.OnlinePerceptron, rb.BayesPerceptron])
def test_a_single_row_of_the_other_byte_order_is_learned(kind):
    one, other = (kind().fit(X, Y) for _ in range(2))
    one.partial_fit(X[:1], 1 - Y[:1])
    other.partial_fit(X[:1].astype(">f8"), 1 - Y[:1])
    np.testing.assert_array_equal(one.coef_, other.coef_)


ROW = np.zeros((1, 2))


@pytest.fixture(scope="module")
def model():
    rows = np.array([[0.0, 1.0], [1.0, 0.0]])
    return rb.OnlinePerceptron().partial_fit(rows, ["no", "yes"])


def test_a_plain_row_has_the_code_of_its_label(model):
    assert single_row_code(model, ROW, ["yes"], None, None).tolist() == [1]


@pytest.mark.parametrize(
    ("given", "y", "classes", "weight"),
    [
        (ROW, ["other"], None, None),
        (ROW, [["list"]], None, None),
        (ROW, ["yes", "no"], None, None),
        (ROW, ["yes"], ["no", "yes"], None),
        (ROW, ["yes"], None, [2]),
        (np.zeros((1, 3)), ["yes"], None, None),
        (ROW.astype(int), ["yes"], None, None),
        (ROW.tolist(), ["yes"], None, None),
        (np.zeros((1, 4))[:, ::2], ["yes"], None, None),
    ],
)
def test_any_other_row_takes_the_usual_path(model, given, y, classes, weight):
    assert single_row_code(model, given, y, classes, weight) is None


def test_a_model_before_its_first_row_has_no_codes():
    assert single_row_code(rb.OnlinePerceptron(), ROW, ["yes"], None, None) is None
