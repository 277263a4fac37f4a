import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.papers.barkai1995 import plane as disc


@pytest.mark.parametrize("radius", [0.7, 1.0, 1.6])
def test_error_and_rate_are_those_of_the_machine(radius):
    rng = np.random.default_rng(1)
    small = 1e-3
    machine = rb.machines.Ball(2, radius)
    error = machine.error(np.array([[small, 0.0]]), np.zeros(2), rb.streams.Normal(2))
    assert error[0] == pytest.approx(disc.error_per_length(radius) * small, rel=1e-4)
    # the mean step of a student at a distance, naively: -lambda dw
    away = 0.05
    s = rng.standard_normal((2_000_000, 2))
    label = np.sign(radius**2 - (s**2).sum(axis=1))
    off = s - np.array([away, 0.0])
    wrong = label * (radius**2 - (off**2).sum(axis=1)) <= 0
    steps = np.where(wrong, label * 2 * off[:, 0], 0.0)
    error = steps.std() / math.sqrt(len(s))
    # the next order is smaller by the square of the distance
    allowed = 5 * error + 2 * disc.disc_rate(radius) * away**3
    assert abs(steps.mean() + disc.disc_rate(radius) * away) < allowed


def test_with_noise_the_rate_of_return_has_the_second_derivative():
    rng = np.random.default_rng(2)
    noise, away = 0.2, 0.1
    s = rng.standard_normal((4_000_000, 2))
    flipped = np.where(rng.random(len(s)) < noise, -1, 1)
    label = flipped * np.sign(1 - (s**2).sum(axis=1))
    off = s - np.array([away, 0.0])
    wrong = label * (1 - (off**2).sum(axis=1)) <= 0
    steps = np.where(wrong, label * 2 * off[:, 0], 0.0)
    error = steps.std() / math.sqrt(len(s))
    allowed = 5 * error + 2 * away**3
    assert abs(steps.mean() + disc.noisy_rate(noise) * away) < allowed
    # without that term it would be noticed
    assert abs(disc.noisy_rate(noise) - disc.disc_rate()) * away > allowed
