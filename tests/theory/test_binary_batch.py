import math

import numpy as np
import pytest
from scipy.special import ndtr, xlogy

from rosenblatt.theory import binary_branches, binary_transitions, solve_batch
from rosenblatt.theory.closed.spherical_bayes import sharpness
from rosenblatt.theory.priors import pace

NOISES = [0.0, 0.05, 0.2, 0.45]
Z = np.linspace(-12, 12, 6001)
WEIGHT = np.exp(-0.5 * Z * Z) / np.exp(-0.5 * Z * Z).sum()


def slow_entropy(alpha, q, strength, noise):
    """Return the free entropy at any (q, strength), by plain trapezoids."""
    prior = WEIGHT @ np.logaddexp(
        strength + math.sqrt(strength) * Z, -strength - math.sqrt(strength) * Z
    )
    chance = noise + (1 - 2 * noise) * ndtr(math.sqrt(q / (1 - q)) * Z)
    labels = 2 * WEIGHT @ xlogy(chance, chance)
    flips = -xlogy(noise, noise) - xlogy(1 - noise, 1 - noise)
    return prior - 0.5 * strength * (1 + q) + alpha * (labels + flips)


@pytest.mark.parametrize("noise", NOISES)
def test_branches_are_stationary_points_of_the_free_entropy(noise):
    end = binary_transitions(noise).spinodal
    alphas = np.array([0.3, 0.8, 0.99]) * end
    found = binary_branches(alphas, noise)
    step = 1e-4
    for name in ("low", "unstable"):
        for alpha in alphas:
            at = found.sel(branch=name, alpha=alpha)
            q, strength = float(at["overlap"]), float(at["strength"])
            here = slow_entropy(alpha, q, strength, noise)
            assert float(at["free_entropy"]) == pytest.approx(here, abs=1e-9)
            along = [
                slow_entropy(alpha, q + a * step * (1 - q), strength * (1 + b), noise)
                for a, b in ((1, 0), (-1, 0), (0, step), (0, -step))
            ]
            # slopes are zero to the error of the difference, of the order step^2
            assert along[0] - along[1] == pytest.approx(0, abs=10 * step**3)
            assert along[2] - along[3] == pytest.approx(0, abs=10 * step**3)


def test_the_transitions_without_noise_are_the_known_ones():
    thermodynamic, spinodal = binary_transitions()
    assert thermodynamic == pytest.approx(1.245, abs=5e-4)  # Gyorgyi (1990)
    assert spinodal == pytest.approx(1.493, abs=5e-4)  # Sompolinsky et al. (1990)


@pytest.mark.parametrize("noise", NOISES)
def test_both_branches_weigh_the_same_at_the_transition(noise):
    alpha, end = binary_transitions(noise)
    assert alpha < end
    sides = binary_branches([alpha - 1e-4, alpha, alpha + 1e-4], noise)
    before, at, after = sides["free_entropy"].sel(branch="low").values
    assert before > 0 > after
    assert at == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_there_is_one_spinodal(noise):
    strength = np.geomspace(1e-4, 200, 3000)
    slopes = np.diff(strength * pace(strength, noise, "binary"))
    assert np.count_nonzero(np.diff(np.sign(slopes))) == 1


def test_transitions_grow_as_the_information_of_a_label_falls():
    # for much noise the sharpness is (1 - 2k)^2 (2 / pi) / sqrt(1 + q), to (1 - 2k)^2
    ends = [np.array(binary_transitions(k)) * (1 - 2 * k) ** 2 for k in (0.499, 0.4999)]
    np.testing.assert_allclose(*ends, rtol=1e-5)
    assert sharpness(0.3, 0.499) == pytest.approx(
        0.002**2 * 2 / math.pi / math.sqrt(1.3), rel=1e-5
    )


def test_curves_jump_where_transitions_are():
    first, second = binary_transitions(0.1)
    curve = solve_batch(
        [0, first - 1e-6, first + 1e-6, second - 1e-6, second + 1e-6],
        0.1,
        prior="binary",
    )
    bayes, amp = (curve["overlap"].sel(learner=n).values for n in ("bayes", "amp"))
    np.testing.assert_array_equal(bayes[2:], 1.0)
    np.testing.assert_array_equal(amp[-1], 1.0)
    np.testing.assert_allclose(amp[:2], bayes[:2])
    assert bayes[1] < 0.9
    assert amp[1] < amp[2] < amp[3] < 0.96
    np.testing.assert_array_equal(curve["error"][:, 0], 0.5)
    np.testing.assert_allclose(curve["error"][:, -1], 0.1)
    none = solve_batch([0, 1], 0.5, prior="binary")
    np.testing.assert_array_equal(none["error"], 0.5)


def test_ends_of_the_branches():
    found = binary_branches([0, 0.5, 3])
    assert found["free_entropy"].sel(branch="low").values[0] == math.log(2)
    assert np.isnan(found["overlap"].sel(branch="unstable").values[[0, 2]]).all()
    assert np.isnan(found["overlap"].sel(branch="low").values[2])
    with pytest.raises(ValueError, match=r"below 0\.5"):
        binary_transitions(0.5)


@pytest.mark.parametrize("bad", [[], {}, "x", np.array([0.1]), np.ma.masked])
def test_noise_that_is_no_number_is_named(bad):
    with pytest.raises(TypeError, match=r"noise must be a number from 0 to 0\.5, got"):
        binary_transitions(bad)


@pytest.mark.parametrize("bad", [[], {}, None, np.array([1.0, 2.0])])
def test_a_prior_must_be_a_known_name(bad):
    with pytest.raises(ValueError, match=r"prior must be .* got"):
        solve_batch(1.0, prior=bad)
