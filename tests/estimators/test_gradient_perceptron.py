"""Gradient learning: scikit-learn's conventions, a naive twin, and the monitor."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression

from rosenblatt.core import Activation
from rosenblatt.estimators import GradientPerceptron
from rosenblatt.rules import Linear, Logistic, Tanh
from rosenblatt.schedules import Constant, Power
from tests import references
from tests.conformance.estimators import state

PRESENTATIONS = ["batch", "drawn", "shuffled", "fixed"]


def data(classes=2, rows=90, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5)) / 3 + 0.1
    return X, (X @ rng.standard_normal((5, classes))).argmax(axis=1)


def close(a, b):
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(a.intercept_, b.intercept_, rtol=1e-9, atol=1e-13)
    np.testing.assert_array_equal(a.mistakes_, b.mistakes_)
    assert a.t_ == b.t_


OUTPUTS = {
    Linear(): (lambda h: h, lambda h: 1 + 0 * h, -1),
    Logistic(2.0): (
        lambda h: 1 / (1 + np.exp(-2 * h)),
        lambda h: 0.5 / np.cosh(h) ** 2,
        0,
    ),
    Tanh(): (np.tanh, lambda h: 1 / np.cosh(h) ** 2, -1),
}


@dataclass(frozen=True)
class Arc(Activation):
    """A user's own output, with targets of its own."""

    @property
    def targets(self) -> tuple[float, float]:
        return (-0.9, 0.9)

    def bind(self) -> Callable[[float], tuple[float, float]]:
        def output(h: float) -> tuple[float, float]:
            root = (1.0 + h * h) ** 0.5
            return h / root, 1.0 / root**3

        return output


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("presentation", ["batch", "fixed"])
@pytest.mark.parametrize("activation", OUTPUTS, ids=repr)
@pytest.mark.parametrize("intercept", [False, True])
def test_weights_and_costs_are_those_of_the_reference(
    activation, presentation, classes, intercept
):
    X, y = data(classes)
    given = {"presentation": presentation, "fit_intercept": intercept, "max_iter": 3}
    model = GradientPerceptron(activation, Power(3.0, 0.5, 2.0), **given).fit(X, y)
    f, slope, low = OUTPUTS[activation]
    inputs = np.column_stack([X, np.ones(len(X))]) if intercept else X
    n = inputs.shape[1]
    for k in range(len(model.coef_)):
        one = 1 if classes == 2 else k
        targets = np.where(y == one, 1.0, low)
        w, costs = references.descend(
            f, slope, lambda t: 3 / np.sqrt(t / n + 2), inputs, targets, 3, presentation
        )
        np.testing.assert_allclose(model.coef_[k], w[:5], rtol=1e-9)
        np.testing.assert_allclose(model.costs_[:, k], costs, rtol=1e-9)


def test_batches_converge_to_least_squares_and_stop_there():
    X, y = data()
    model = GradientPerceptron(
        Linear(), presentation="batch", max_iter=5000, tol=1e-9
    ).fit(X, y)
    exact = LinearRegression().fit(X, 2.0 * y - 1)
    assert model.converged_
    assert model.n_iter_ < 5000
    assert model.gradients_[-1].max() <= 1e-9 < model.gradients_[-2].max()
    np.testing.assert_allclose(model.coef_[0], exact.coef_, rtol=1e-6)
    assert (np.diff(model.costs_[:, 0]) < 1e-15).all()  # rounding, at the end


@pytest.mark.parametrize("presentation", PRESENTATIONS)
def test_whole_weights_equal_copies(presentation):
    X, y = data(3)
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    model = GradientPerceptron(
        Arc(), Power(offset=5), presentation=presentation, max_iter=3, random_state=2
    )
    a = pickle.loads(pickle.dumps(model)).fit(X, y, sample_weight=weights)
    b = model.fit(X.repeat(weights, 0), y.repeat(weights))
    close(a, b)
    np.testing.assert_allclose(a.costs_, b.costs_, rtol=1e-12)
    assert a.t_ == 3 * weights.sum()


