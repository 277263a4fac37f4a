import math

import numpy as np
import pytest
from scipy import stats

from rosenblatt.papers.barkai1995.equilibrium import grid
from rosenblatt.papers.barkai1995.errata_4 import bent


def as_printed(gradient, density, x):
    """Return eq. (24) as it is printed."""
    total = -np.abs(x) * density(x)
    for sigma in (-1, 1):
        there = gradient + sigma * x
        total += (there * gradient > 0) * there * density(x + sigma * gradient)
    return total


def test_without_bars_eq_24_depends_on_the_sign_of_the_gradient():
    x = grid(50, 3)
    triangle = stats.triang(0.5, loc=-1, scale=2).pdf
    np.testing.assert_allclose(as_printed(1.0, triangle, x), 0, atol=1e-12)
    lost = as_printed(-1.0, triangle, x).sum() / 50
    assert lost == pytest.approx(-2 / 3, abs=1e-3)  # -2 <|x|>, of a grid


def test_with_a_gradient_that_varies_the_mass_collapses_onto_the_target():
    early, late = np.abs(bent(2000, (10.0, 1000.0))).T
    error = math.sqrt((early.var() + late.var()) / early.size)
    assert early.mean() - late.mean() > 5 * error
    # the triangle has 2% of its mass there, 1/|x| from 1/1000 to 1 a third
    assert np.mean(early < 0.01) < 0.1 < np.mean(late < 0.01)


def test_with_noise_a_disc_off_the_middle_is_pushed_away_from_its_target():
    rng = np.random.default_rng(1)
    target, noise = np.array([1.0, 0.0]), 0.2
    off = rng.standard_normal((400_000, 2)) - target
    f = 1 - (off**2).sum(axis=1)
    wrong = rng.random(len(f)) < noise  # at the target, these are all the mistakes
    steps = np.where(wrong[:, None], -np.sign(f)[:, None] * 2 * off, 0)
    push = steps.mean(axis=0)
    expected = -noise * (np.sign(f)[:, None] * 2 * off).mean(axis=0)
    error = steps.std(axis=0) / math.sqrt(len(f))
    assert np.all(np.abs(push - expected) < 5 * error)
    assert abs(push[0]) > 20 * error[0]
    assert abs(push[1]) < 5 * error[1]  # none across
