import numpy as np
import pytest

from rosenblatt.compiling.beliefs import learning
from rosenblatt.core import Observation
from rosenblatt.rules import ExactBinaryBayes
from tests import references
from tests.rules.belief_examples import examples, learned


@pytest.mark.parametrize("label", [-1.0, 1.0])
@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("signs", [False, True])
@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_exact_means_are_sums_over_all_weights(n, signs, noise, label):
    rng = np.random.default_rng(n)
    s = rng.standard_normal(n)
    s = np.sign(s) if signs else s
    m = np.tanh(rng.normal(0, 1, n))
    state, mean, variance = np.arctanh(m), m.copy(), 1 - m**2
    o = Observation(0.0, label, 0.0, 1.0, 1.0, n, 1.0, 1.0)
    learning(ExactBinaryBayes(noise))(state, mean, variance, s / np.sqrt(n), o)
    wanted = references.exact_means(m, s, label, noise)
    np.testing.assert_allclose(mean, wanted, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(variance, 1 - wanted**2, rtol=1e-8, atol=1e-12)


def test_the_table_and_the_enumeration_agree_after_many_examples():
    S, y = examples(9, 100, 0.1, signs=True)
    bent = S * (1 + 1e-9 * np.arange(9))  # no longer of the same size
    for s in S:
        assert s.sum() != 0
    a, b = (learned(ExactBinaryBayes(0.1), T, y)[1] for T in (S, bent))
    np.testing.assert_allclose(a, b, atol=1e-9)


def test_a_label_that_is_excluded_moves_nothing():
    state, mean, variance = np.array([400.0]), np.ones(1), np.zeros(1)
    o = Observation(1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0)
    learning(ExactBinaryBayes())(state, mean, variance, np.ones(1), o)
    assert np.isfinite(state[0])
