import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import starts
from rosenblatt.rules import Normalised, Perceptron
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.closed import noisy_perceptron as closed
from tests.theory.closed.drifts import TASKS, assert_curve, assert_drift

RULE = Normalised(Perceptron())


def torques(noise, u, q0, angles):
    """Return the mean steps that turn the student in the plane: a naive version.

    The mean comes at a right angle to the teacher where the angle is pi/2.
    """
    v = math.sqrt(u**2 - q0**2)
    student = np.array([np.cos(angles), np.sin(angles)])
    sideways = np.array([-np.sin(angles), np.cos(angles)])
    erf = np.vectorize(math.erf)
    q = q0 * student[0] + v * student[1]
    a = 0.5 * ((1 - 2 * noise) * math.erf(q0 / 2**0.5) - erf(q / 2**0.5))
    c = (1 - 2 * noise) * math.exp(-(q0**2) / 2) / math.sqrt(2 * math.pi)
    field = np.array([a * q0 + c, a * v])
    return (field * sideways).sum(axis=0), (field * student).sum(axis=0)


@pytest.mark.parametrize(("noise", "u", "q0"), TASKS)
@pytest.mark.parametrize("rate", [0.1, 2.0])
def test_the_drift_is_that_of_the_rule(noise, u, q0, rate):
    assert_drift(closed.drift, RULE, noise, Gaussian(u, q0), rate)


def test_the_drift_integrates_to_the_curve():
    assert_curve(closed.drift, RULE, 0.8, (0.3, -0.5))


@pytest.mark.parametrize(
    ("noise", "u", "q0"),
    [*TASKS, (0.4999, 2.0, 1.0), (1e-6, 2.0, 1.0), (0.3, 2.0, 0.0), (0.3, 2.0, 1.9999)],
)
def test_the_limit_is_the_only_stable_zero_in_the_plane(noise, u, q0):
    angles = np.linspace(-math.pi, math.pi, 200_001) + 1e-7
    turn, hold = torques(noise, u, q0, angles)
    falls = (turn[:-1] > 0) & (turn[1:] <= 0) & (hold[:-1] > 0)
    assert falls.sum() == 1
    (at,) = angles[:-1][falls]
    found = closed.limit(noise=noise, stream=Gaussian(u, q0))
    assert found.angle == pytest.approx(abs(at), abs=4e-5)  # a step of the grid
    # to rounding, whatever the grid; the student leaves the mean's side of the teacher
    here = -math.copysign(found.angle, q0)
    assert abs(torques(noise, u, q0, np.array(here))[0]) < 1e-14
    assert found.overlap == math.cos(found.angle)
    v = math.sqrt(u**2 - q0**2)
    q = q0 * math.cos(here) + v * math.sin(here)
    assert found.mean_overlap == pytest.approx(q, abs=1e-14)


@pytest.mark.parametrize(
    ("noise", "u", "q0"),
    [
        (0.2, 4.0, -1.95),
        (0.1, 2.0, 1.0),
        (0.45, 2.0, 1.0),
        (0.3, 2.0, 0.0),
        (0.1, 1.0, 1.0),  # W0 is stable ...
        (0.3, 1.5, 1.5),  # ... and unstable
        (0.3, 1.5, -1.5),
    ],
)
def test_curves_tend_to_the_limit_at_small_rates(noise, u, q0):
    stream = Gaussian(u, q0)
    found = closed.limit(noise=noise, stream=stream)
    rates, errors, overlaps = [1e-3, 5e-4], [], []
    for rate in rates:
        end = rb.solve(
            RULE,
            rb.schedules.Constant(rate),
            Sign(noise),
            stream,
            alpha=[600 / rate],
            start=starts.Overlap(0.7),
        )
        errors.append(end.error.values[0, 0])
        overlaps.append(end.overlap.values[0, 0])
    if found.angle == 0:  # the error goes with the square root of the rate
        assert errors[1] - noise < 0.02
        assert (errors[0] - noise) / (errors[1] - noise) == pytest.approx(
            math.sqrt(2), rel=0.02
        )
    else:  # linear in the rate, and the straight line meets the limit
        assert 2 * errors[1] - errors[0] == pytest.approx(found.error, abs=1e-5)
        assert 2 * overlaps[1] - overlaps[0] == pytest.approx(found.overlap, abs=1e-4)


@pytest.mark.parametrize("q0", [0.3, 1.0, -2.0, 4.0])
def test_the_teacher_is_unstable_from_the_critical_noise_on(q0):
    critical = closed.critical_noise(q0)
    stream = Gaussian(abs(q0), q0)
    assert closed.limit(noise=0.999 * critical, stream=stream).angle == 0
    assert closed.limit(noise=1.001 * critical, stream=stream).angle > 0
    # the pull back to the teacher changes its sign there
    close, slow = 1 - 1e-8, 1e-13
    for factor, sign in ((0.999, 1), (1.001, -1)):
        turn = closed.drift(
            close, close * q0, slow, noise=factor * critical, stream=stream
        )[0]
        assert math.copysign(1, turn) == sign


def test_the_parallel_limit_is_that_of_almost_parallel_means():
    for noise in (0.02, 0.2, 0.45):
        for q0 in (0.5, 1.5, -2.5):
            exact = closed.limit(noise=noise, stream=Gaussian(abs(q0), q0))
            close = closed.limit(
                noise=noise, stream=Gaussian(abs(q0) * (1 + 1e-15), q0)
            )
            assert close.error == pytest.approx(exact.error, abs=1e-6)


@pytest.mark.parametrize(("u", "q0"), [(2.0, 1.0), (4.0, -1.95), (1.0, 0.2)])
def test_the_excess_error_starts_with_its_slope(u, q0):
    stream = Gaussian(u, q0)
    ratios = [
        (closed.limit(noise=p, stream=stream).error - p) / p for p in (2e-5, 1e-5)
    ]
    slope = closed.small_noise_slope(stream)
    assert 2 * ratios[1] - ratios[0] == pytest.approx(slope, rel=1e-7)
    assert ratios[1] == pytest.approx(slope, rel=1e-4)


def test_a_large_mean_away_from_the_teacher_costs_the_bias_of_the_labels():
    # at v -> infinity the excess is p |s|: the student ignores what noise undoes
    slope = closed.small_noise_slope(Gaussian(1000.0, 1.0))
    assert slope == pytest.approx(closed.bias(1.0), rel=2 / 1000**2)


def test_reflections_change_the_sign_of_the_mean_overlap_only():
    one = closed.limit(noise=0.2, stream=Gaussian(2.0, 1.2))
    other = closed.limit(noise=0.2, stream=Gaussian(2.0, -1.2))
    assert other == one._replace(mean_overlap=-one.mean_overlap)


def test_labels_that_say_nothing_are_refused():
    with pytest.raises(ValueError, match=r"noise must be below 0\.5.*got 0\.5"):
        closed.limit(noise=0.5, stream=Gaussian(1.0, 0.5))
    with pytest.raises(ValueError, match=r"noise must be a number from 0 to 0\.5"):
        closed.limit(noise=0.6, stream=Gaussian(1.0, 0.5))
