"""Checks of examples: the short way for plain arrays, and everything else."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

import rosenblatt as rb
from rosenblatt.estimators.inputs import (
    set_columns,
    single_row_code,
)

X = np.random.default_rng(0).standard_normal((6, 3))
Y = np.array([0, 1, 0, 1, 1, 0])


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
