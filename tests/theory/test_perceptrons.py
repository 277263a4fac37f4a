"""Closed forms of perceptron rules, against the drift and curves of the rules."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import rosenblatt as rb
from rosenblatt.core import starts
from rosenblatt.rules import Normalised, Perceptron, Shifted
from rosenblatt.schedules import Power
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.closed import noisy_perceptron, perceptron, shifted_perceptron
from rosenblatt.theory.drift import OverlapDrift, State

RULE = Normalised(Perceptron())
TASKS = [  # noise, u, q0
    (0.2, 4.0, -1.95),
    (0.1, 2.0, 1.0),
    (0.4, 1.0, 0.9),
    (0.49, 3.0, 0.5),
    (0.01, 5.0, 3.0),
]


def change(rule, noise, stream, overlap, mean_overlap, rate):
    """The derivatives of R and q by quadrature."""
    q0, v = stream.center
    across = (mean_overlap - q0 * overlap) / v
    rest = math.sqrt(1 - overlap**2 - across**2)
    state = State.at(overlap, across, rest)
    along, side2, tilt = OverlapDrift(rule, Sign(noise), stream)(state, rate, 1.0)[:3]
    side = math.sqrt(state.side2)
    return along, q0 * along + v * (tilt * side + state.tilt * side2 / (2 * side))


def integrated(drift, noise, stream, rate, first, times):
    found = solve_ivp(
        lambda _, state: drift(*state, rate, noise=noise, stream=stream),
        (0.0, times[-1]),
        first,
        t_eval=times,
        rtol=1e-11,
        atol=1e-13,
    )
    return found.y


def assert_drift(closed, rule, noise, stream, rate):
    """Compare a drift in closed form with the quadrature of the rule."""
    q0 = stream.center[0]
    for overlap, mean_overlap in ((0.6, 0.3), (0.99, q0), (-0.5, -0.2), (0.1, 0.5)):
        exact = closed(overlap, mean_overlap, rate, noise=noise, stream=stream)
        found = change(rule, noise, stream, overlap, mean_overlap, rate)
        assert exact == pytest.approx(found, abs=1e-12)


def assert_curve(closed, rule, rate, first):
    """Compare an integrated drift with the learning curve of the rule."""
    noise, stream, times = 0.2, Gaussian(2.0, 1.2), [1.0, 5.0, 20.0]
    curve = rb.solve(
        rule,
        rb.schedules.Constant(rate),
        Sign(noise),
        stream,
        alpha=times,
        start=rb.starts.Overlap(first[0], mean=first[1]),
    )
    found = integrated(closed, noise, stream, rate, first, times)
    assert found[0] == pytest.approx(curve.overlap.values[0], abs=1e-9)
    assert found[1] == pytest.approx(curve.mean_overlap.values[0], abs=1e-9)


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
    assert_drift(noisy_perceptron.drift, RULE, noise, Gaussian(u, q0), rate)


def test_the_drift_integrates_to_the_curve():
    assert_curve(noisy_perceptron.drift, RULE, 0.8, (0.3, -0.5))


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
    found = noisy_perceptron.limit(noise=noise, stream=Gaussian(u, q0))
    assert found.angle == pytest.approx(abs(at), abs=4e-5)  # a step of the grid
    # to rounding, whatever the grid; the student leaves the mean's side of the teacher
    here = -math.copysign(found.angle, q0)
    assert abs(torques(noise, u, q0, np.array(here))[0]) < 1e-14
    assert found.overlap == math.cos(found.angle)
    v = math.sqrt(u**2 - q0**2)
    q = q0 * math.cos(here) + v * math.sin(here)
    assert found.mean_overlap == pytest.approx(q, abs=1e-14)


@pytest.mark.parametrize(("noise", "u", "q0"), TASKS)
@pytest.mark.parametrize("rate", [0.1, 2.0])
def test_the_drift_is_that_of_the_shifted_rule(noise, u, q0, rate):
    rule = Shifted.known(RULE, q0)
    assert_drift(shifted_perceptron.drift, rule, noise, Gaussian(u, q0), rate)


def test_the_drift_integrates_to_the_curve_of_the_shifted_rule():
    assert_curve(shifted_perceptron.drift, Shifted.known(RULE, 1.2), 0.3, (0.5, 0.2))


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
    expected = shifted_perceptron.prefactor(
        scale, noise=noise, overlap=q0, learned=learned
    )
    assert lack == pytest.approx(expected, rel=2e-4)
    lack = 2 * math.sin(float(run.angle[0, 1]) / 2) ** 2
    assert run.error.values[0, 1] - noise == pytest.approx(
        shifted_perceptron.excess(lack, noise=noise, overlap=q0), rel=1e-4
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: perceptron.asymptote(2.0), r"scale must be above sqrt\(2 pi\)"),
        (
            lambda: noisy_perceptron.limit(noise=0.5, stream=Gaussian(1.0, 0.5)),
            r"noise must be below 0\.5.*got 0\.5",
        ),
        (
            lambda: noisy_perceptron.limit(noise=0.6, stream=Gaussian(1.0, 0.5)),
            r"noise must be a number from 0 to 0\.5",
        ),
        (
            lambda: shifted_perceptron.fixed_point(0.1, noise=0.1, overlap=0.0),
            "overlap must not be 0",
        ),
        (
            lambda: shifted_perceptron.fixed_point(50.0, noise=0.1, overlap=1.0),
            "rate must be small enough",
        ),
        (
            lambda: shifted_perceptron.prefactor(
                1.0, noise=0.1, overlap=1.0, learned=True
            ),
            "scale must be a number above 1",
        ),
        (lambda: shifted_perceptron.best_scale(0.5, learned=True), "noise must be"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
