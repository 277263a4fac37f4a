"""Weights of rows that are not whole numbers."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

import rosenblatt as rb
from rosenblatt import bayes
from rosenblatt.linear.binary import BinaryLearner, learn_binary

MODELS = {
    "spherical": rb.BayesPerceptron("spherical"),
    "diagonal": rb.BayesPerceptron("diagonal", noise=0.1),
    "full": rb.BayesPerceptron("full", half_life=50.0),
    "binary": rb.BinaryBayesPerceptron(),
    "online": rb.OnlinePerceptron(rb.rules.PassiveAggressive()),
    "shifted": rb.ShiftedPerceptron(),
    "gradient": rb.GradientPerceptron(presentation="fixed", max_iter=1),
}


def table(classes, rows=90, columns=4):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns))
    noise = rng.standard_normal((rows, classes))
    y = (X @ rng.standard_normal((columns, classes)) + noise).argmax(axis=1)
    return X, y, rng.choice([0.0, 0.25, 1.0, 1.5, 2.0], rows)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_a_fraction_is_the_last_of_several_presentations(name, sparse, classes):
    """The mixture, which judges rows before their first presentation, is left out."""
    X, y, weights = table(classes)
    times = np.ceil(weights).astype(int)
    copies = np.repeat(np.arange(len(X)), times)
    turns = np.concatenate([np.arange(n) for n in times])
    powers = np.minimum(weights[copies] - turns, 1.0)
    rows = csr_array(X) if sparse else X
    one, other = clone(MODELS[name]), clone(MODELS[name])
    one.partial_fit(rows, y, range(classes), weights)
    other.partial_fit(rows[copies], y[copies], range(classes), powers)
    np.testing.assert_allclose(one.coef_, other.coef_, rtol=1e-9, atol=1e-12)
    assert one.t_ == pytest.approx(other.t_)


@pytest.mark.parametrize("covariance", ["spherical", "diagonal", "full"])
@pytest.mark.parametrize("models", [1, 3])
def test_two_halves_of_a_label_are_one_if_a_row_tells_little(covariance, models):
    """The first label moves a mean by its variance s, two halves differ by s squared.

    So the relative difference is of the order of s: a tenth of the prior, a tenth of
    the difference. The constant is below 1, since curvatures are.
    """
    x, code = np.array([[1.0, -0.5, 0.3]]), np.array([1])
    found = []
    for prior in (1e-2, 1e-3):
        start = bayes.start(
            3, covariance=covariance, models=models, prior=prior, label_variance=1.0
        )
        once = bayes.learn(start, x, code)
        half = np.array([0.5])
        twice = bayes.learn(bayes.learn(start, x, code, half), x, code, half)
        moved = np.abs(once.mean - start.mean).max()
        found.append(np.abs(once.mean - twice.mean).max() / moved)
        assert found[-1] < 2 * prior
    assert found[1] < 0.2 * found[0]


def test_two_halves_of_a_row_are_one_for_many_binary_weights():
    """A row of n columns moves a weight by 1 / sqrt(n), and a field by a constant.

    The second half meets a field that the first has moved by less than 1, which has
    the effect of a slope that is smaller: the steps agree in direction, and their sum
    is between half a step and one.
    """
    z = np.random.default_rng(0).choice([-1.0, 1.0], (1, 10_000))
    code, half = np.array([1]), np.array([0.5])
    given = {"noise": 0.1, "floor": 1.0, "standardise": False}
    start = BinaryLearner.prior(10_000, False)
    once = learn_binary(start, z, code, **given)
    first = learn_binary(start, z, code, repeats=half, **given)
    twice = learn_binary(first, z, code, repeats=half, **given)
    np.testing.assert_allclose(first.state, once.state / 2, rtol=1e-12)
    share = twice.state / once.state
    assert np.ptp(share) < 1e-9
    assert 0.5 < share.min() <= share.max() < 1
    assert (first.examples, twice.examples) == (0.5, 1)


def test_the_evidence_of_a_row_counts_so_much():
    X, y, _ = table(2, rows=1)
    for covariance in ("auto", "full"):
        found = [
            rb.BayesPerceptron(covariance)
            .partial_fit(X, y, [0, 1], sample_weight=[weight])
            .log_evidence_
            for weight in (1.0, 0.25)
        ]
        np.testing.assert_allclose(found[1], 0.25 * found[0])


@pytest.mark.parametrize("kind", [rb.ClippedHebb, rb.BinaryPerceptron])
def test_estimators_that_count_refuse_fractions(kind):
    X, y, weights = table(2)
    with pytest.raises(ValueError, match="sample_weight must be whole numbers"):
        kind(binarise=0.0).fit(X, y, sample_weight=weights)
