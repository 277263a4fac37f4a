from dataclasses import dataclass

import numpy as np
import pytest

from rosenblatt.core import Activation
from rosenblatt.networks import Committee, simulate, solve
from rosenblatt.networks.averages import relu
from rosenblatt.networks.averages.kinked import Kinked
from rosenblatt.rules import ReLU

SIGNS = np.array([-1.0, -0.8, 1.0, 0.7])


def test_rectified_fields_have_the_averages_of_orthants():
    """Also for a student that is almost one of the teachers."""
    quadrature = Kinked(Committee(ReLU()))
    rows = np.random.default_rng(2).standard_normal((4, 4)) / 2
    for apart in (1.0, 1e-3):
        rows[3] = rows[0] + apart * rows[3]
        c = rows @ rows.T
        expected = relu.averages(c, SIGNS, 2)
        for one, other in zip(quadrature.averages(c, SIGNS, 2), expected, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-9)
        np.testing.assert_allclose(quadrature.products(c), relu.products(c), atol=1e-10)


@dataclass(frozen=True)
class Clipped(Activation):
    """The field between two limits, with kinks away from 0."""

    jump: float = 0.0

    @property
    def kinks(self):
        return (-0.5, 1.0)

    def bind(self):
        jump = self.jump

        def output(h):
            if h > 1.0:
                return 1.0 + jump, 0.0
            return (h, 1.0) if h > -0.5 else (-0.5, 0.0)

        return output


@pytest.mark.parametrize("jump", [0.0, 0.5])
def test_kinks_and_jumps_away_from_zero_are_split(jump):
    """200,000 draws: within 5 standard errors, which are below 0.003."""
    rows = np.random.default_rng(3).standard_normal((3, 3))
    c, signs = rows @ rows.T, np.array([-1.0, 1.0, 0.5])
    u = np.random.default_rng(4).standard_normal((200_000, 3)) @ rows.T
    error = (np.clip(u, -0.5, 1.0) + jump * (u > 1.0)) @ signs
    slopes = ((u > -0.5) & (u < 1.0)).astype(float)[:, :2]
    found = Kinked(Committee(Clipped(jump))).averages(c, signs, 2)
    for i in range(2):
        draws = [
            *(slopes[:, i] * error * u.T),
            *(slopes[:, i] * slopes.T * error**2),
            *(slopes[:, i] * slopes.T),
        ]
        every = [*(found.gradient @ c)[i], *found.squares[i], *found.slopes[i]]
        for one, many in zip(every, draws, strict=True):
            stderr = many.std() / np.sqrt(len(many))
            assert abs(one - many.mean()) < 5 * stderr
            assert stderr < 0.01


@dataclass(frozen=True)
class Steps(Activation):
    """The sign of the field, and as much of the field as the slope says."""

    slope: float = 1.0

    @property
    def kinks(self):
        return (0.0,)

    def bind(self):
        slope = self.slope
        return lambda h: (slope * h + (1.0 if h > 0.0 else -1.0), slope)


def test_an_output_that_jumps_has_its_closed_form():
    """<u sign(v)> is the covariance times the mean of abs(v), over its variance."""
    rows = np.random.default_rng(5).standard_normal((3, 3))
    for apart in (1.0, 1e-4):
        rows[2] = rows[0] + apart * rows[2]
        c, signs = rows @ rows.T, np.array([-1.0, 1.0, 0.5])
        found = Kinked(Committee(Steps(2.0))).averages(c, signs, 2).gradient @ c
        each = 2.0 * (2.0 * c + c * np.sqrt(2.0 / np.pi / c.diagonal()))
        np.testing.assert_allclose(found, np.tile(each @ signs, (2, 1)), atol=1e-9)


def test_a_student_whose_output_jumps_follows_its_theory():
    """Simulated at N = 4000: within 5 standard errors, and 2/N for its finite size."""
    committee, alpha = Committee(Steps(), 1, 1), [0, 1, 3]
    start = 0.3 * np.eye(1), 0.5 * np.eye(1)
    given = {"alpha": alpha, "start": start}
    curve = solve(committee, 0.2, **given).error.values[0]
    runs = simulate(committee, 0.2, dim=4000, replicas=64, **given).error.values
    deviation = np.abs(runs.mean(axis=0) - curve)
    assert (deviation <= 5 * runs.std(axis=0) / 8 + 2 / 4000).all()
    assert (runs.std(axis=0) / 8 < 0.01 * curve).all()
