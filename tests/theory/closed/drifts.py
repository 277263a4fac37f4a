"""Drifts of R and q: by quadrature, and integrated; one place."""

import math

from scipy.integrate import solve_ivp

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
