"""Rules that keep a belief about every weight, one example at a time."""

import numpy as np
import pytest

from rosenblatt.compiling.beliefs import learning
from rosenblatt.core import Observation
from rosenblatt.rules import BinaryBayes, DiagonalBayes, ExactBinaryBayes, FullBayes
from tests import references


def begin(rule, n):
    state, mean, variance = np.zeros(rule.memory(n)), np.zeros(n), np.zeros(n)
    rule.begin(state, mean, variance)
    return state, mean, variance


def taught(rule, S, y):
    """Return what a compiled rule believes after all examples of unit variance."""
    n = S.shape[1]
    state, mean, variance = begin(rule, n)
    for s, label in zip(S, y, strict=True):
        x = s / np.sqrt(n)
        o = Observation(
            mean @ x, label, mean @ mean / n, x @ x, 1.0, n, variance @ x**2,
            variance.sum() / n,
        )  # fmt: skip
        learning(rule)(state, mean, variance, x, o)
    return state, mean, variance


def examples(n, rows, noise=0.0, signs=False, seed=0):
    rng = np.random.default_rng(seed)
    S = rng.standard_normal((rows, n))
    S = np.sign(S) if signs else S
    y = np.where(S.sum(axis=1) > 0, 1.0, -1.0)
    return S, np.where(rng.random(rows) < noise, -y, y)


@pytest.mark.parametrize(
    ("floor", "noise", "weighted"),
    [(0.0, 0.0, False), (1.0, 0.0, True), (1.0, 0.15, False)],
)
def test_binary_bayes_is_the_naive_version(floor, noise, weighted):
    S, y = examples(20, 60, noise)
    rule = BinaryBayes(noise, floor, weighted=weighted)
    state, mean, variance = taught(rule, S, y)
    wanted = references.binary_bayes(S, y, noise, floor, weighted)[-1]
    np.testing.assert_allclose(state, wanted, rtol=1e-8)
    np.testing.assert_allclose(mean, np.tanh(wanted), rtol=1e-8)
    np.testing.assert_allclose(variance, np.cosh(wanted) ** -2.0, rtol=1e-7)


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_the_implicit_mean_solves_its_equation(noise):
    S, y = examples(30, 40, noise)
    rule = BinaryBayes(noise, implicit=True)
    before, mean, variance = taught(rule, S[:-1], y[:-1])
    after, new, _ = taught(rule, S, y)
    _, slope, curvature = references.evidence(
        mean @ S[-1], max(variance.sum(), 1.0), y[-1], noise
    )
    np.testing.assert_allclose(
        after, before + S[-1] * slope + new * S[-1] ** 2 * curvature, rtol=1e-12
    )
    explicit = taught(BinaryBayes(noise), S, y)[0]
    assert np.max(abs(explicit - after)) > 1e-3


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
    a, b = (taught(ExactBinaryBayes(0.1), T, y)[1] for T in (S, bent))
    np.testing.assert_allclose(a, b, atol=1e-9)


def test_a_label_that_is_excluded_moves_nothing():
    state, mean, variance = np.array([400.0]), np.ones(1), np.zeros(1)
    o = Observation(1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0)
    learning(ExactBinaryBayes())(state, mean, variance, np.ones(1), o)
    assert np.isfinite(state[0])


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("rule", [DiagonalBayes, FullBayes])
def test_gaussian_filters_are_the_naive_version(rule, noise):
    S, y = examples(10, 80, noise)
    state, mean, variance = taught(rule(noise), S, y)
    m, C = references.gaussian_filter(
        S / np.sqrt(10), y, noise, diagonal=rule is DiagonalBayes
    )
    np.testing.assert_allclose(mean, m, rtol=1e-8)
    np.testing.assert_allclose(variance, np.diag(C), rtol=1e-8)
    if rule is FullBayes:
        np.testing.assert_allclose(state.reshape(10, 10), C, rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_first_step_on_signs(noise):
    """N q = (1 - 2k)^2 2/pi for large N; the tangent's cubic term is of order 1/N."""
    n = 10**7
    S, y = np.ones((1, n)), np.ones(1)
    state, mean, _ = taught(BinaryBayes(noise), S, y)
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
        (lambda: ExactBinaryBayes(0.6), "noise must be"),
    ],
)
def test_parameters_are_checked(rule, match):
    with pytest.raises((ValueError, TypeError), match=match):
        rule()