@pytest.mark.parametrize("presentation", ["batch", "fixed"])
@pytest.mark.parametrize("classes", [2, 3])
def test_partial_fit_goes_on_with_clock_and_schedule(presentation, classes):
    X, y = data(classes)
    given = {"schedule": Power(5.0, 1.0, 1.0), "presentation": presentation}
    whole = GradientPerceptron(**given, max_iter=3).fit(X, y)
    parted = GradientPerceptron(**given)
    for _ in range(3):
        pieces = [X] if presentation == "batch" else np.array_split(X, [1, 40])
        labels = [y] if presentation == "batch" else np.array_split(y, [1, 40])
        for rows, target in zip(pieces, labels, strict=True):
            parted.partial_fit(rows, target, classes=np.arange(classes))
            parted = pickle.loads(pickle.dumps(parted))
    np.testing.assert_array_equal(whole.coef_, parted.coef_)
    close(whole, parted)


def test_a_batch_of_partial_fit_is_one_step_along_its_mean():
    X, y = data()
    model = GradientPerceptron(Linear(), Constant(0.5), presentation="batch")
    model.partial_fit(X[:10], y[:10], classes=[0, 1])
    np.testing.assert_allclose(
        model.coef_[0], 0.5 * (2.0 * y[:10] - 1) @ X[:10] / 10, rtol=1e-12
    )
    assert model.t_ == 10


def test_orders_are_what_they_are_called():
    X, y = data()
    found = {
        name: GradientPerceptron(presentation=name, max_iter=2, random_state=3).fit(
            X, y
        )
        for name in PRESENTATIONS
    }
    again = GradientPerceptron(presentation="drawn", max_iter=2, random_state=3)
    np.testing.assert_array_equal(again.fit(X, y).coef_, found["drawn"].coef_)
    coefs = np.array([model.coef_[0] for model in found.values()])
    assert len(np.unique(coefs, axis=0)) == 4
    assert {model.t_ for model in found.values()} == {2 * len(X)}


def test_a_rate_that_is_too_large_is_an_error_or_a_warning():
    X, y = data()
    model = GradientPerceptron().fit(X, y)
    before = state(model)
    model.set_params(
        activation=Linear(),
        schedule=Constant(50.0),
        presentation="batch",
        max_iter=1000,
    )
    with pytest.raises(
        ArithmeticError, match=r"rate is too large.*try a rate of about"
    ):
        model.fit(X, y)
    model.set_params(presentation="fixed")
    with pytest.raises(ArithmeticError, match=r"no longer finite.*try a rate of about"):
        model.fit(X, y)
    with pytest.raises(ArithmeticError, match="inputs are too large for any rate"):
        model.fit(1e200 * X, y)
    model.set_params(
        activation=None, schedule=None, presentation="shuffled", max_iter=20
    )
    assert state(model) == before
    with pytest.warns(ConvergenceWarning, match="saturated.*try a rate of about"):
        GradientPerceptron(random_state=0).fit(1000 * X, np.arange(90) % 2)
    with pytest.warns(ConvergenceWarning, match="cost has grown"):
        GradientPerceptron(
            Linear(), Constant(8.0), presentation="batch", max_iter=3
        ).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="not within tol = 1e-12"):
        GradientPerceptron(tol=1e-12, max_iter=2).fit(X, y)


def test_fractions_of_weights_are_shares_of_the_cost():
    X, y = data()
    weights = np.random.default_rng(0).choice([0.5, 1.0, 1.5], len(X))
    given = {"presentation": "batch", "max_iter": 5}
    a = GradientPerceptron(**given).fit(X, y, sample_weight=weights)
    b = GradientPerceptron(**given).fit(X, y, sample_weight=2 * weights)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-12)
    assert (a.t_, b.t_) == (5 * weights.sum(), 10 * weights.sum())


@pytest.mark.parametrize("presentation", ["shuffled", "drawn", "fixed"])
def test_fractions_of_weights_count_so_much(presentation):
    X, y = data()
    weights = np.random.default_rng(0).choice([0.0, 0.5, 1.0, 2.5], len(X))
    model = GradientPerceptron(presentation=presentation, max_iter=1, random_state=0)
    model.fit(X, y, sample_weight=weights)
    drawn = presentation == "drawn"
    assert model.t_ == (round(weights.sum()) if drawn else weights.sum())
