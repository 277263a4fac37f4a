"""The printed algorithm, and its threshold in pieces."""

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import rosenblatt as rb
from rosenblatt.estimators import BinaryPerceptron
from tests import references

SEED = 1993


def data(rows, columns, seed=SEED, classes=2):
    """Return inputs with frequencies of all kinds, and labels that some decide."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((rows, columns)) < rng.random(columns), 1, -1)
    W = rng.integers(-1, 2, (columns, classes))
    return X, (X @ W + rng.normal(0, 0.5, (rows, classes))).argmax(axis=1)


@pytest.mark.filterwarnings("ignore:the share of positive")
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("eps", ["0.1", "0.5"])
def test_models_are_those_of_the_printed_steps(eps, classes):
    for seed in range(30):
        X, y = data(60, 5, seed, classes)
        y = y if len(set(y)) == classes else np.arange(60) % classes
        model = BinaryPerceptron(float(eps)).fit(X, y)
        other = BinaryPerceptron(float(eps), threshold="least error").fit(X, y)
        for k in range(len(model.coef_)):
            label = np.where(y == (1 if classes == 2 else k), 1, -1)
            w, r = references.learn_binary_perceptron(X, label, Fraction(eps))
            np.testing.assert_array_equal(model.coef_[k], w)
            assert model.threshold_[k] == r
            np.testing.assert_array_equal(other.coef_[k], w)
            if not other._models.weights[k].constant:
                assert other.threshold_[k] == references.least_error(X, label, w)


def test_a_search_without_end_is_stopped_and_said():
    X = np.array([[1], [1], [1], [-1]] * 5)
    y = np.array([1, 1, 0, 0] * 5)
    with pytest.warns(ConvergenceWarning, match=r"the share of positive .*least error"):
        model = BinaryPerceptron().fit(X, y)
    assert model.threshold_.tolist() == [1]
    assert model.threshold_found_.tolist() == [False]
    assert set(model.predict(X)) == {0}


@pytest.mark.parametrize(("label", "threshold"), [("yes", -4), ("no", 3)])
def test_a_label_that_most_examples_have_makes_a_constant(label, threshold):
    X, _ = data(200, 3)
    other = {"yes": "no", "no": "yes"}[label]
    model = BinaryPerceptron().fit(X, [label] * 198 + [other] * 2)
    assert model.coef_.tolist() == [[0, 0, 0]]
    assert model.threshold_.tolist() == [threshold]
    assert set(model.predict(X)) == {label}
    assert model.neglected_ == [{}]


def test_threshold_of_chunks_is_that_of_examples_since_the_weights_changed():
    X, y = data(400, 6)
    model = BinaryPerceptron(threshold="least error")
    before, seen, restarts = None, 0, 0
    for rows in np.array_split(np.arange(400), 20):
        model.partial_fit(X[rows], y[rows], classes=[0, 1])
        restarted = not np.array_equal(before, model.coef_)
        restarts += restarted
        seen = len(rows) + (0 if restarted else seen)
        before = model.coef_
        assert model.threshold_examples_ == seen
        if not model._models.weights[0].constant:
            last = slice(rows[-1] + 1 - seen, rows[-1] + 1)
            label = np.where(y[last] == 1, 1, -1)
            wanted = references.least_error(X[last], label, before[0])
            assert model.threshold_.tolist() == [wanted]
    assert 1 < restarts < 20


def test_merged_weights_that_nobody_saw_need_a_second_pass():
    X, y = data(60, 12)
    whole = BinaryPerceptron(threshold="least error").fit(X, y)
    left = BinaryPerceptron(threshold="least error").fit(X[:30], y[:30])
    right = BinaryPerceptron(threshold="least error").fit(X[30:], y[30:])
    assert not np.array_equal(left.coef_, whole.coef_)
    assert not np.array_equal(right.coef_, whole.coef_)
    left.merge(right)
    np.testing.assert_array_equal(left.coef_, whole.coef_)
    np.testing.assert_array_equal(left.influences_, whole.influences_)
    with pytest.raises(NotFittedError, match=r"call fit_threshold\(batches\)"):
        left.predict(X)
    left.fit_threshold([(X[:11], y[:11]), (X[11:], y[11:])])
    assert pickle.dumps(left._models) == pickle.dumps(whole._models)


def test_wrong_batches_for_a_threshold_change_nothing():
    X, y = data(60, 6)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = BinaryPerceptron(threshold="least error").fit(frame, y)
    before = pickle.dumps(vars(model))
    for batches, message in (
        ([], "one example or more, got none"),
        ([(frame, y + 1)], r"y must be among classes \[0, 1\], got 2"),
        ([(frame[list("abcde")], y)], "feature names should match"),
        ([(frame.set_axis(list("uvwxyz"), axis=1), y)], "feature names should match"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit_threshold(batches)
    assert pickle.dumps(vars(model)) == before


def test_what_is_known_about_columns():
    X, y = data(500, 4)
    X[:, 1] = 1
    X[:, 2] = np.where(np.arange(500) < 2, 1, -1)
    model = BinaryPerceptron(threshold="least error").fit(X, y)
    [neglected] = model.neglected_
    assert neglected == {
        1: "always high",
        2: "high in 2 of 500 examples, not above eps/4n = 0.00625 of them",
    }
    assert model.coef_[0, [1, 2]].tolist() == [0, 0]
    assert np.isnan(model.influences_[0]).tolist() == [False, True, False, False]
    low, high = model.influence_intervals_[0].T
    for i in (0, 2, 3):
        positive = [np.mean(y[X[:, i] == level] == 1) for level in (1, -1)]
        assert model.influences_[0, i] == pytest.approx(2 * (positive[0] - positive[1]))
        assert low[i] < model.influences_[0, i] < high[i]
    [promise] = model.guarantee_
    assert promise.examples == 500
    assert promise.required == rb.required_examples(4, 0.1, 0.05)
    assert not promise.met
    assert promise.eps > 1
    assert "not this" in str(promise)  # "least error" is not what theorem 1 is about


def test_the_guarantee_is_that_of_the_examples_the_threshold_is_from():
    X, y = data(500, 4)
    model = BinaryPerceptron(threshold="least error").fit(X, y)
    [promise] = model.guarantee_
    assert promise.searched == (500, np.sum(y == 1), False)
    model.fit_threshold([(X[:30], y[:30])])
    [fewer] = model.guarantee_
    assert fewer.searched == (model.threshold_examples_, np.sum(y[:30] == 1), False)
    assert model.threshold_examples_ == 30
    assert fewer.eps == pytest.approx(promise.eps * (500 / 30) ** 0.25)
    assert "The threshold is from 30 examples." in str(fewer)
