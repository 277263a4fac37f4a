import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from rosenblatt.compiling import kernel, types
from rosenblatt.numerics.random import generator
from rosenblatt.simulation.events import (
    density,
    direction,
    fill_bounds,
    largest,
    radius,
)


@kernel(types.void, types.float64[::1], types.float64, types.uint64[::1])
def draw(out, m, rng):
    for i in range(out.size):
        out[i] = radius(m, rng)


@pytest.mark.parametrize("m", [-30.0, -3.0, -1.001, -0.999, 0.0, 0.5, 4.0, 30.0])
def test_radii_follow_their_law(m):
    """20 000 draws: an error of 0.016 in the distribution function is caught."""
    out = np.empty(20_000)
    draw(out, m, generator(np.random.SeedSequence(1)))

    grid = np.linspace(max(0.0, m - 9), max(m, 0) + 9, 200_001)
    values = grid * np.exp(-(grid**2) / 2 + m * grid - max(m, 0) ** 2 / 2)
    cdf = np.concatenate([[0], np.cumsum((values[1:] + values[:-1]) / 2)])
    law = np.interp(out, grid, cdf / cdf[-1])
    assert stats.kstest(law, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("mean", [(0.0, 0.0), (1.0, 0.5), (-1.95, 3.5), (0.0, 6.0)])
def test_the_density_of_directions_is_one_in_all(mean):
    along, across = mean
    mean2 = along**2 + across**2
    peak = math.atan2(across, along)
    total, _ = quad(
        lambda psi: density(along * math.cos(psi) + across * math.sin(psi), mean2),
        peak - math.pi,
        peak + math.pi,
        points=[peak],
    )
    assert total / (2 * math.pi) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("mean", [(1.0, 0.5), (-1.95, 3.5), (-2.0, -2.0), (0.0, -3.0)])
@pytest.mark.parametrize("angle", [0.01, 1.0, 3.0])
def test_bounds_are_reached_and_never_exceeded(mean, angle):
    along, across = mean
    mean2 = along**2 + across**2
    bounds = np.empty(4)
    fill_bounds(bounds, angle, math.pi - angle, angle, along, across)
    for wedge in range(4):
        agree, flip = wedge >= 2, -1.0 if wedge % 2 else 1.0
        width = math.pi - angle if agree else angle
        found = []
        for delta in np.linspace(0, width, 2001):
            e0, e1, field = (flip * e for e in direction(agree, angle, delta))
            assert field == pytest.approx(
                math.cos(angle) * e0 + math.sin(angle) * e1, abs=1e-12
            )
            if 0 < delta < width:
                assert (e0 * field > 0) == agree
            m = along * e0 + across * e1
            found.append(width / (2 * math.pi) * density(m, mean2))
        assert max(found) <= bounds[wedge] * (1 + 1e-12)
        assert max(found) == pytest.approx(bounds[wedge], rel=1e-4)


def test_the_largest_component_may_be_inside_or_at_an_edge():
    assert largest(0.0, 1.0, 0.6, 0.8 * 0.6) == pytest.approx(math.hypot(0.6, 0.48))
    assert largest(1.0, 0.5, 1.0, 0.0) == pytest.approx(math.cos(1.0))
    assert largest(-1.5, 0.5, 1.0, 0.0) == pytest.approx(math.cos(1.0))
