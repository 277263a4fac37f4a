"""Results of items, of papers, and of a whole report, and how they are written."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import (
    Claim,
    Figure,
    Item,
    Kind,
    Measurement,
    Outcome,
    Paper,
    Table,
    Verdict,
)

__all__ = [
    "Drawing",
    "Exhibit",
    "PaperReport",
    "Report",
    "Result",
    "Tally",
    "brief",
    "claims_json",
    "command",
    "duration",
    "stem",
    "with_error",
]

_ROUNDING = 1e-12  # of a value: sums of a few thousand numbers are rounded by less


@dataclass(frozen=True)
class Drawing:
    """A figure as PNG, as PDF, and as JSON for BokehJS."""

    png: bytes
    pdf: bytes
    chart: str


@dataclass(frozen=True)
class Exhibit:
    """A figure or a table with its data, or with the reason of its failure."""

    item: Figure | Table
    data: FigureData | TableData | None
    failure: str
    seconds: float
    drawing: Drawing | None = None


Result = Outcome | Exhibit


class Tally(NamedTuple):
    """Counts of statements; one of them may have several measurements.

    Parameters
    ----------
    checked
        Statements of the papers that were measured.
    hold
        Those that are reproduced.
    remarks
        Those that hold but are unclear, incomplete or too strong.
    errors
        Those that are wrong, with consequences.
    missing
        Those that are not reproduced.
    extensions
        Measurements of our own, which are none of these.
    """

    checked: int = 0
    hold: int = 0
    remarks: int = 0
    errors: int = 0
    missing: int = 0
    extensions: int = 0


def _fate(outcomes: Sequence[Outcome]) -> str:
    """Return what became of a statement: of its measurements, the worst counts."""
    if any(o.verdict is Verdict.NOT_REPRODUCED for o in outcomes):
        return "missing"
    kinds = {outcome.item.kind for outcome in outcomes}
    if Kind.ERROR in kinds:
        return "errors"
    return "hold" if kinds == {Kind.CLAIM} else "remarks"


@dataclass(frozen=True)
class PaperReport:
    """Results of a paper."""

    paper: Paper
    outcomes: tuple[Outcome, ...]
    exhibits: tuple[Exhibit, ...]

    @property
    def tally(self) -> Tally:
        """Counts of statements, which are told apart by the words quoted."""
        found: dict[str, list[Outcome]] = {}
        ours = 0
        for outcome in self.outcomes:
            if outcome.item.kind is Kind.EXTENSION:
                ours += 1
            else:
                found.setdefault(outcome.item.quote, []).append(outcome)
        counts = Counter(map(_fate, found.values()))
        return Tally(**counts, checked=len(found), extensions=ours)

    @property
    def seconds(self) -> float:
        """Sum of the times of all items."""
        results: list[Result] = [*self.outcomes, *self.exhibits]
        return sum(one.seconds for one in results)


@dataclass(frozen=True)
class Report:
    """Results of all papers.

    Parameters
    ----------
    papers
        Results of each paper, in the order of the report.
    quick
        Whether simulations were small.
    seconds
        Time of the run.
    cached
        Ids of items that were computed by an earlier run, with the same sources.
    """

    papers: tuple[PaperReport, ...]
    quick: bool
    seconds: float
    cached: frozenset[str] = frozenset()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Claims and errata of all papers."""
        return tuple(outcome for paper in self.papers for outcome in paper.outcomes)

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """Figures and tables of all papers."""
        return tuple(exhibit for paper in self.papers for exhibit in paper.exhibits)

    @property
    def tally(self) -> Tally:
        """Counts of statements of all papers."""
        counts = [paper.tally for paper in self.papers] or [Tally()]
        return Tally(*map(sum, zip(*counts, strict=True)))

    @property
    def failed(self) -> tuple[str, ...]:
        """Ids of figures and tables that failed."""
        return tuple(shown.item.id for shown in self.exhibits if shown.failure)

    @property
    def surprises(self) -> tuple[Outcome, ...]:
        """Outcomes with another verdict than the ledger states."""
        return tuple(outcome for outcome in self.outcomes if outcome.surprising)

    @property
    def complete(self) -> bool:
        """True if nothing failed and all verdicts are those that the ledger states."""
        return not self.failed and not self.surprises


