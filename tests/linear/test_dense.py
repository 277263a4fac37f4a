"""Parts of presentations, single precision, several classes."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.linear.learner import EXAMPLES, MISTAKES, Learner, prepared
from rosenblatt.linear.learning import Order, learn, learn_classes
from rosenblatt.rules import Delta, Hebb, Normalised, Perceptron, Shifted, Tanh
from rosenblatt.schedules import Power
from tests import references
from tests.linear.row_data import RULES, compared, equal, examples, started

WEIGHTS = np.random.default_rng(5).choice([0.0, 0.25, 1.0, 1.7, 3.0], 60)


@compared
def test_parts_of_a_presentation_are_those_of_the_reference(
    rule, step, options, schedule, rate, intercept
):
    X, y = examples()
    w = np.random.default_rng(1).standard_normal(7 + intercept)
    got = learn(rule, schedule, X, y, started(w), sample_weight=WEIGHTS)
    wanted, mistakes = references.stream(
        step, rate, X, y, w, intercept, weights=WEIGHTS, **options
    )
    np.testing.assert_allclose(got.weights, wanted, rtol=1e-10, atol=1e-12)
    assert got.counts[EXAMPLES] == pytest.approx(WEIGHTS.sum(), rel=1e-14)
    assert got.counts[MISTAKES] == pytest.approx(mistakes, rel=1e-14)


def test_weights_change_continuously():
    """Near whole weights, from both sides, as far as no tie is in between."""
    X, y = examples(rows=20)
    for rule in (Hebb(), Delta(Tanh()), Normalised(Hebb())):
        for whole in (0.0, 1.0, 2.0):
            weights = np.ones(20)
            weights[4] = whole
            exact = learn(
                rule, Power(0.1), X, y, Learner.zero(7), sample_weight=weights
            )
            for off in (1e-9, -1e-9) if whole else (1e-9,):
                weights[4] = whole + off
                near = learn(
                    rule, Power(0.1), X, y, Learner.zero(7), sample_weight=weights
                )
                np.testing.assert_allclose(near.weights, exact.weights, atol=1e-6)


@pytest.mark.parametrize(("rule", "step", "options"), RULES)
def test_single_precision_is_near(rule, step, options):
    """Rates that fall and few rows: no tie is so near that rounding decides on it."""
    X, y = examples()
    single = X.astype(np.float32)
    exact = learn(rule, Power(0.7), single.astype(float), y, Learner.zero(8))
    got = learn(rule, Power(0.7), single, y, Learner.zero(8))
    scale = max(np.abs(exact.weights).max(), 1.0)
    np.testing.assert_allclose(got.weights, exact.weights, atol=60 * 6e-8 * 8 * scale)
    np.testing.assert_array_equal(got.counts, exact.counts)


@pytest.mark.parametrize("table", ["float32", "float64", "sparse"])
@pytest.mark.parametrize(
    "rule", [Perceptron(), Normalised(Hebb()), Shifted(Perceptron(), opening=1)]
)
def test_several_classes_are_one_learner_for_each(rule, table):
    X, _ = examples()
    codes = np.digitize(X[:, 0], [0.0, 0.4])
    if table == "sparse":
        X = csr_matrix(np.where(X > 0, X, 0))
    elif table == "float32":
        X = X.astype(np.float32)
    plan = prepared(rule, Power(), 8)
    order = np.random.default_rng(0).permutation(60)[:50]
    zero = Learner.zero(8, models=3)
    got = learn_classes(plan, X, codes, zero, weights=WEIGHTS, order=Order(order))
    for k in range(3):
        labels = np.where(codes == k, 1.0, -1.0)
        given = {"sample_weight": WEIGHTS, "order": order}
        one = learn(rule, Power(), X, labels, Learner.zero(8), **given)
        assert equal(one, [array[k] for array in got])
