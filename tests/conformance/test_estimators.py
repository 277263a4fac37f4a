"""Every estimator is a drop-in for users of scikit-learn: nothing is listed here."""

import contextlib
import dataclasses
import warnings

import numpy as np
import pytest
from dask.base import tokenize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import rosenblatt as rb
import rosenblatt.estimators
from tests.conformance.estimators import (
    CLASSIFIERS,
    ESTIMATORS,
    assert_same,
    data,
    every,
    finished,
    one_pass,
    seeded,
    state,
)

pytestmark = [
    # real numbers are cut into two levels, and too few rows may not be enough
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


def test_all_estimators_are_public():
    names = [kind.__name__ for kind in ESTIMATORS]
    assert sorted(rosenblatt.estimators.__all__) == names
    assert all(getattr(rb, kind.__name__) is kind for kind in ESTIMATORS)


def test_no_estimator_is_a_dataclass_or_comparable():
    for kind in ESTIMATORS:
        assert not dataclasses.is_dataclass(kind)
        assert kind() != kind()
        assert kind.__hash__ is object.__hash__
        assert not hasattr(kind, "__match_args__")


def test_models_with_equal_parameters_are_different_values_for_dask():
    one, other = (rb.OnlinePerceptron().fit(np.eye(2), y) for y in ([0, 1], [1, 0]))
    assert tokenize(one.predict) != tokenize(other.predict)


SETTINGS = [
    rb.BayesPerceptron(half_life=50),
    rb.BayesPerceptron("diagonal", noise=0.0, class_weight="balanced"),
    rb.BayesPerceptron("spherical", half_life=50),
    rb.BayesRegressor(half_life=50, horizon=1),
    rb.BayesRegressor(rb.likelihoods.StudentT()),
    rb.BayesRegressor(boundary="curved", cosines=20),
    rb.BinaryBayesPerceptron(0.1, class_weight="balanced"),
    rb.BinaryPerceptron(threshold="least error", class_weight="balanced"),
    rb.ClippedHebb(binarise=0.0),
    rb.GradientPerceptron(presentation="drawn", random_state=0),
    rb.GradientPerceptron(
        rb.rules.Tanh(), rb.schedules.Power(offset=1), presentation="fixed", max_iter=2
    ),
    rb.GradientPerceptron(presentation="batch", max_iter=200),
    rb.OnlinePerceptron(
        rb.rules.Normalised(rb.rules.Perceptron()),
        rb.schedules.PerMistake(),
        max_iter=2,
    ),
]


def depends_on_order(estimator):
    """Return whether the same rows in another order give another model.

    Sums in another order differ by rounding, which the checks of scikit-learn allow.
    """
    X, y = data(type(estimator))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        models = [
            clone(estimator).fit(X[rows], y[rows])
            for rows in (..., slice(None, None, -1))
        ]
    return not np.allclose(models[0].coef_, models[1].coef_, rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("ignore:labels come in long runs")  # of iris
@parametrize_with_checks([kind() for kind in ESTIMATORS] + SETTINGS)
def test_scikit_learn_checks(estimator, check, request):
    # These compare weighted rows with copies in another order. What to expect is asked
    # here, and not when tests are collected: every process would compile all learners.
    shuffles = "sample_weight_equivalence" in check.func.__name__
    if shuffles and depends_on_order(estimator):
        why = "the check shuffles the rows, and the result depends on their order"
        request.applymarker(pytest.mark.xfail(reason=why, strict=True))
    check(estimator)


@every
@pytest.mark.parametrize("classes", [2, 3])
def test_whole_weights_are_copies_in_succession(kind, classes):
    X, y = data(kind, classes)
    times = np.random.default_rng(1).integers(0, 4, len(X))
    settings = seeded(kind)
    if kind is rb.BayesPerceptron:  # a mixture judges its filters before the first copy
        settings = {"covariance": "diagonal"}
    model = kind(**settings).fit(X, y, sample_weight=times)
    copies = np.repeat(np.arange(len(X)), times)
    wanted = kind(**settings).fit(X[copies], y[copies])
    assert_same(model, wanted)
    assert model.t_ == wanted.t_
    chunked = kind(**settings).partial_fit(X, y, np.unique(y), sample_weight=times)
    wanted = kind(**settings).partial_fit(X[copies], y[copies], np.unique(y))
    assert_same(chunked, wanted)


@every
def test_weight_zero_is_left_out_whatever_it_is(kind):
    X, y = data(kind)
    times = np.arange(len(X)) % 3 > 0
    odd = np.where(times[:, None], X, 7 * X)
    labels = np.where(times, y, 5)
    model = kind().set_params(**seeded(kind)).fit(odd, labels, sample_weight=times)
    assert_same(model, kind().set_params(**seeded(kind)).fit(X[times], y[times]))


STREAMS = [
    *map(one_pass, CLASSIFIERS),
    rb.BayesPerceptron("full", half_life=100),
    rb.BayesPerceptron("diagonal", half_life=100),
    rb.BayesPerceptron("spherical", half_life=100),
    rb.OnlinePerceptron(rb.rules.PassiveAggressive(), rb.schedules.Power()),
]


@pytest.mark.parametrize("estimator", STREAMS, ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_any_chunks_are_one_fit(estimator, classes):
    """And with weights, fractions where the estimator does not count."""
    X, y = data(type(estimator), classes)
    some = [0, 1, 2] if "binarise" in estimator.get_params() else [0.0, 0.25, 1.0, 1.5]
    weights = np.random.default_rng(0).choice(some, len(X))
    for cuts, weight in (
        ([1, 2, 3, 40], None),
        (np.arange(1, len(X)), None),
        ([len(X) // 2], None),
        (np.arange(13, len(X), 13), weights),
    ):
        whole, model = (clone(estimator) for _ in range(2))
        whole.fit(X, y, sample_weight=weight)
        for rows in np.array_split(np.arange(len(X)), cuts):
            part = None if weight is None else weight[rows]
            model.partial_fit(X[rows], y[rows], np.arange(classes), sample_weight=part)
        assert_same(finished(model, X, y, weight), whole)


@every
@pytest.mark.parametrize("classes", [2, 3])
def test_balanced_is_a_dictionary_of_inverse_frequencies(kind, classes):
    """And does the same for data in pieces, if it may be asked for there."""
    if "class_weight" not in kind().get_params():
        pytest.skip("no class_weight")
    X, y = data(kind, classes, rows=300)
    rare = np.flatnonzero(y)
    kept = np.sort(np.append(np.flatnonzero(y == 0), rare[: len(rare) // 6]))
    X, y = X[kept], y[kept]
    counts = np.bincount(y)
    weights = {c: len(y) / (classes * n) for c, n in enumerate(counts.tolist())}
    dictionary = one_pass(kind, class_weight=weights).fit(X, y)
    balanced = one_pass(kind, class_weight="balanced").fit(X, y)
    plain = one_pass(kind).fit(X, y)
    assert_same(balanced, dictionary)
    np.testing.assert_array_equal(balanced.predict(X), dictionary.predict(X))
    scores = balanced.decision_function(X), dictionary.decision_function(X)
    np.testing.assert_allclose(*scores, rtol=1e-9)
    assert not np.array_equal(balanced.decision_function(X), plain.decision_function(X))
    stream = one_pass(kind, class_weight="balanced")
    with contextlib.suppress(ValueError):  # of learners that cannot weigh afterwards
        stream.partial_fit(X[:9], y[:9], classes=range(classes))
    if not hasattr(stream, "classes_"):
        with pytest.raises(ValueError, match="balanced"):
            stream.partial_fit(X[:9], y[:9], classes=range(classes))
        return
    finished(stream.partial_fit(X[9:], y[9:]), X, y)
    assert_same(stream, balanced)
    np.testing.assert_array_equal(stream.predict(X), balanced.predict(X))


@every
@pytest.mark.parametrize(
    "wrong",
    ["even", {0: 1.0, 7: 2.0}, {0: -1.0}, {0: np.nan}, {0: 0, 1: 0}, 3.0],
    ids=str,
)
def test_wrong_class_weights_are_refused_without_harm(kind, wrong):
    if "class_weight" not in kind().get_params():
        pytest.skip("no class_weight")
    X, y = data(kind)
    model = one_pass(kind).fit(X, y)
    model.class_weight = wrong
    before = state(model)
    new = one_pass(kind, class_weight=wrong)
    for call in (
        lambda: model.fit(X, y),
        lambda: model.partial_fit(X, y),
        lambda: new.partial_fit(X, y, classes=[0, 1]),
    ):
        with pytest.raises((ValueError, TypeError), match="class_weight"):
            call()
    assert state(model) == before


@every
@pytest.mark.parametrize("classes", [2, 3])
def test_a_warm_start_goes_on(kind, classes):
    if "warm_start" not in kind().get_params():
        pytest.skip("no warm_start")
    X, y = data(kind, classes)
    model = one_pass(kind, warm_start=True).fit(X[:50], y[:50])
    wanted = one_pass(kind).fit(X[:50], y[:50])
    assert_same(model, wanted)
    model.fit(X[50:], y[50:])
    wanted.partial_fit(X[50:], y[50:])
    for name in ("classes_", "coef_", "intercept_", "t_"):
        np.testing.assert_array_equal(getattr(model, name), getattr(wanted, name))
    assert model.t_ == len(X)
    model.fit(X[:1], y[:1])  # all classes are known
    assert model.t_ == len(X) + 1
    model.set_params(warm_start=False).fit(X[:50], y[:50])
    assert model.t_ == 50
