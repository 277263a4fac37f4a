"""Drifts by quadrature, against closed forms and against simulated averages."""

import math

import numpy as np
import pytest

from rosenblatt.core import Percept
from rosenblatt.rules import (
    FixedShift,
    Hebb,
    Normalised,
    PassiveAggressive,
    Perceptron,
    Shifted,
    SphericalBayes,
)
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory import closed
from rosenblatt.theory.drift import OverlapDrift, State

ANGLES = [1e-12, 1e-6, 1e-3, 0.3, 1.0, 1.57, 2.5, 3.1]


def at(angle, norm=1.0):
    side = norm * math.sin(angle)
    return State(norm * math.cos(angle), side**2, 0.0, 0.0, 0.0)


def turn(derivatives, angle, norm=1.0):
    """The derivative of the angle, from those of the state."""
    along, side2 = derivatives[:2]
    side = side2 / (2 * norm * math.sin(angle))
    return (side * math.cos(angle) - along * math.sin(angle)) / norm


@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("rate", [0.01, 1.0, 5.0])
def test_normalised_perceptron_has_the_closed_drift(angle, rate):
    found = OverlapDrift(Normalised(Perceptron()), Sign(), Gaussian())(
        at(angle), rate, 1.0
    )
    exact = closed.perceptron.drift(angle, rate)
    scale = rate * math.sin(angle) + rate**2 * angle / math.tan(angle)
    assert abs(turn(found, angle) - exact) < 1e-12 * abs(scale)
    assert found[3] == pytest.approx(angle / math.pi, rel=1e-12)


@pytest.mark.parametrize("q", [0.01, 0.5, 0.99, 0.999999])
@pytest.mark.parametrize("noise", [0.0, 0.1, 0.4])
def test_spherical_bayes_has_the_closed_drift(q, noise):
    state = State(q, q * (1 - q), 0.0, 0.0, 0.0)
    found = OverlapDrift(SphericalBayes(noise), Sign(noise), Gaussian())(
        state, 1.0, 1.0
    )
    assert found[0] == pytest.approx(closed.spherical_bayes.drift(q, noise), rel=1e-10)
    growth = 2 * q * found[0] + found[1]  # Q = q stays true
    assert growth == pytest.approx(found[0], rel=1e-10)


RULES = [
    PassiveAggressive(1.0, 0.7),
    *(
        pytest.param(rule, marks=pytest.mark.slow)
        for rule in (Perceptron(0.4), Hebb(), Normalised(Perceptron()))
    ),
    Normalised(Shifted(Perceptron(), FixedShift(0.7, 0.4))),
]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_drift_equals_the_average_over_simulated_inputs(rule):
    """A million inputs; an error of 0.5% of a typical change is caught."""
    rng = np.random.default_rng(0)
    stream, noise, eta = Gaussian(1.5, 0.8), 0.1, 0.6
    c, d, s = 0.5, 0.3, 0.9
    state = State.at(c, d, s)
    found = OverlapDrift(rule, Sign(noise), stream)(state, eta, 1.0)
    X = rng.standard_normal((1_000_000, 3)) + np.array([*stream.center, 0.0])
    y = np.sign(X[:, 0]) * np.where(rng.random(len(X)) < noise, -1, 1)
    h = X @ [c, d, s]
    shift = np.zeros(3)
    if isinstance(rule.shift, FixedShift):
        shift[:2] = 0.7 * np.array(stream.center) + [0.4, 0.0]
    step = rule.bind()
    sample = slice(0, 200_000)  # plain Python is slow
    u = np.array(
        [
            step(
                Percept(a, b, c**2 + d**2 + s**2, 1.0, eta, math.inf, shift @ [c, d, s])
            )
            for a, b in zip(h[sample], y[sample], strict=True)
        ]
    )
    gain, decay = u.T
    moved = gain[:, None] * (X[sample] - shift) - decay[:, None] * [c, d, s]
    side2 = 2 * d * moved[:, 1] + 2 * s * moved[:, 2] + gain**2
    side = math.sqrt(state.side2)
    tilt = (moved[:, 1] - d * side2 / (2 * side**2)) / side
    mistakes = (h * y <= 0)[sample].astype(float)
    for ours, theirs in zip(found, (moved[:, 0], side2, tilt, mistakes), strict=False):
        assert abs(ours - theirs.mean()) < 5 * theirs.std() / math.sqrt(theirs.size)


def test_a_learned_shift_needs_unbalanced_labels():
    drift = OverlapDrift(Shifted(Perceptron()), Sign(), Gaussian(1.0, 0.0))
    with pytest.raises(ValueError, match="both are equally frequent"):
        drift(State.at(0.5, 0.0, 0.5), 1.0, 1.0)
