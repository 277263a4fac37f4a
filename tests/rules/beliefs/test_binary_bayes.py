import numpy as np
import pytest

from rosenblatt.rules import BinaryBayes, DiagonalBayes, FullBayes
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


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_first_step_on_signs(noise):
    """N q = (1 - 2k)^2 2/pi for large N; the tangent's cubic term is of order 1/N."""
    n = 10**7
    S, y = np.ones((1, n)), np.ones(1)
    state, mean, _ = learned(BinaryBayes(noise), S, y)
    wanted = (1 - 2 * noise) ** 2 * 2 / np.pi
    # sums of 1e7 numbers are rounded by 1e-11 or so, as each processor adds them up
    assert state @ state == pytest.approx(wanted, rel=1e-10)
    assert mean @ mean == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(
    ("rule", "match"),
    [
        (lambda: BinaryBayes(0.6), "noise must be"),
        (lambda: BinaryBayes(floor=-1.0), "floor must be"),
        (lambda: BinaryBayes(implicit=1), "implicit must be True or False"),
        (lambda: DiagonalBayes(-0.1), "noise must be"),
        (lambda: FullBayes(0.6), "noise must be"),
    ],
)
def test_parameters_are_checked(rule, match):
    with pytest.raises((ValueError, TypeError), match=match):
        rule()
