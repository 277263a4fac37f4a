import numpy as np
import pytest

from rosenblatt.compiling.beliefs import learning
from rosenblatt.core import Observation
from rosenblatt.rules import BinaryBayes, DiagonalBayes


@pytest.mark.parametrize("rule", [BinaryBayes(0.1), DiagonalBayes(0.1)])
def test_compiled_learners_are_their_plain_functions(rule):
    rng = np.random.default_rng(0)
    x = rng.standard_normal(6) / np.sqrt(6)
    o = Observation(0.2, -1.0, 0.1, x @ x, 1.0, 6.0, 0.9, 0.9)
    found = []
    for learn in (learning(rule), rule.bind()):
        state, mean, variance = np.zeros(rule.memory(6)), np.zeros(6), np.zeros(6)
        rule.begin(state, mean, variance)
        learn(state, mean, variance, x, o)
        found.append((state, mean, variance))
    for fast, plain in zip(*found, strict=True):
        np.testing.assert_allclose(fast, plain, rtol=1e-12)
    assert learning(rule) is learning(type(rule)(0.1))
