import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import chndtr, ndtr

from rosenblatt.machines import Ball
from rosenblatt.streams import Normal, Uniform


def test_the_error_of_disjoint_discs_is_the_sum_of_both():
    """Each has the probability of a noncentral chi-square variable with 2 degrees."""
    target, weights = np.array([1.0, 0.5]), np.array([[-2.0, 1.0], [1.0, 3.0]])
    for r in (0.3, 1.2):
        found = Ball(radius=r).error(weights, target, Normal(2))
        each = [chndtr(r**2, 2, c @ c) for c in (target, *weights)]
        assert found == pytest.approx(each[0] + np.array(each[1:]), rel=1e-11)


@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-2])
@pytest.mark.parametrize("radius", [0.5, 1.0, 3.0])
def test_tiny_errors_are_accurate(delta, radius):
    """Around the origin E = (2/pi) r exp(-r^2/2) delta (1 + O(delta^2)), both lunes."""
    weights = delta * np.array([[1.0, 0.0], [0.6, -0.8]])
    found = Ball(radius=radius).error(weights, np.zeros(2), Normal(2))
    first = 2 / math.pi * radius * math.exp(-(radius**2) / 2) * delta
    assert found == pytest.approx(first, rel=max(1e-10, 20 * delta**2))
    assert found[0] == pytest.approx(found[1], rel=1e-10)


def brute(radius, *centres):
    """Integrate over lines along x, between the ends of both discs, what is in one."""

    def single(y):
        ends = []
        for x, at in centres:
            half = math.sqrt(max(radius**2 - (y - at) ** 2, 0.0))
            ends.append((x - half, x + half))
        (a, b), (c, d) = ends
        common = max(ndtr(min(b, d)) - ndtr(max(a, c)), 0.0)
        sides = ndtr(b) - ndtr(a) + ndtr(d) - ndtr(c)
        return math.exp(-y * y / 2) / math.sqrt(2 * math.pi) * (sides - 2 * common)

    marks = sorted(y + side * radius for _, y in centres for side in (-1, 1))
    pieces = [quad(single, *ends, limit=500)[0] for ends in itertools.pairwise(marks)]
    return sum(pieces)


def test_overlapping_discs_anywhere():
    """The adaptive quadrature asks for 1.5e-8."""
    for centre, other in [((0.3, -0.2), (0.9, 0.4)), ((1.0, 0.5), (-0.7, 0.1))]:
        found = Ball(radius=1.0).error(np.array([other]), np.array(centre), Normal(2))
        assert found == pytest.approx(brute(1.0, centre, other), rel=5e-8)


def test_means_and_scales_are_only_a_change_of_units():
    target, weights = np.array([0.3, -0.2]), np.array([[0.9, 0.4], [0.3, -0.2]])
    plain = Ball(radius=0.7).error(weights, target, Normal(2))
    mean = np.array([2.0, -1.0])
    moved = Ball(radius=1.4).error(
        2 * weights + mean, 2 * target + mean, Normal(2, mean, 2.0)
    )
    assert moved == pytest.approx(plain, rel=1e-12)
    assert plain[1] == 0


def test_the_error_is_not_known_in_other_dimensions_or_streams():
    assert Ball(3).error(np.zeros((1, 3)), np.zeros(3), Normal(3)) is None
    assert Ball(2).error(np.zeros((1, 2)), np.zeros(2), Uniform(2)) is None


def test_bad_numbers_are_refused():
    with pytest.raises(ValueError, match="radius must be a number above 0, got 0"):
        Ball(radius=0)
    with pytest.raises(ValueError, match="dim must be a whole number not below 1"):
        Ball(dim=0)