def stem(name: str) -> str:
    """Return the name of a file for an id.

    Examples
    --------
    >>> stem("barkai1995/fig1")
    'barkai1995-fig1'
    """
    return name.replace("/", "-")


def _finite(number: float | None) -> float | None:
    """Return None for what JSON does not know."""
    known = number is not None and math.isfinite(number)
    return float(number) if known and number is not None else None


def claims_json(outcomes: Sequence[Outcome]) -> bytes:
    """Return statements as a list of objects; None stands for "no number"."""

    def value(number: Measurement | None) -> float | None:
        return None if number is None else _finite(number.value)

    errata = [o.item for o in outcomes if o.item.erratum]
    # one fault may be measured in several places; its first measurement names it
    faults = {item.quote: item.id for item in reversed(errata)}
    rows: list[dict[str, Any]] = [
        {
            "id": o.item.id,
            "paper": o.item.paper,
            "where": o.item.where,
            "quote": o.item.quote,
            "kind": o.item.kind.value,
            "fault": faults[o.item.quote] if o.item.erratum else None,
            "statement": o.item.statement,
            "evidence": o.item.evidence,
            "published": value(o.published),
            "printed_formula_gives": value(o.formula),
            "expected": value(o.expected),
            "measured": value(o.measured),
            "stderr": _finite(o.measured.stderr if o.measured else None),
            "window": o.window and [_finite(end) for end in o.window],
            "verdict": o.verdict.value,
            "reason": o.reason,
            "known_reason": o.item.fails,
            "seconds": round(o.seconds, 3),
        }
        for o in outcomes
    ]
    return (json.dumps(rows, indent=2, allow_nan=False) + "\n").encode()


def _digits(number: Measurement) -> int | None:
    """Return the decimals that show two digits of the error; None if there is none."""
    if not number.sound or number.stderr <= _ROUNDING * abs(number.value):
        return None
    return max(1 - math.floor(math.log10(number.stderr)), 0)


def with_error(number: Measurement | None) -> str:
    """Return a number with the digits that its standard error leaves.

    Examples
    --------
    >>> with_error(Measurement(1.2729090787, 0.00045301))
    '1.27291 +- 0.00045'
    >>> with_error(Measurement(0.0687349855787, 1.4e-18))
    '0.068735'
    >>> with_error(None)
    '-'
    """
    if number is None:
        return "-"
    digits = _digits(number)
    if digits is None:
        exact = f"{number.value:.6g}"
        return exact if number.sound else f"{number.value:g} +- {number.stderr:g}"
    return f"{number.value:.{digits}f} +- {number.stderr:.{digits}f}"


def brief(number: Measurement | None) -> str:
    """Return the same with the standard error of the last digits in parentheses.

    Examples
    --------
    >>> brief(Measurement(1.2729090787, 0.00045301)), brief(Measurement(28.2, 3.6))
    ('1.27291(45)', '28.2(3.6)')
    """
    value, _, error = with_error(number).partition(" +- ")
    if number is None or _digits(number) is None:
        return with_error(number)
    if number.stderr < 1:
        error = error.replace(".", "").lstrip("0")
    return f"{value}({error})"


def duration(seconds: float) -> str:
    """Return a time in seconds.

    Examples
    --------
    >>> duration(0.001), duration(12.345)
    ('0.0 s', '12.3 s')
    """
    return f"{seconds:.1f} s"


def command(item: Item, *, quick: bool) -> str:
    """Return the command line that reruns an item.

    Examples
    --------
    >>> from rosenblatt.papers import barkai1995
    >>> command(barkai1995.PAPER.claims[0], quick=True)
    'rosenblatt claims barkai1995/eq3/overlap-0.5 --quick'
    """
    hurry = " --quick" if quick else ""
    if isinstance(item, Claim):
        return f"rosenblatt claims {item.id}{hurry}"
    return f"rosenblatt reproduce {item.id} --out {stem(item.id)}{hurry}"
