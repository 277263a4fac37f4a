"""Shifts ``T`` of rules that add ``x - T`` to the weights instead of the input."""

from __future__ import annotations

from dataclasses import dataclass

from rosenblatt.core.arguments import number, shown

NO_AVERAGE, UNIFORM, ALONG_FIELD = range(3)  # kinds of shift, as kernels know them


@dataclass(frozen=True)
class FixedShift:
    """The shift ``T = mean * U + teacher * B``, known beforehand.

    Parameters
    ----------
    mean
        Factor of the mean ``U`` of the inputs in the shift.
    teacher
        Factor of the teacher (a unit vector here) in the shift.
    """

    mean: float
    teacher: float

    def __post_init__(self) -> None:
        number("mean", self.mean)
        number("teacher", self.teacher)


@dataclass(frozen=True)
class AverageShift:
    """A shift from running averages over all examples so far; 0 while ``w.M <= 0``.

    Parameters
    ----------
    uniform
        If true, ``T = M / <y>`` with ``M = <y x>``, which needs labels that are not
        balanced, and 0 while ``<y> = 0``. If false, ``T(x) = M (w.x) / (w.M)``, which
        exists for all labels.
    """

    uniform: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.uniform, bool):
            raise TypeError(f"uniform must be True or False, got {shown(self.uniform)}")


Shift = FixedShift | AverageShift | None


def shift_kind(shift: Shift) -> int:
    """Return the use that a shift makes of the average of ``label * x``.

    Examples
    --------
    >>> shift_kind(AverageShift()) == UNIFORM, shift_kind(None) == NO_AVERAGE
    (True, True)
    """
    if not isinstance(shift, AverageShift):
        return NO_AVERAGE
    return UNIFORM if shift.uniform else ALONG_FIELD
