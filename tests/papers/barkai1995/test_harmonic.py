import itertools
import math

import numpy as np
import pytest
from scipy import integrate, sparse, stats
from scipy.sparse.linalg import spsolve

from rosenblatt.papers.barkai1995.one_parameter import Harmonic
from tests.laws import LEAST
from tests.papers.barkai1995 import walks

SCALES = [1.3, 2.0, 8.0]


def operator(x, points):
    """The operator of eq. (24) on a grid: a cell jumps by one, towards zero."""
    rate, here = np.abs(x), np.arange(x.size)
    there = here - points * np.sign(x).astype(int)
    rows, columns = np.concatenate([there, here]), np.concatenate([here, here])
    return sparse.csr_array((np.concatenate([rate, -rate]), (rows, columns)))


def on_a_grid(scale, points, reach):
    """Solve (x F)' = scale L F with differences, without the closed form."""
    x = (np.arange(-reach * points, reach * points) + 0.5) / points
    edges = np.arange(1, x.size) / points - reach
    # what flows through an edge leaves one cell and enters the next
    through = sparse.diags_array(
        [edges / 2, edges / 2], offsets=[0, 1], shape=(x.size - 1, x.size)
    )
    flow = points * sparse.diags_array(
        [np.ones(x.size - 1), -np.ones(x.size - 1)],
        offsets=[0, -1],
        shape=(x.size, x.size - 1),
    )
    equations = sparse.lil_array(flow @ through - scale * operator(x, points))
    equations[0] = 1 / points  # one equation follows from the others: norm instead
    right = np.zeros(x.size)
    right[0] = 1.0
    return x, spsolve(sparse.csc_array(equations), right)


@pytest.mark.parametrize("scale", SCALES)
def test_the_closed_form_is_the_numerical_solution(scale):
    reach = math.ceil(24 / Harmonic(scale).decay) + 1  # beyond, less than e^-24
    coarse, fine = (on_a_grid(scale, points, reach) for points in (100, 200))
    law = Harmonic(scale)
    errors = [np.abs(law.density(x) - found).max() for x, found in (coarse, fine)]
    assert errors[1] < 5e-4
    assert errors[1] < 0.4 * errors[0]  # second order


@pytest.mark.parametrize("scale", [*SCALES, 60.0, 300.0])
def test_density_distribution_and_moments_agree(scale):
    law = Harmonic(scale)
    points = [0.0, 0.01, 0.3, 1.0, 1.7]
    for low, high in itertools.pairwise(points):
        mass = integrate.quad(law.density, low, high, epsabs=1e-12)[0]
        between = np.diff(law.distribution(np.array([low, high])))[0]
        assert mass == pytest.approx(between, abs=1e-10)
        other = law.distribution(np.array([-high, -low]))
        assert np.diff(other)[0] == pytest.approx(between, abs=1e-14)
    assert law.distribution(np.array([-1e3, 0.0, 1e3])) == pytest.approx([0, 0.5, 1])
    first, second = (
        2
        * sum(
            integrate.quad(lambda x, p=p: x**p * law.density(x), *ends, limit=200)[0]
            for ends in ((0, 1), (1, 1 + 40 / law.decay))
        )
        for p in (1, 2)
    )
    assert first == pytest.approx(law.mean, rel=1e-8)
    assert second / first == pytest.approx(law.moment_ratio, rel=1e-8)


@pytest.mark.parametrize("scale", [1.5, 4.0])
def test_the_law_is_that_of_a_walk(scale):
    rng = np.random.default_rng(1)
    start = rng.uniform(-1, 1, 20_000)
    last = 1e3 ** (1 / min(1, scale - 1))  # the start counts for a factor 1e-3
    x = walks.decreasing(rng, start, 1.0, scale, 1.0, last)
    # a distance of 2.2/sqrt(20000) = 0.016 between distributions would be noticed
    assert stats.kstest(x, Harmonic(scale).distribution).pvalue > LEAST


def test_at_the_threshold_the_law_spreads_without_end():
    means = [Harmonic(1 + gap).mean for gap in (1e-2, 1e-3, 1e-4)]
    # k is about 2 (c - 1), and for 1/k large most of the moments lies beyond 1
    assert means[0] < means[1] < means[2]
    assert Harmonic(1 + 1e-4).decay == pytest.approx(2e-4, rel=1e-3)
    for scale in (1.0, 0.5, 301.0, math.nan):
        with pytest.raises(ValueError, match="scale must be above 1"):
            Harmonic(scale)
