import math

import numpy as np
import pytest

from rosenblatt.papers.barkai1995.clusters import figure_balanced, resting_angle


@pytest.mark.parametrize("noise", [0.05, 0.2])
def test_the_regular_rule_rests_where_its_mean_step_is_along_itself(noise):
    """Eq. (2) by a sum over many inputs; 5 standard errors of that sum."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal((1_000_000, 2))
    inputs = z + np.outer(np.sign(z[:, 0]), [0.0, 1.0])
    labels = np.sign(z[:, 0]) * np.where(rng.random(len(z)) < noise, -1.0, 1.0)
    angle = -resting_angle(noise)
    student = np.array([math.cos(angle), math.sin(angle)])
    across = inputs @ [-math.sin(angle), math.cos(angle)]
    steps = (labels - np.sign(inputs @ student)) * across
    assert abs(steps.mean()) < 5 * steps.std() / math.sqrt(len(steps))


def test_without_noise_the_teacher_is_at_rest():
    assert resting_angle(1e-6) < 1e-4


def test_only_the_shift_along_the_field_goes_on_converging():
    series = {
        line.name: np.array(line.y) for line in figure_balanced(quick=True).series
    }
    assert (
        series["shift along the field"][-1] < 0.4 * series["shift along the field"][0]
    )
    assert series["uniform shift"][-1] > 30
    assert series["regular"][-1] > 0.7 * series["regular, rate to 0"][0]
