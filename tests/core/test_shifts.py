import pytest

from rosenblatt.core.shifts import (
    ALONG_FIELD,
    NO_AVERAGE,
    UNIFORM,
    AverageShift,
    FixedShift,
    shift_kind,
)


def test_kinds_of_shift():
    assert shift_kind(None) == shift_kind(FixedShift(0.5, 0.1)) == NO_AVERAGE
    assert shift_kind(AverageShift()) == UNIFORM
    assert shift_kind(AverageShift(uniform=False)) == ALONG_FIELD


def test_parameters_are_checked():
    with pytest.raises(TypeError, match="uniform must be True or False"):
        AverageShift(uniform=1)
    with pytest.raises(ValueError, match="mean must be"):
        FixedShift(float("nan"), 0.0)
