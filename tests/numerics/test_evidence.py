"""The evidence of a label: for kernels, from a table, for arrays, of many classes."""

import math

import numpy as np
import pytest
from scipy.special import erfcx, log_ndtr, ndtr

from rosenblatt.numerics.evidence import (
    ACCURACY,
    REACH,
    chance,
    class_chances,
    class_evidence,
    evidence,
    tabulated,
)

FIELDS = [-1e8, -300.0, -36.0, -34.9, -20.0, -3.0, -1e-9, 0.0, 0.5, 5.0, 40.0]
CLASS_FIELDS, VARIANCES = np.array([0.3, -0.8, 1.1]), np.array([0.5, 1.0, 0.2])


@pytest.mark.parametrize("label", [-1.0, 1.0])
@pytest.mark.parametrize("variance", [1e-6, 1.0, 30.0])
@pytest.mark.parametrize("u", FIELDS)
def test_without_noise_it_is_mills_ratio(u, variance, label):
    found = evidence(label * u * math.sqrt(variance), variance, label, 0.0)
    factor = math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2))
    assert found.log_probability == pytest.approx(float(log_ndtr(u)), rel=1e-11)
    assert found.slope == pytest.approx(label * factor / math.sqrt(variance), rel=1e-10)
    # u + factor cancels for large negative u: there the series, to 50 / u^6 < 1e-6
    bend = factor * (u + factor) if u > -20 else 1 - 1 / u**2 + 6 / u**4
    assert found.curvature * variance == pytest.approx(bend, rel=1e-5, abs=1e-300)


@pytest.mark.parametrize("noise", [0.001, 0.1, 0.4, 0.5])
@pytest.mark.parametrize("h", [-30.0, -2.0, 0.1, 3.0])
def test_slope_and_curvature_are_derivatives(h, noise):
    variance, step = 1.7, 1e-5
    below, here, above = (
        evidence(h + shift, variance, 1.0, noise) for shift in (-step, 0.0, step)
    )
    chance = noise + (1 - 2 * noise) * ndtr(h / math.sqrt(variance))
    assert here.log_probability == pytest.approx(math.log(chance), rel=1e-12)
    slope = (above.log_probability - below.log_probability) / (2 * step)
    assert here.slope == pytest.approx(slope, rel=1e-6, abs=1e-9)
    curvature = -(above.slope - below.slope) / (2 * step)
    assert here.curvature == pytest.approx(curvature, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("noise", [0.0, 1e-12, 0.001, 0.1, 0.4])
def test_the_table_is_as_accurate_as_it_says(noise):
    # between and at the ends of cells, up to the end of the table
    for u in np.linspace(-REACH, REACH, 4099)[1:-1]:
        wanted = evidence(u, 1.0, 1.0, noise)
        chance, factor = tabulated(u, noise)
        assert chance == pytest.approx(math.exp(wanted.log_probability), rel=ACCURACY)
        assert factor == pytest.approx(wanted.slope, rel=ACCURACY)


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.3])
def test_arrays_and_the_compiled_scalar_say_the_same(noise):
    for u in (-200.0, -40.0, -10.0, -1.0, 0.0, 2.0, 8.0):
        found, told = chance(np.array(u), noise), evidence(u, 1.0, 1.0, noise)
        assert told.log_probability == pytest.approx(float(found.log), rel=1e-10)
        assert told.slope == pytest.approx(float(found.pull), rel=1e-10)
        assert told.curvature == pytest.approx(1 - float(found.left), rel=1e-9)


def log_chance(fields, code, noise):
    chances = np.zeros((2, 3))
    class_chances(fields, VARIANCES, 1.0, noise, chances)
    return np.log(chances[1, code])


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_slopes_are_derivatives_of_the_log_probability(noise):
    chances, slopes, curvatures = np.zeros((2, 3)), np.zeros(3), np.zeros(3)
    class_chances(CLASS_FIELDS, VARIANCES, 1.0, noise, chances)
    class_evidence(VARIANCES, 1.0, 2, noise, chances, slopes, curvatures)
    assert chances.sum(axis=1) == pytest.approx([1.0, 1.0])
    for c in range(3):
        step = 1e-6 * np.eye(3)[c]
        ends = [log_chance(CLASS_FIELDS + s, 2, noise) for s in (step, -step)]
        assert slopes[c] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
    assert (curvatures > 0).all()
