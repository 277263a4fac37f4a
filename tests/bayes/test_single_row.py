"""One row in place against one row by the loops for many; and by all filters."""

import pickle

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes import experts
from rosenblatt.bayes.learning import learn_in_place
from rosenblatt.estimators.bayes_perceptron import prior_filters

ROWS = 200
SETTINGS = {
    "framed": {
        "label_variance": 1.0,
        "intercept": True,
        "standardised": True,
        "clip": 5.0,
    },
    "as they are": {"label_variance": 1.0, "noise": 0.1},
}


def _rows(columns, precision):
    rng = np.random.default_rng(columns)
    X = rng.standard_normal((ROWS, columns)) * rng.uniform(0.1, 3.0, columns)
    codes = (X @ rng.standard_normal(columns) > 0).astype(np.int64)
    return X.astype(precision), codes


@pytest.mark.parametrize("precision", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [1, 20, 67, 600])
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", ["spherical", "diagonal"])
def test_a_row_in_place_is_a_pass_of_one_row(kind, setting, columns, precision):
    X, codes = _rows(columns, precision)
    wanted = filtering.start(columns, covariance=kind, **SETTINGS[setting])
    found = wanted.copy()
    before, odds = np.zeros((2, ROWS, 1))
    for i in range(ROWS):
        row = slice(i, i + 1)
        wanted = filtering.learn(wanted, X[row], codes[row], odds=before[row])
        learn_in_place(found, X[row], codes[row], odds[row])
    near = ROWS * np.finfo(precision).eps  # one rounding a row
    np.testing.assert_allclose(odds, before, rtol=near, atol=near)
    for name in ("mean", "belief", "statistics", "noise"):
        one, other = getattr(found, name), getattr(wanted, name)
        largest = np.abs(other).max()
        np.testing.assert_allclose(one, other, rtol=0, atol=near * largest)
    assert found.clock == wanted.clock
    last = ROWS * np.finfo(float).eps  # whatever the row: sums are double
    for one, other in zip(found.standardisation, wanted.standardisation, strict=True):
        np.testing.assert_allclose(one, other, rtol=last, atol=last)


@pytest.mark.parametrize("kind", ["spherical", "diagonal"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_row_that_is_not_finite_changes_nothing(kind, bad):
    X, codes = _rows(20, np.float32)
    filter = filtering.start(20, covariance=kind, **SETTINGS["framed"])
    for i in range(10):
        row = slice(i, i + 1)
        learn_in_place(filter, X[row], codes[row], np.zeros((0, 0)))
    before = pickle.dumps(filter)
    X[10, 17] = bad
    quiet = np.errstate(all="ignore")  # only plain Python would warn
    with quiet, pytest.raises(ValueError, match="in row 0, column 17"):
        learn_in_place(filter, X[10:11], codes[10:11], np.zeros((0, 0)))
    assert pickle.dumps(filter) == before


@pytest.mark.parametrize("classes", [2, 3])
def test_one_call_for_all_filters_is_a_call_for_each(classes):
    """Rows in single and double precision take turns; all are learned."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4)).astype(np.float32).astype(np.float64)
    codes = rng.integers(0, classes, 60)
    wanted = prior_filters("auto", "auto", None, 4, classes, False)
    found = wanted.copy()
    shares = np.empty((60, classes))
    wanted = experts.learn(wanted, X, codes, None, shares)
    for i in range(60):
        row = X[i : i + 1].astype(np.float32 if i % 3 else np.float64)
        each = experts.learn_row(found, row, codes[i : i + 1], wanted=True)
        np.testing.assert_allclose(each[0], shares[i], rtol=1e-9)
    for one, other in zip(found.filters, wanted.filters, strict=True):
        np.testing.assert_allclose(one.mean, other.mean, rtol=1e-9, atol=1e-12)
    before = pickle.dumps(found)
    with pytest.raises(ValueError, match="got nan in row 0, column 1"):
        experts.learn_row(found, np.array([[0, np.nan, 0, 0]]), codes[:1], wanted=False)
    assert pickle.dumps(found) == before
