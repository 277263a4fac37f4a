"""Claims and errata of a paper, each with a way to measure it.

A :class:`Claim` is a number, an :class:`Erratum` a misprint with the evidence for it;
:mod:`rosenblatt.papers.verdicts` settles both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "TOLERANCE",
    "Claim",
    "Erratum",
    "Evidence",
    "Kind",
    "Measurement",
    "Value",
]

_ID = re.compile(r"[a-z]+[0-9]{4}(/[a-z0-9][a-z0-9.-]*)+")
TOLERANCE = 5.0  # standard errors, as in all statistical tests of the project

# A number, or a function of `quick` for one, or for a measurement.
Value = float | Callable[[bool], "float | Measurement"]


class Kind(StrEnum):
    """Origin of the expected number of a claim."""

    REPRODUCTION = "reproduction"  # the paper, or an independent computation
    REGRESSION = "regression"  # an earlier run of the same code: counted apart


@dataclass(frozen=True)
class Measurement:
    """A number and its standard error, 0 for what is computed and not sampled.

    Examples
    --------
    >>> Measurement(1.27, float("nan")).sound
    False
    """

    value: float
    stderr: float

    @property
    def sound(self) -> bool:
        """True if both are finite and the standard error is not negative."""
        return (
            math.isfinite(self.value)
            and math.isfinite(self.stderr)
            and self.stderr >= 0
        )


def _check(name: str, tolerance: float, allowance: float, because: str) -> None:
    if not _ID.fullmatch(name):
        raise ValueError(f"id must be like 'barkai1995/fig1/asymptote', got {name!r}")
    if not 0 < tolerance <= TOLERANCE:
        raise ValueError(
            f"tolerance must be above 0 and at most {TOLERANCE:g}, got {tolerance}"
        )
    if not 0 <= allowance < math.inf:
        raise ValueError(f"allowance must be finite and >= 0, got {allowance}")
    if allowance > 0 and not because:
        raise ValueError(f"because must say why there is an allowance of {allowance}")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A number that a paper states, or that follows from it, with its measurement.

    Parameters
    ----------
    id
        Paper's key and names, such as ``"barkai1995/fig1/asymptote"``.
    where
        Place in the paper.
    statement
        The claim in words.
    expected
        Number that a correct program should find, by a path independent of ``measure``;
        a :class:`Measurement` if that is a sample too.
    measure
        Measures it; its argument says whether to be quick.
    published
        The paper's number as printed, None if it prints none.
    tolerance
        Standard errors that a deviation may have, at most 5.
    allowance
        Deviation that is known to be there besides, and ...
    because
        ... why: approximations in ``expected``, not convenience.
    rounding
        Half a unit in the last place that the paper prints.
    catches
        Smallest deviation that must be detected; by default a tenth of the expected
        number.
    kind
        A regression compares with an earlier run of the same code. It publishes
        nothing, and reports count it apart.

    Examples
    --------
    >>> Claim(id="rosenblatt1958/pi", where="nowhere", statement="pi is 3.14",
    ...       published=3.14, rounding=0.005, expected=math.pi,
    ...       measure=lambda quick: Measurement(22 / 7, 0.001)).paper
    'rosenblatt1958'
    """

    id: str
    where: str
    statement: str
    expected: Value | Measurement
    measure: Callable[[bool], Measurement]
    published: Value | None = None
    tolerance: float = TOLERANCE
    allowance: float = 0.0
    because: str = ""
    rounding: float = 0.0
    catches: float | None = None
    kind: Kind = Kind.REPRODUCTION

    def __post_init__(self) -> None:
        _check(self.id, self.tolerance, self.allowance, self.because)
        if not 0 <= self.rounding < math.inf:
            raise ValueError(f"rounding must be finite and >= 0, got {self.rounding}")
        if self.catches is not None and not 0 < self.catches < math.inf:
            raise ValueError(f"catches must be finite and > 0, got {self.catches}")
        if self.kind is Kind.REGRESSION and self.published is not None:
            raise ValueError(
                f"published must be None in a regression, got {self.published}"
            )

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.id.partition("/")[0]


@dataclass(frozen=True)
class Evidence:
    """One quantity for which the printed and the corrected form differ.

    Parameters
    ----------
    quantity
        The quantity in words.
    printed
        Number by the printed form.
    expected
        Number by the corrected form.
    measured
        Measurement that decides between the two.
    """

    quantity: str
    printed: Measurement
    expected: Measurement
    measured: Measurement


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """A mistake in a paper, with the evidence for it.

    It stands if the measurement agrees with the corrected form and neither agrees with
    the printed one.

    Parameters
    ----------
    id, where, tolerance, allowance, because
        As in a :class:`Claim`.
    printed, corrected
        Statement of the paper, and the correct one.
    evidence
        Measures both; its argument says whether to be quick.

    Examples
    --------
    >>> Erratum(id="rosenblatt1958/erratum/sum", where="nowhere", printed="1 + 1 = 3",
    ...         corrected="1 + 1 = 2", evidence=lambda quick: Evidence(
    ...             "1 + 1", printed=Measurement(3, 0), expected=Measurement(2, 0),
    ...             measured=Measurement(1 + 1, 0))).statement
    'Printed: 1 + 1 = 3. Correct: 1 + 1 = 2.'
    """

    id: str
    where: str
    printed: str
    corrected: str
    evidence: Callable[[bool], Evidence]
    tolerance: float = TOLERANCE
    allowance: float = 0.0
    because: str = ""

    def __post_init__(self) -> None:
        _check(self.id, self.tolerance, self.allowance, self.because)

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.id.partition("/")[0]

    @property
    def kind(self) -> Kind:
        """Always a reproduction: evidence never comes from an earlier run."""
        return Kind.REPRODUCTION

    @property
    def statement(self) -> str:
        """The printed and the correct form."""
        return f"Printed: {self.printed}. Correct: {self.corrected}."
