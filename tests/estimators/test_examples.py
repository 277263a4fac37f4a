"""Checks of examples: the short way for plain arrays, and everything else."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

import rosenblatt as rb

X = np.random.default_rng(0).standard_normal((6, 3))
Y = np.array([0, 1, 0, 1, 1, 0])


@pytest.mark.parametrize("given", [X, csr_matrix(X)])
def test_columns_without_names_make_a_model_forget_names(given):
    model = rb.OnlinePerceptron().fit(pd.DataFrame(X, columns=list("abc")), Y)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    model.fit(given, Y)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 3


@pytest.mark.parametrize("kind", [rb.OnlinePerceptron, rb.BayesPerceptron])
@pytest.mark.parametrize(
    "row",
    [
        X[:1].astype(">f8"),
        np.repeat(X[:1], 2, axis=1)[:, ::2],
        X[:1].tolist(),
        np.array([[3, -1, 2]]),
        csr_matrix(X[:1]),
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
