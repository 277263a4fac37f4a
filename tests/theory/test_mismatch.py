import math

import numpy as np
import pytest
from scipy.special import ndtr

import rosenblatt as rb
from rosenblatt.theory import critical_alpha, solve_online


def binary_learner(dim, alphas, noise, assumed, *, replicas, seed):
    """Learn on-line with binary weights, many problems at once, as printed.

    Returns overlap and norm of the mean, (alpha, replica).
    """
    rng = np.random.default_rng(seed)
    fields = np.zeros((replicas, dim))  # atanh of the means; the teacher is all ones
    found = []
    last = round(alphas[-1] * dim)
    wanted = {round(a * dim) for a in alphas}
    for step in range(1, last + 1):
        mean = np.tanh(fields)
        rho = dim - np.sum(mean**2, axis=1)
        x = rng.standard_normal((replicas, dim))
        y = np.sign(x.sum(axis=1)) * np.where(rng.random(replicas) < noise, -1, 1)
        u = y * np.sum(mean * x, axis=1) / np.sqrt(rho)
        clear = 1 - 2 * assumed
        f = clear * np.exp(-0.5 * u * u) / math.sqrt(2 * math.pi)
        f /= assumed + clear * ndtr(u)
        fields += x * (y * f / np.sqrt(rho))[:, None]
        fields += mean * x**2 * (f * (u + f) / rho)[:, None]
        if step in wanted:
            mean = np.tanh(fields)
            length = np.linalg.norm(mean, axis=1)
            overlap = mean.sum(axis=1) / length / math.sqrt(dim)
            found.append((overlap, length / math.sqrt(dim)))
    return np.moveaxis(np.array(found), 1, 0)


@pytest.mark.parametrize(
    ("noise", "assumed"), [(0.0, 0.0), (0.1, 0.1), (0.1, 0.02), (0.0, 0.2), (0.1, 0.0)]
)
def test_simulated_binary_learners_follow_the_curve(noise, assumed):
    alphas, replicas, dim = [0.5, 1.5, 2.5], 40, 400
    run = binary_learner(dim, alphas, noise, assumed, replicas=replicas, seed=1)
    curve = solve_online(alphas, noise, prior="binary", assumed=assumed)
    curve = curve.sel(learner="bayes")
    for values, name in zip(run, ("overlap", "norm"), strict=True):
        spread = values.std(axis=1) / math.sqrt(replicas)
        # 5 standard errors, and what is of the order 1/N
        allowed = 5 * spread + 2 / dim
        assert np.all(np.abs(values.mean(axis=1) - curve[name].values) < allowed)
        assert np.all(allowed < 0.05)  # what it would catch


def test_nearly_the_true_noise_is_nearly_as_good():
    alpha = [1e-3, 1.0, 5.0, 8.0]
    for noise, off in ((0.1, 1e-7), (0.1, -1e-7)):
        near = solve_online(alpha, noise, prior="binary", assumed=noise + off)
        true = solve_online(alpha, noise, prior="binary")
        for name in ("overlap", "norm", "error"):
            np.testing.assert_allclose(near[name], true[name], rtol=1e-6)


@pytest.mark.parametrize("prior", ["spherical", "binary"])
def test_no_assumption_is_better_than_the_truth(prior):
    alpha = [0.5, 2.0, 6.0]
    best = solve_online(alpha, 0.1, prior=prior)["error"].sel(learner="bayes")
    for assumed in (0.0, 0.02):
        other = solve_online(alpha, 0.1, prior=prior, assumed=assumed)
        assert np.all(other["error"].sel(learner="bayes").values > best.values)


def test_any_noise_but_none_finds_a_binary_teacher():
    for assumed in (0.01, 0.05, 0.2, 0.3):
        end = critical_alpha(0.1, assumed)
        assert end > critical_alpha(0.1)
        alpha = [end - 1e-3, end + 1e-3]
        found = solve_online(alpha, 0.1, prior="binary", assumed=assumed)
        assert np.all(found["error"][:, 0] > 0.1)
        assert np.all(found["error"][:, 0] < 0.1 + 1e-4)  # slopes are below 0.1
        np.testing.assert_array_equal(found["error"][:, 1], 0.1)
    assert critical_alpha(0.1, 0.0) == math.inf
    assert critical_alpha(0.1, 0.5) == math.inf
    # up to what remains where the teacher counts as found
    near = critical_alpha(0.1, 0.1 + 1e-9)
    assert near == pytest.approx(critical_alpha(0.1), abs=2e-4)
    none = solve_online([3.0, 13.0], 0.1, prior="binary", assumed=0.0)
    before, after = none["error"].sel(learner="bayes").values
    assert after > before > 0.25  # it even forgets


def test_spherical_learners_are_those_of_the_rule():
    alpha = [1.0, 5.0]
    curve = solve_online(alpha, 0.1, assumed=0.02).sel(learner="bayes")
    run = rb.simulate(
        rb.rules.SphericalBayes(0.02),
        rb.schedules.Constant(),
        rb.teachers.Sign(0.1),
        dim=1000,
        alpha=alpha,
        replicas=100,
        seed=0,
    )
    for name in ("overlap", "norm", "error"):
        values = run[name].values
        allowed = 5 * values.std(axis=0) / math.sqrt(100) + 2 / 1000
        assert np.all(np.abs(values.mean(axis=0) - curve[name].values) < allowed)
        assert np.all(allowed < 0.02)


def test_who_believes_no_label_learns_nothing():
    for prior in ("spherical", "binary"):
        found = solve_online([0, 1], 0.1, prior=prior, assumed=0.5)
        np.testing.assert_array_equal(found["overlap"], 0)
        np.testing.assert_allclose(found["error"], 0.5)


def test_an_assumption_that_is_followed_too_slowly_is_an_error(monkeypatch):
    """It took more than 10 s."""
    monkeypatch.setattr("rosenblatt.theory.mismatch._EFFORT", 4000)
    with pytest.raises(ArithmeticError, match="takes too many steps"):
        critical_alpha(0.1, 1e-320)


@pytest.mark.parametrize(("noise", "assumed"), [(0.0, 0.1), (0.1, 0.02), (0.2, 0.3)])
def test_binary_curves_begin_and_end_anywhere(noise, assumed):
    """At first the overlap of the mean is a root of alpha, however small that is."""
    alpha = np.array([1e-308, 1e-30, 1e-20, 1e-12, 0.99e-7, 1.01e-7, 1e-5])
    found = solve_online(alpha, noise=noise, prior="binary", assumed=assumed)
    overlap = np.asarray(found.overlap.sel(learner="bayes"))
    slope = overlap / np.sqrt(alpha)
    assert slope == pytest.approx(np.full(len(slope), slope[0]), rel=1e-5)
    for end in (1e-3, 0.3, 1.0, 2.7):
        one = solve_online(end, noise=noise, prior="binary", assumed=assumed)
        assert 0 < float(one.overlap.sel(learner="bayes").squeeze()) < 1
