"""Results of items, of papers, and of a whole report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import Figure, Kind, Outcome, Paper, Table, Verdict
from rosenblatt.report.drawing import Drawing

__all__ = ["Exhibit", "PaperReport", "Report", "Result", "Tally"]


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

    checked: int
    hold: int
    remarks: int
    errors: int
    missing: int
    extensions: int


def _added(tallies: Iterable[Tally]) -> Tally:
    """Return the sums of several tallies."""
    rows = list(tallies)
    return (
        Tally(*(sum(column) for column in zip(*rows, strict=True))) if rows else _NONE
    )


_NONE = Tally(0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class PaperReport:
    """Results of a paper."""

    paper: Paper
    outcomes: tuple[Outcome, ...]
    exhibits: tuple[Exhibit, ...]

    def _extension(self, outcome: Outcome) -> bool:
        return outcome.item.kind is Kind.EXTENSION

    @property
    def statements(self) -> dict[str, list[Outcome]]:
        """Measurements of each statement of the paper, by the words quoted."""
        found: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            if not self._extension(outcome):
                item = outcome.item
                found.setdefault(item.quote or item.id, []).append(outcome)
        return found

    @property
    def tally(self) -> Tally:
        """Counts of statements."""
        hold = remarks = errors = missing = 0
        for outcomes in self.statements.values():
            if any(o.verdict is Verdict.NOT_REPRODUCED for o in outcomes):
                missing += 1
            elif any(o.item.kind is Kind.ERROR for o in outcomes):
                errors += 1
            elif any(o.item.erratum for o in outcomes):
                remarks += 1
            else:
                hold += 1
        ours = sum(map(self._extension, self.outcomes))
        return Tally(len(self.statements), hold, remarks, errors, missing, ours)

    @property
    def seconds(self) -> float:
        """Sum of the times of all items."""
        claimed = sum(outcome.seconds for outcome in self.outcomes)
        return claimed + sum(exhibit.seconds for exhibit in self.exhibits)


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
        return _added(paper.tally for paper in self.papers)

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
