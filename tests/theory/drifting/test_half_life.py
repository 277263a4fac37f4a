import math

import numpy as np
import pytest

from rosenblatt.theory import best_half_life, online_asymptote
from rosenblatt.theory.drifting.half_life import _Filter

DRIFT = 0.02
OWN = math.log(2) / (2 * DRIFT)  # of a filter that believes in the true law


@pytest.mark.parametrize("strength", [1e-9, 1e-18])
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_errors_of_slow_walks_approach_their_law(noise, strength):
    sharp = 2 * (1 - 2 * noise) / math.pi / online_asymptote(noise)
    found = best_half_life(strength, noise)
    assert found.value == pytest.approx(math.log(2) / 2 / strength)
    assert found.angle == pytest.approx((2 * strength / sharp) ** (1 / 3), rel=1e-4)


@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_fast_walks_leave_the_overlap_of_one_example_with_its_information(noise):
    """For large D eq. (2) is q = I(0) / 2D, with I(0) = 2 (1 - 2k)^2 / pi."""
    angle = best_half_life(1e9, noise).angle
    cosine = math.sqrt((1 - 2 * noise) ** 2 / math.pi * 1e-9)
    assert math.cos(angle) == pytest.approx(cosine, rel=1e-6)


def test_a_filter_that_believes_in_no_noise_where_there_is_some_has_no_best_half_life():
    with pytest.raises(ArithmeticError, match="no best half-life was found"):
        best_half_life(0.01, label_variance=0.1, believed=0)


@pytest.mark.parametrize(("noise", "variance"), [(0.0, 0.0), (0.1, 0.3)])
def test_the_state_of_the_true_law_is_at_rest_and_best(noise, variance):
    filter = _Filter(DRIFT, noise, variance, variance)
    state = filter.matched()
    assert np.abs(filter.change(state, DRIFT)).max() < 1e-9
    for factor in (0.9, 1.1):
        assert filter.settle(DRIFT * factor, state)[1] > state[1] + 1e-5


def test_a_belief_in_more_noise_needs_a_shorter_half_life_and_in_less_a_longer():
    """Gains depend on half-life over variance alone if noise exceeds uncertainty."""
    true = best_half_life(DRIFT, label_variance=0.1)
    assert true.value == pytest.approx(OWN)
    more, less = (
        best_half_life(DRIFT, label_variance=0.1, believed=b) for b in (0.3, 0.03)
    )
    assert more.value < 0.7 * OWN < 1.2 * OWN < less.value
    assert true.error < min(more.error, less.error)
    slow = best_half_life(1e-6, label_variance=1.0, believed=0.5)
    assert slow.value == pytest.approx(2 * math.log(2) / 2e-6, rel=1e-3)


def test_equations_are_the_drift_of_a_simulated_filter():
    """Means over 40,000 examples; terms that are wrong by 5% are caught."""
    rng, count = np.random.default_rng(0), 40_000
    angle, length, v, believed, true = 0.4, 0.8, 0.2, 0.3, 0.1
    filter = _Filter(0.0, 0.0, true, believed)
    x = [2 * math.log(length), math.log(math.tan(angle / 2)), math.log(v / (1 - v))]
    h, across = rng.standard_normal((2, count))
    b, h = math.cos(angle) * h + math.sin(angle) * across, length * h
    y = np.sign(b + math.sqrt(true) * rng.standard_normal(count))
    s = math.sqrt(v + believed)
    u = y * h / s
    chance = np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in u])
    pull = np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi) / chance
    gain = v / s * y * pull
    moved = np.stack(
        [
            gain * b / (length * math.cos(angle)),
            (2 * gain * h + gain**2) / length**2,
            -(v**2) / s**2 * pull * (pull + u) / v,
        ]
    )
    spread = moved.std(axis=1) / math.sqrt(count)
    assert (np.abs(moved.mean(axis=1) - filter.change(x, 0.0)) < 5 * spread).all()


def test_bad_input_is_named():
    for strength in (0, 1e-19, 1e10):
        with pytest.raises(ValueError, match="strength must be a number from 1e-18"):
            best_half_life(strength)
    with pytest.raises(ValueError, match="noise must be below"):
        best_half_life(0.1, 0.5)
    with pytest.raises(ValueError, match="label_variance must be a number not below 0"):
        best_half_life(0.1, label_variance=-1)
    with pytest.raises(ValueError, match="believed must be a number not below 0"):
        best_half_life(0.1, believed=math.nan)
