"""Run everything that was chosen, whatever becomes of each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
from rosenblatt.papers.paper import Figure, Item, Paper, Table
from rosenblatt.papers.verdicts import Outcome, Verdict, settle
from rosenblatt.report.parallel import results

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


Found = Outcome | Exhibit


def _found(item: Item, quick: bool) -> Found:
    """Return what becomes of an item."""
    if isinstance(item, Claim | Erratum):
        return settle(item, quick=quick)
    began = time.perf_counter()
    data: FigureData | TableData | None = None
    failure = ""
    try:
        data = item.build(quick=quick)
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return Exhibit(item, data, failure, time.perf_counter() - began)


def _module(item: Item) -> str:
    """Return where an item is computed: items of a module share what they compute."""
    match item:
        case Claim():
            return item.measure.__module__
        case Erratum():
            return item.evidence.__module__
    return getattr(item.build, "__module__", "")


def _group(items: Sequence[Item], quick: bool) -> Callable[[], list[dict[str, Any]]]:
    """Return the work on a few items; these hold functions, which cannot be sent."""
    return lambda: [vars(_found(item, quick)) | {"item": None} for item in items]


def _rebuilt(item: Item, fields: dict[str, Any]) -> Found:
    kind = Outcome if isinstance(item, Claim | Erratum) else Exhibit
    return kind(**(fields | {"item": item}))


def run(
    papers: Sequence[Paper],
    *,
    quick: bool,
    progress: bool = True,
    workers: int | None = None,
) -> Report:
    """Run all items of these papers, as :func:`rosenblatt.report.select` gives them.

    Parameters
    ----------
    papers
        What to run.
    quick
        Whether to use fewer and smaller simulations.
    progress
        Whether to show a bar that says what is done.
    workers
        Number of processes; by default one per core.

    Examples
    --------
    >>> from rosenblatt.report import select
    >>> report = run(select(["barkai1995/eq5/limit"]), quick=True, progress=False)
    >>> report.counts[Verdict.REPRODUCED], report.complete
    (1, True)
    """
    began = time.perf_counter()
    groups: dict[tuple[str, str], list[Item]] = {}
    for paper in papers:
        for item in paper.items():
            groups.setdefault((paper.key, _module(item)), []).append(item)
    chosen = list(groups.values())
    work = results([_group(items, quick) for items in chosen], workers)
    found: dict[str, Found] = {}
    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not progress
    ) as bar:
        task = bar.add_task("", total=sum(len(items) for items in chosen))
        for index, group in work:
            for item, fields in zip(chosen[index], group, strict=True):
                found[item.id] = _rebuilt(item, fields)
            bar.update(task, advance=len(group), description=chosen[index][-1].id)
    return Report(
        tuple(_collected(paper, found) for paper in papers),
        quick,
        time.perf_counter() - began,
    )


def _collected(paper: Paper, found: Mapping[str, Found]) -> PaperReport:
    """Return what became of a paper, in its order."""
    all_found = [found[item.id] for item in paper.items()]
    return PaperReport(
        paper,
        tuple(one for one in all_found if isinstance(one, Outcome)),
        tuple(one for one in all_found if isinstance(one, Exhibit)),
    )
