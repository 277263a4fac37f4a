import math

import pytest

from rosenblatt.core import AverageShift
from rosenblatt.rules import Normalised, Perceptron, Shifted


def test_the_known_shift_makes_the_teacher_a_fixed_point():
    """Eq. 11 of barkai1995: <sgn(b) (S - T)> = 0 along and across the teacher."""
    q0 = 1.0
    shift = Shifted.known(Perceptron(), overlap=q0).shift
    mean_sign = math.erf(q0 / math.sqrt(2))
    mean_abs = math.sqrt(2 / math.pi) * math.exp(-0.5) + q0 * mean_sign
    assert mean_abs == pytest.approx(mean_sign * (shift.mean * q0 + shift.teacher))
    assert shift.mean == 1.0  # across: <sgn(b) U> = <sgn(b)> U


def test_shifts_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="no uniform shift exists"):
        Shifted.known(Perceptron(), overlap=0.0)
    with pytest.raises(ValueError, match="must not be shifted already"):
        Shifted(Normalised(Shifted(Perceptron())))
    with pytest.raises(TypeError, match="by must be a FixedShift or an AverageShift"):
        Shifted(Perceptron(), 3.0)
    assert Shifted(Perceptron()).shift == AverageShift()
