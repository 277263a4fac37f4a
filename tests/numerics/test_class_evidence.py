import numpy as np
import pytest

from rosenblatt.numerics.class_evidence import class_chances, class_evidence

FIELDS, VARIANCES = np.array([0.3, -0.8, 1.1]), np.array([0.5, 1.0, 0.2])


def log_chance(fields, code, noise):
    chances = np.zeros((2, 3))
    class_chances(fields, VARIANCES, 1.0, noise, chances)
    return np.log(chances[1, code])


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_slopes_are_derivatives_of_the_log_probability(noise):
    chances, slopes, curvatures = np.zeros((2, 3)), np.zeros(3), np.zeros(3)
    class_chances(FIELDS, VARIANCES, 1.0, noise, chances)
    class_evidence(VARIANCES, 1.0, 2, noise, chances, slopes, curvatures)
    assert chances.sum(axis=1) == pytest.approx([1.0, 1.0])
    for c in range(3):
        step = 1e-6 * np.eye(3)[c]
        ends = [log_chance(FIELDS + s, 2, noise) for s in (step, -step)]
        assert slopes[c] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)
    assert (curvatures > 0).all()
