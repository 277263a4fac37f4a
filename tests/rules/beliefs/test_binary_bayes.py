import numpy as np
import pytest

from rosenblatt.rules import BinaryBayes
from tests import references
from tests.rules.belief_examples import examples, learned


@pytest.mark.parametrize(
    ("floor", "noise", "weighted"),
    [(0.0, 0.0, False), (1.0, 0.0, True), (1.0, 0.15, False)],
)
def test_binary_bayes_is_the_naive_version(floor, noise, weighted):
    S, y = examples(20, 60, noise)
    rule = BinaryBayes(noise, floor, weighted=weighted)
    state, mean, variance = learned(rule, S, y)
    wanted = references.binary_bayes(S, y, noise, floor, weighted)[-1]
    np.testing.assert_allclose(state, wanted, rtol=1e-8)
    np.testing.assert_allclose(mean, np.tanh(wanted), rtol=1e-8)
    np.testing.assert_allclose(variance, np.cosh(wanted) ** -2.0, rtol=1e-7)


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_implicit_mean_solves_its_equation(noise):
    S, y = examples(30, 40, noise)
    rule = BinaryBayes(noise, implicit=True)
    before, mean, variance = learned(rule, S[:-1], y[:-1])
    after, new, _ = learned(rule, S, y)
    _, slope, curvature = references.evidence(
        mean @ S[-1], max(variance.sum(), 1.0), y[-1], noise
    )
    np.testing.assert_allclose(
        after, before + S[-1] * slope + new * S[-1] ** 2 * curvature, rtol=1e-12
    )
    explicit = learned(BinaryBayes(noise), S, y)[0]
    assert np.max(abs(explicit - after)) > 1e-3
