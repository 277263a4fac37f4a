"""Beliefs of all kinds against the formulas, written in NumPy."""

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes.filter import learn_in_place
from rosenblatt.bayes.label_law import LOG_EVIDENCE
from rosenblatt.compiling.jit import PLAIN
from tests.bayes.formulas import CLIP, beginning, covariance, twin
from tests.bayes.problems import DOUBLE, ONCE, advance, problem, seen

DENSE = filtering.COVARIANCES


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("noise", [0.0, 0.07])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("features", [1, 37, 45])
@pytest.mark.parametrize("kind", DENSE)
def test_kernels_do_what_the_formulas_say(kind, features, models, noise, dtype):
    rows = 5 if PLAIN else 100
    for intercept in (0, 1):
        size = features + intercept
        X, codes, repeats, center, inverse = problem(
            rows, features, models, dtype=dtype
        )
        mean = np.linspace(-0.1, 0.1, models * size).reshape(models, size)
        given = (X, codes, repeats, center, inverse, 1.0, np.full(models, noise), mean)
        belief = beginning(kind, models, size)
        wanted, V, counts, squares, chances = twin(kind, *given, belief)
        fault, mean, belief, tally, sums, odds = advance(kind, *given, belief)
        close = {"atol": DOUBLE, "rtol": 0}  # whatever the rows: only they are rounded
        found = np.stack([covariance(kind, b, size) for b in belief])
        assert fault == -1
        assert np.allclose(mean, wanted, **close)
        assert np.allclose(found, V, **close)
        # a field adds up the errors of all weights, each times an input
        assert np.allclose(odds, chances, rtol=0, atol=CLIP * size * close["atol"])
        assert np.allclose(tally, counts, rtol=close["atol"], atol=close["atol"])
        assert np.allclose(sums, squares, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 16, 33])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", DENSE)
def test_what_is_not_finite_is_found_and_harms_nothing(kind, dtype, place, bad):
    features = 34
    X, codes, repeats, center, inverse = problem(6, features, 1, dtype=dtype)
    mean, belief = np.zeros((1, features + 1)), beginning(kind, 1, features + 1)
    rest = (center, inverse, 1.0, np.zeros(1), mean, belief)
    for fault in (3, 4):  # the second of two, and the first
        X[fault, place] = bad
        for times in (repeats, ONCE):
            assert advance(kind, X, codes, times, *rest)[0] == fault
            filter = seen(
                kind, center, inverse, np.zeros(1), mean, belief, label_variance=1.0
            )
            with pytest.raises(ValueError, match="in row 0"):
                learn_in_place(filter, X[[fault]], codes[[fault]], np.zeros((0, 0)))
            assert np.array_equal(filter.mean, mean)
            assert np.array_equal(filter.belief, belief)
        X[fault, place] = 1.0


@pytest.mark.parametrize("kind", DENSE)
def test_a_step_that_sees_nothing_learns_nothing(kind):
    mean, belief = np.zeros((1, 2)), beginning(kind, 1, 2)
    X, once = np.zeros((1, 2)), np.ones(1, np.int64)
    rest = (np.zeros(2), np.ones(2), 0.0, np.zeros(1), mean, belief)
    fault, after, found, tally, _, odds = advance(kind, X, once, once, *rest)
    assert fault == -1
    assert np.array_equal(after, mean)
    assert np.array_equal(found, belief)
    assert tally[0, LOG_EVIDENCE] == pytest.approx(np.log(0.5))
    assert odds[0, 0] == 0.0
