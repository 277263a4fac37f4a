import numpy as np
import pytest

from rosenblatt.papers.barkai1995.one_parameter import (
    DISC,
    FIRST,
    KAPPA,
    constant_rate,
    discs,
    falling_rate,
    noisy_rate,
    spread,
    steady,
)


def test_starts_are_spread_evenly():
    found = spread(10_000, 0.3, 2)
    assert found.shape == (10_000, 2)
    assert np.abs(found).max() <= 0.3
    # the variance of an even law is reach^2/3, with a relative error of 0.9%
    assert found.var() == pytest.approx(0.03, rel=5 * 0.009 / 2**0.5)


def test_at_a_constant_rate_students_move_by_whole_steps():
    found = constant_rate(0.05, 30, start=0.3)
    np.testing.assert_allclose((found - 0.3) % 1, 0, atol=1e-9)
    assert np.abs(found).max() < 1  # no student is further away than one step


def test_noisy_students_are_counted_from_their_target():
    here, there = noisy_rate(0.05, 200), noisy_rate(0.05, 200, 0.5)
    assert here.shape == there.shape == (200,)
    assert np.abs(here).max() < 1
    assert abs(here.mean()) < 5 * here.std() / 200**0.5
    assert np.abs(there - here).max() < 2


def test_falling_rates_are_in_units_of_the_next_step():
    scale, replicas = 3.0, 500
    unit = scale / KAPPA
    start = spread(replicas, unit / FIRST)[:, 0]
    moved = falling_rate(1.0, scale, 1, replicas) * unit / (FIRST + 2) - start
    steps = moved * (FIRST + 1) / unit
    np.testing.assert_allclose(steps, np.rint(steps), atol=1e-9)
    assert set(np.rint(steps)) == {-1, 0, 1}


def test_discs_start_near_the_target_and_come_nearer():
    run = discs(1.0, 3.0, (0, 2000), 30)
    first, last = np.linalg.norm(run["weights"].values, axis=2).T
    assert first.max() < 0.2 * 2**0.5
    assert last.mean() < first.mean() / 3


def test_steady_students_are_as_far_away_as_their_rate():
    small, large = (
        np.linalg.norm(run["weights"].values[:, 0], axis=1).mean()
        for run in steady(DISC, (0.0, 0.0), 0.6, (0.02, 0.04), 100)
    )
    # the spread of a mean of 100 is about 5%
    assert large / small == pytest.approx(2, rel=0.3)
