import math
from decimal import Decimal

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rosenblatt as rb
from rosenblatt.theory import (
    critical_alpha,
    online_asymptote,
    solve_batch,
    solve_online,
)
from rosenblatt.theory.closed import spherical_bayes
from rosenblatt.theory.closed.spherical_bayes import sharpness

NOISES = [0.0, 0.05, 0.2, 0.45]


@pytest.mark.parametrize("noise", NOISES)
def test_the_spherical_curve_is_that_of_the_rule(noise):
    alpha = [0.1, 1, 5, 20, 300]
    curve = solve_online(alpha, noise).sel(learner="bayes")
    rule = rb.rules.SphericalBayes(noise)
    teacher = rb.teachers.Sign(noise)
    general = rb.solve(rule, rb.schedules.Constant(), teacher, alpha=alpha)
    # general theory follows overlap and norm apart; its steps are exact to 1e-11
    for name in ("overlap", "angle", "norm", "error"):
        np.testing.assert_allclose(curve[name], general[name][0], rtol=1e-8)


@pytest.mark.parametrize("noise", NOISES)
def test_the_spherical_curve_solves_its_equation(noise):
    alpha = np.array([1e-3, 0.3, 2.0, 10.0])
    found = solve_ivp(
        lambda _, q: [spherical_bayes.drift(q[0], noise)],
        (0, 10),
        [0.0],
        t_eval=alpha,
        method="DOP853",
        rtol=1e-13,
        atol=1e-15,
    )
    q = solve_online(alpha, noise)["overlap"].sel(learner="gibbs")
    np.testing.assert_allclose(q, found.y[0], rtol=1e-9)


@pytest.mark.parametrize("noise", NOISES)
def test_the_late_spherical_error_is_twice_the_best(noise):
    alpha = 1e8
    curve = solve_online(alpha, noise).sel(learner="bayes")
    above = float(curve["angle"][0]) * (1 - 2 * noise) / math.pi
    # q is within 1e-12 of 1, and what early examples lack is of the order 1/alpha
    limit = online_asymptote(noise)
    assert alpha * above == pytest.approx(limit, rel=1e-5)
    assert limit == pytest.approx(2 * rb.theory.batch_asymptote(noise).bayes)


def test_the_constant_without_noise():
    assert online_asymptote() == pytest.approx(0.8834, abs=5e-5)


def slow_strengths(alpha, noise):
    """Integrate the strength, with the remainder by plain trapezoids."""
    z = np.linspace(-12, 12, 4001)
    weight = np.exp(-0.5 * z * z) / np.exp(-0.5 * z * z).sum()

    def derivative(_, strength):
        s = max(strength[0], 0.0)
        rest = float(weight @ np.cosh(s + math.sqrt(s) * z) ** -2.0)
        return [float(sharpness(1 - rest, noise)) / math.sqrt(rest)]

    found = solve_ivp(
        derivative, (0, alpha[-1]), [0.0], "DOP853", alpha, rtol=1e-12, atol=1e-14
    )
    return found.y[0], z, weight


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_the_binary_curve_solves_its_equation(noise):
    alpha = np.array([0.01, 0.5, 0.9]) * critical_alpha(noise)
    strength, z, weight = slow_strengths(alpha, noise)
    q = [weight @ np.tanh(s + math.sqrt(s) * z) ** 2 for s in strength]
    signs = [math.erf(math.sqrt(s / 2)) for s in strength]
    curve = solve_online(alpha, noise, prior="binary")["overlap"]
    np.testing.assert_allclose(curve.sel(learner="gibbs"), q, rtol=1e-9)
    np.testing.assert_allclose(curve.sel(learner="bayes"), np.sqrt(q), rtol=1e-9)
    np.testing.assert_allclose(curve.sel(learner="clipped"), signs, rtol=1e-9)


@pytest.mark.parametrize(
    ("noise", "alpha"), [(0, 4.3682), (0.05, 6.1775), (0.1, 8.3456), (0.2, 16.0450)]
)
def test_the_binary_teacher_is_found_at(noise, alpha):
    assert critical_alpha(noise) == pytest.approx(alpha, abs=5e-5)
    after = solve_online(critical_alpha(noise) + 1e-9, noise, prior="binary")
    np.testing.assert_array_equal(after["error"], noise)
    np.testing.assert_array_equal(after["overlap"], 1.0)


@pytest.mark.parametrize("noise", NOISES)
def test_the_binary_error_falls_to_the_noise_linearly(noise):
    end, step = critical_alpha(noise), 1e-9
    curve = solve_online([end - step, end - 0.5 * step], noise, prior="binary")
    above = (curve["error"].sel(learner="bayes").values - noise) / step
    slope = (1 - 2 * noise) * float(sharpness(1.0, noise)) / (4 * math.pi)
    # relative corrections are of the order 1 / strength, and strengths are near 85
    assert above[0] == pytest.approx(slope, rel=0.03)
    assert above[1] == pytest.approx(slope / 2, rel=0.03)


@pytest.mark.parametrize("prior", ["spherical", "binary"])
def test_batch_learning_is_better_and_the_order_of_learners_is_fixed(prior):
    alpha = np.linspace(0.05, 4.3, 50)
    online = solve_online(alpha, prior=prior)["angle"]
    batch = solve_batch(alpha, prior=prior)["angle"]
    for learner in batch["learner"].values:
        if learner != "amp":
            assert np.all(batch.sel(learner=learner) < online.sel(learner=learner))
    assert np.all(online.sel(learner="bayes") < online.sel(learner="gibbs"))
    if prior == "binary":
        assert np.all(online.sel(learner="bayes") < online.sel(learner="clipped"))
        assert np.all(online.sel(learner="clipped") < online.sel(learner="gibbs"))
        wide = solve_online(alpha)["angle"].sel(learner="bayes")
        assert np.all(online.sel(learner="bayes") < wide)


def test_nothing_known_and_nothing_to_know():
    for prior in ("spherical", "binary"):
        for noise in (0.0, 0.5):
            first = solve_online([0, 1], noise, prior=prior)
            np.testing.assert_array_equal(first["error"][:, 0], 0.5)
            np.testing.assert_array_equal(first["overlap"][:, 0], 0.0)
        np.testing.assert_array_equal(first["error"], 0.5)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="prior must be 'spherical' or 'binary'"):
        solve_online(1, prior="ternary")
    with pytest.raises(ValueError, match="assumed must be"):
        solve_online(1, assumed=0.7)
    for function in (critical_alpha, online_asymptote):
        with pytest.raises(ValueError, match=r"below 0\.5"):
            function(0.5)


def test_noise_may_be_any_kind_of_number():
    found = solve_online(1.0, Decimal("0.25"), prior="spherical")
    assert found.equals(solve_online(1.0, 0.25, prior="spherical"))


@pytest.mark.parametrize("bad", [np.array([0.1, 0.2]), np.array([]), [], "x"])
def test_noise_that_is_no_number_is_named_beside_an_assumed_one(bad):
    with pytest.raises(TypeError, match=r"noise must be a number from 0 to 0\.5, got"):
        rb.theory.critical_alpha(bad, assumed=0.1)
