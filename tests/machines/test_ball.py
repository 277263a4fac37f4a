import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import chndtr, ndtr

from rosenblatt.machines import Ball
from rosenblatt.streams import Normal


def test_the_error_of_disjoint_discs_is_the_sum_of_both():
    """Each has the probability of a noncentral chi-square variable with 2 degrees."""
    target, weights = np.array([1.0, 0.5]), np.array([[-2.0, 1.0], [1.0, 3.0]])
    for r in (0.3, 1.2):
        found = Ball(radius=r).error(weights, target, Normal(2))
        each = [chndtr(r**2, 2, c @ c) for c in (target, *weights)]
        assert found == pytest.approx(each[0] + np.array(each[1:]), rel=1e-11)


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
