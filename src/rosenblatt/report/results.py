"""Results of items, of papers, and of a whole report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import Kind
from rosenblatt.papers.paper import Figure, Paper, Table
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.drawing import Drawing

__all__ = ["Exhibit", "PaperReport", "Regressions", "Report", "Result"]


@dataclass(frozen=True)
class Exhibit:
    """A figure or a table with its data, or with the reason of its failure."""

    item: Figure | Table
    data: FigureData | TableData | None
    failure: str
    seconds: float
    drawing: Drawing | None = None


Result = Outcome | Exhibit


class Regressions(NamedTuple):
    """Counts of regression checks."""

    unchanged: int
    changed: int


@dataclass(frozen=True)
class PaperReport:
    """Results of a paper."""

    paper: Paper
    outcomes: tuple[Outcome, ...]
    exhibits: tuple[Exhibit, ...]

    @property
    def counts(self) -> dict[Verdict, int]:
        """Number of times each verdict was given, regression checks left out."""
        given = Counter(
            outcome.verdict
            for outcome in self.outcomes
            if outcome.item.kind is Kind.REPRODUCTION
        )
        return {verdict: given[verdict] for verdict in Verdict}

    @property
    def regressions(self) -> Regressions:
        """Number of regression checks that found the number of an earlier run."""
        checks = [o for o in self.outcomes if o.item.kind is Kind.REGRESSION]
        unchanged = sum(o.verdict is Verdict.REPRODUCED for o in checks)
        return Regressions(unchanged, len(checks) - unchanged)

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
    def counts(self) -> dict[Verdict, int]:
        """Number of times each verdict was given.

        Regression checks and further papers are left out.
        """
        return self._counts(further=False)

    @property
    def further(self) -> dict[Verdict, int]:
        """Number of times each verdict was given in further papers."""
        return self._counts(further=True)

    def _counts(self, *, further: bool) -> dict[Verdict, int]:
        chosen = [one.counts for one in self.papers if one.paper.further is further]
        return {
            verdict: sum(counts[verdict] for counts in chosen) for verdict in Verdict
        }

    @property
    def regressions(self) -> Regressions:
        """Counts of regression checks of all papers."""
        each = [paper.regressions for paper in self.papers]
        return Regressions(sum(r.unchanged for r in each), sum(r.changed for r in each))

    @property
    def complete(self) -> bool:
        """True if nothing failed, changed or is "not reproduced"."""
        return not any(
            outcome.verdict is Verdict.NOT_REPRODUCED for outcome in self.outcomes
        ) and not any(exhibit.failure for exhibit in self.exhibits)
