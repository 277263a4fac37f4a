"""Drifts of R and q: by quadrature, and integrated; one place."""

import math

import pytest
from scipy.integrate import solve_ivp

import rosenblatt as rb
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.drift import OverlapDrift, State

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
