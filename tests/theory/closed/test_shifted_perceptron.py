import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import starts
from rosenblatt.rules import Normalised, Perceptron, Shifted
from rosenblatt.schedules import Constant, Power
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.closed import noisy_perceptron, perceptron
from rosenblatt.theory.closed import shifted_perceptron as closed
from tests.theory.closed.drifts import TASKS, assert_curve, assert_drift

RULE = Normalised(Perceptron())


@pytest.mark.parametrize(("noise", "u", "q0"), TASKS)
@pytest.mark.parametrize("rate", [0.1, 2.0])
def test_the_drift_is_that_of_the_rule(noise, u, q0, rate):
    rule = Shifted.known(RULE, q0)
    assert_drift(closed.drift, rule, noise, Gaussian(u, q0), rate)


def test_the_drift_integrates_to_the_curve():
    assert_curve(closed.drift, Shifted.known(RULE, 1.2), 0.3, (0.5, 0.2))


@pytest.mark.parametrize("rate", [0.02, 0.2])
@pytest.mark.parametrize("learned", [False, True])
def test_curves_end_at_the_fixed_point(rate, learned):
    noise, q0 = 0.1, 1.0
    rule = Shifted(RULE) if learned else Shifted.known(RULE, q0)
    end = rb.solve(
        rule,
        Constant(rate),
        Sign(noise),
        Gaussian(2.0, q0),
        alpha=[1e6 if learned else 150 / rate],
        start=starts.Overlap(0.95, mean=0.95 * q0),
    )
    angle = closed.fixed_point(rate, noise=noise, overlap=q0)
    # a learned T is off by 1/alpha still
    assert end.angle.values[0, 0] == pytest.approx(angle, rel=1e-3 if learned else 1e-9)


def test_the_fixed_point_is_the_only_zero():
    noise, q0 = 0.2, -1.95
    stream = Gaussian(4.0, q0)
    for rate in (0.01, 0.3):
        changes = [
            closed.drift(
                math.cos(a), q0 * math.cos(a), rate, noise=noise, stream=stream
            )[0]
            for a in np.linspace(1e-4, math.pi / 2 - 1e-4, 500)
        ]
        assert np.count_nonzero(np.diff(np.sign(changes))) == 1
        angle = closed.fixed_point(rate, noise=noise, overlap=q0)
        here = math.cos(angle), q0 * math.cos(angle)
        rest = closed.drift(*here, rate, noise=noise, stream=stream)
        assert max(map(abs, rest)) < 1e-14


def test_without_noise_and_bias_the_fixed_point_is_that_of_the_regular_rule():
    for rate in (1e-4, 0.1):
        angle = closed.fixed_point(rate, noise=0.0, overlap=1e-4)
        # where bias vanishes T grows and the pull is smaller by the factor R
        assert angle == pytest.approx(perceptron.fixed_point(rate), rel=rate**2)
        # eq. (5) of the paper, smaller terms are left out
        assert closed.residual_excess(rate, noise=0.0, overlap=0.0) == pytest.approx(
            rate / math.sqrt(2 * math.pi**3), rel=1e-12
        )


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.4])
def test_the_residual_error_leaves_out_the_rate_only(noise):
    q0 = 1.0
    for rate in (1e-3, 1e-5):
        angle = closed.fixed_point(rate, noise=noise, overlap=q0)
        exact = noisy_perceptron.error(angle, 0.0, noise=noise, overlap=q0) - noise
        assert closed.residual_excess(rate, noise=noise, overlap=q0) == pytest.approx(
            exact, rel=rate
        )


@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize(
    ("noise", "q0", "scale"), [(0.1, 1.0, 4.0), (0.2, -1.95, 2.0), (0.3, 0.5, 3.0)]
)
def test_the_asymptotes_are_those_of_curves(learned, noise, q0, scale):
    rule = Shifted(RULE) if learned else Shifted.known(RULE, q0)
    unit = 0.5 / noisy_perceptron.density(q0)
    run = rb.solve(
        rule,
        Power(scale * unit, 1.0, 20 * scale),
        Sign(noise),
        Gaussian(2.0, q0),
        alpha=[1e6, 1e8],
        start=starts.Overlap(0.98, mean=0.98 * q0),
    )
    # 1 - R from the angle; what is left out falls as 1/sqrt(alpha)
    first, second = (2 * np.sin(run.angle / 2) ** 2 * run.alpha).values[0]
    lack = second - (first - second) / 9
    expected = closed.prefactor(scale, noise=noise, overlap=q0, learned=learned)
    assert lack == pytest.approx(expected, rel=2e-4)
    lack = 2 * math.sin(float(run.angle[0, 1]) / 2) ** 2
    assert run.error.values[0, 1] - noise == pytest.approx(
        closed.excess(lack, noise=noise, overlap=q0), rel=1e-4
    )


@pytest.mark.parametrize("noise", [0.05, 0.2, 0.4])
def test_at_scale_two_learning_the_shift_costs_what_the_noise_hides(noise):
    known, learned = (
        closed.prefactor(2.0, noise=noise, overlap=1.0, learned=how)
        for how in (False, True)
    )
    assert learned / known == pytest.approx((1 - 2 * noise) ** -2)
    # eq. (18) as printed is right with T learned
    assert closed.excess(learned, noise=noise, overlap=1.0) == pytest.approx(
        math.sqrt(2 * noise / math.pi)
    )


@pytest.mark.parametrize("learned", [False, True])
def test_the_best_scale_is_a_minimum(learned):
    best = closed.best_scale(0.2, learned=learned)

    def at(scale):
        return closed.prefactor(scale, noise=0.2, overlap=1.0, learned=learned)

    assert at(best) < min(at(best * 0.999), at(best * 1.001))


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="overlap must not be 0"):
        closed.fixed_point(0.1, noise=0.1, overlap=0.0)
    with pytest.raises(ValueError, match="rate must be small enough"):
        closed.fixed_point(50.0, noise=0.1, overlap=1.0)
    with pytest.raises(ValueError, match="scale must be a number above 1"):
        closed.prefactor(1.0, noise=0.1, overlap=1.0, learned=True)
    with pytest.raises(ValueError, match=r"noise must be below 0\.5"):
        closed.best_scale(0.5, learned=True)
