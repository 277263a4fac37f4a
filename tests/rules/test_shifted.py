import math

import numpy as np
import pytest

from rosenblatt.core import starts
from rosenblatt.rules import Hebb, Normalised, Perceptron, Shifted


def test_the_known_shift_makes_the_teacher_a_fixed_point():
    """Eq. 11 of barkai1995: <sgn(b) (S - T)> = 0 along and across the teacher."""
    q0 = 1.0
    shift = Shifted.known(Perceptron(), overlap=q0).shift
    mean_sign = math.erf(q0 / math.sqrt(2))
    mean_abs = math.sqrt(2 / math.pi) * math.exp(-0.5) + q0 * mean_sign
    assert mean_abs == pytest.approx(mean_sign * (shift.mean * q0 + shift.teacher))
    assert shift.mean == 1.0  # across: <sgn(b) U> = <sgn(b)> U


def test_it_starts_with_the_hebbian_student():
    assert Shifted(Perceptron()).start == starts.Hebbian(20.0)
    assert Normalised(Shifted(Perceptron(), opening=3)).start == starts.Hebbian(3)
    assert Shifted(Hebb(), opening=0).start == Hebb().start
    with pytest.raises(ValueError, match="opening must be a number not below 0"):
        Shifted(Perceptron(), opening=-1)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_the_shift_along_the_field_removes_what_labels_do(noise):
    """Eq. (3): <y (x - T(x))> = 0 for any student, law of inputs and label law."""
    rng = np.random.default_rng(0)
    x = rng.exponential(size=(1000, 4)) - [1.0, 0.5, 0.7, 1.2]  # as skew as you like
    y = np.where(x[:, 0] * (rng.random(1000) > noise) > 0, 1.0, -1.0)
    average = y @ x / len(x)
    w = rng.standard_normal(4)
    T = np.outer(x @ w, average) / (w @ average)
    np.testing.assert_allclose(y @ (x - T), 0, atol=1e-9)
    np.testing.assert_allclose((x - T) @ w, 0, atol=1e-12)


def test_the_drift_along_the_field_descends_a_ratio():
    """Eq. (4), by differences, on a sample taken as the law itself."""
    rng = np.random.default_rng(0)
    x = rng.exponential(size=(2000, 3)) - [1.0, 0.5, 0.7]
    y = np.where(x @ [1.0, 2.0, -1.0] > 0, 1.0, -1.0)
    y = np.where(rng.random(2000) < 0.1, -y, y)
    average = y @ x / len(x)

    def ratio(w):
        return np.abs(x @ w).mean() / (w @ average)

    w = np.array([0.7, 1.0, -0.2])
    h = x @ w
    wrong = y * h <= 0
    T = np.outer(h, average) / (w @ average)
    drift = (y * wrong) @ (x - T) / len(x)
    step = 1e-7
    slope = [
        (ratio(w + step * e) - ratio(w - step * e)) / (2 * step) for e in np.eye(3)
    ]
    np.testing.assert_allclose(drift, -(w @ average) / 2 * np.array(slope), atol=1e-6)
