"""One row by address against one row by arrays."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.linear.learner import Learner, plan_of
from rosenblatt.linear.learning import learn_classes, learn_row
from rosenblatt.linear.single import RowLearner

RULES = [
    rb.rules.Perceptron(),
    rb.rules.PassiveAggressive(),
    rb.rules.Normalised(rb.rules.Hebb()),
    rb.rules.Decay(rb.rules.Perceptron(margin=0.5), 0.3),
]
RATES = [rb.schedules.Constant(0.5), rb.schedules.Power(1.0, 0.5)]


@pytest.mark.parametrize("columns", [1, 20, 67])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("rule", RULES)
def test_a_row_learner_learns_the_same_bits(rule, rate, models, columns):
    rng = np.random.default_rng(0)
    for intercept in (0, 1):
        dim = columns + intercept
        plan = plan_of(rule, rate, dim)
        plain, by_row = (Learner.zero(dim, models=models) for _ in range(2))
        single = RowLearner(plan, by_row, columns)
        for _ in range(100):
            row = rng.normal(size=(1, columns))
            code = int(rng.integers(max(models, 2)))
            learn_row(plan, plain, row, np.array([code]))
            assert single.write(row[0].tolist())
            assert single.learn(code)
        for a, b in zip(plain, by_row, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [1, 20, 67])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("rule", RULES)
def test_a_row_in_place_is_a_pass_of_one_row(rule, rate, models, columns, precision):
    rng = np.random.default_rng(0)
    for intercept in (0, 1):
        plan = plan_of(rule, rate, columns + intercept)
        passed, placed = (
            Learner.zero(columns + intercept, models=models) for _ in range(2)
        )
        for _ in range(100):
            row = rng.normal(size=(1, columns)).astype(precision)
            code = rng.integers(max(models, 2), size=1)
            passed = learn_classes(plan, row, code, passed)
            learn_row(plan, placed, row, code)
        for a, b in zip(passed, placed, strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_weight_that_overflows_in_single_precision_changes_nothing():
    """Its field is 0, and the gain is a number: only the new weight is not."""
    learner = Learner.zero(2, models=1)
    plan = plan_of(rb.rules.Perceptron(), rb.schedules.Constant(1e38), 2)
    row = np.array([[1.0, 5.0]], np.float32)
    with (
        np.errstate(all="ignore"),  # plain Python would warn
        pytest.raises(ArithmeticError, match="no longer finite"),
    ):
        learn_row(plan, learner, row, np.array([1]))
    for array in learner:
        assert not array.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_what_is_not_finite_changes_nothing(bad):
    learner = Learner.zero(4, models=1)
    single = RowLearner(plan_of(rb.rules.PassiveAggressive(), RATES[0], 4), learner, 3)
    assert single.write([1.0, 2.0, 3.0])
    assert single.learn(1)
    before = learner.copy()
    assert single.write([0.0, bad, 1.0])
    with np.errstate(all="ignore"):  # plain Python would warn
        assert not single.learn(0)
    assert not single.write([1.0, "red", 2.0])
    for a, b in zip(learner, before, strict=True):
        np.testing.assert_array_equal(a, b)
