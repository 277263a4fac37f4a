"""Run everything that was chosen, one after the other, whatever becomes of each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import Claim, Erratum
from rosenblatt.papers.paper import Figure, Paper, Table
from rosenblatt.papers.verdicts import Outcome, Verdict, settle

__all__ = ["Exhibit", "PaperReport", "Report", "run"]


@dataclass(frozen=True)
class Exhibit:
    """A figure or a table with its data, or with what went wrong."""

    item: Figure | Table
    data: FigureData | TableData | None
    failure: str
    seconds: float


@dataclass(frozen=True)
class PaperReport:
    """What became of a paper."""

    paper: Paper
    outcomes: tuple[Outcome, ...]
    exhibits: tuple[Exhibit, ...]


@dataclass(frozen=True)
class Report:
    """What became of all papers."""

    papers: tuple[PaperReport, ...]
    quick: bool
    seconds: float

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
        """How often each verdict was given."""
        given = Counter(outcome.verdict for outcome in self.outcomes)
        return {verdict: given[verdict] for verdict in Verdict}

    @property
    def complete(self) -> bool:
        """Whether nothing failed and nothing is "not reproduced"."""
        return not self.counts[Verdict.NOT_REPRODUCED] and not any(
            exhibit.failure for exhibit in self.exhibits
        )


def _exhibit(item: Figure | Table, quick: bool) -> Exhibit:
    began = time.perf_counter()
    data: FigureData | TableData | None = None
    failure = ""
    try:
        data = item.build(quick=quick)
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return Exhibit(item, data, failure, time.perf_counter() - began)


def run(papers: Sequence[Paper], *, quick: bool, progress: bool = True) -> Report:
    """Run all items of these papers, as :func:`rosenblatt.report.select` gives them.

    Parameters
    ----------
    papers
        What to run.
    quick
        Whether to use fewer and smaller simulations.
    progress
        Whether to show a bar that says what is running.

    Examples
    --------
    >>> from rosenblatt.report import select
    >>> report = run(select(["barkai1995/eq5/limit"]), quick=True, progress=False)
    >>> report.counts[Verdict.REPRODUCED], report.complete
    (1, True)
    """
    began = time.perf_counter()
    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    done: list[PaperReport] = []
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not progress
    ) as bar:
        task = bar.add_task("", total=sum(len(paper.items()) for paper in papers))
        for paper in papers:
            outcomes: list[Outcome] = []
            exhibits: list[Exhibit] = []
            for item in paper.items():
                bar.update(task, description=item.id)
                if isinstance(item, Claim | Erratum):
                    outcomes.append(settle(item, quick=quick))
                else:
                    exhibits.append(_exhibit(item, quick))
                bar.advance(task)
            done.append(PaperReport(paper, tuple(outcomes), tuple(exhibits)))
    return Report(tuple(done), quick, time.perf_counter() - began)
