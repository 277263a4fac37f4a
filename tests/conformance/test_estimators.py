"""Every estimator is a drop-in for users of scikit-learn: nothing is listed here."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import rosenblatt as rb
import rosenblatt.estimators
from tests.conformance.estimators import (
    ESTIMATORS,
    assert_same,
    data,
    finished,
    one_pass,
)

every = pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
pytestmark = [
    # real numbers are cut into two levels, and too few rows may not be enough
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


def test_all_estimators_are_public():
    names = [kind.__name__ for kind in ESTIMATORS]
    assert sorted(rosenblatt.estimators.__all__) == names
    assert all(getattr(rb, kind.__name__) is kind for kind in ESTIMATORS)


def depends_on_order(model):
    """Return whether the same rows in another order give another model."""
    X, y = data(type(model))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        models = [clone(model).fit(X[rows], y[rows]) for rows in (..., slice(None, None, -1))]
    return not np.array_equal(models[0].coef_, models[1].coef_)


def expected_failures(model):
    """Return the checks that compare weighted rows with copies in another order."""
    if not depends_on_order(model):
        return {}
    return dict.fromkeys(
        [
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ],
        "the check shuffles the rows, and the result depends on their order",
    )


@parametrize_with_checks(
    [kind() for kind in ESTIMATORS], expected_failed_checks=expected_failures
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@every
@pytest.mark.parametrize("classes", [2, 3])
def test_whole_weights_are_copies_in_succession(kind, classes):
    X, y = data(kind, classes)
    times = np.random.default_rng(1).integers(0, 4, len(X))
    model = kind().set_params(**seeded(kind)).fit(X, y, sample_weight=times)
    copies = np.repeat(np.arange(len(X)), times)
    wanted = kind().set_params(**seeded(kind)).fit(X[copies], y[copies])
    assert_same(model, wanted)
    assert model.t_ == wanted.t_
    chunked = kind().partial_fit(X, y, np.unique(y), sample_weight=times)
    assert_same(chunked, kind().partial_fit(X[copies], y[copies], np.unique(y)))


def seeded(kind):
    return {"random_state": 0} if "random_state" in kind().get_params() else {}


@every
def test_weight_zero_is_left_out_whatever_it_is(kind):
    X, y = data(kind)
    times = np.arange(len(X)) % 3 > 0
    odd = np.where(times[:, None], X, 7 * X)
    labels = np.where(times, y, 5)
    model = kind().set_params(**seeded(kind)).fit(odd, labels, sample_weight=times)
    assert_same(model, kind().set_params(**seeded(kind)).fit(X[times], y[times]))


@every
@pytest.mark.parametrize("classes", [2, 3])
def test_any_chunks_are_one_fit(kind, classes):
    X, y = data(kind, classes)
    whole = one_pass(kind).fit(X, y)
    for cuts in ([1, 2, 3, 40], np.arange(1, len(X)), [len(X) // 2]):
        model = one_pass(kind)
        for rows in np.array_split(np.arange(len(X)), cuts):
            model.partial_fit(X[rows], y[rows], classes=np.arange(classes))
        assert_same(finished(model, X, y), whole)
