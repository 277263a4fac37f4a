from dataclasses import dataclass

import numpy as np
import pytest

from rosenblatt.core import Activation
from rosenblatt.networks import Committee
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


def test_kinks_away_from_zero_are_split():
    """200,000 draws: within 5 standard errors, which are below 0.003."""
    rows = np.random.default_rng(3).standard_normal((3, 3))
    c, signs = rows @ rows.T, np.array([-1.0, 1.0, 0.5])
    u = np.random.default_rng(4).standard_normal((200_000, 3)) @ rows.T
    error = np.clip(u, -0.5, 1.0) @ signs
    slopes = ((u > -0.5) & (u < 1.0)).astype(float)[:, :2]
    found = Kinked(Committee(Clipped())).averages(c, signs, 2)
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


def test_an_activation_that_jumps_is_refused():
    quadrature = Kinked(Committee(Clipped(0.5)))
    with pytest.raises(ValueError, match="activation without jumps"):
        quadrature.averages(np.eye(2), np.array([-1.0, 1.0]), 1)
