"""Run of all items of some papers; failures do not end it."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import (
    Claim,
    Figure,
    Item,
    Outcome,
    Paper,
    Verdict,
    settle,
)
from rosenblatt.report.drawing import draw
from rosenblatt.report.results import Exhibit, PaperReport, Report, Result
from rosenblatt.report.running.groups import Event, Kind, events
from rosenblatt.report.running.records import load_result, module_of, store_result
from rosenblatt.report.running.store import Store
from rosenblatt.report.selection import available
from rosenblatt.system.progress import ProgressBar

__all__ = ["run"]


def _drawn(exhibit: Exhibit) -> Exhibit:
    """Return a figure with its drawing, or with the reason of its failure."""
    if not isinstance(exhibit.data, FigureData):
        return exhibit
    try:
        return replace(exhibit, drawing=draw(exhibit.data))
    except Exception as error:
        return replace(exhibit, failure=f"{type(error).__name__}: {error}")


def _found(item: Item, quick: bool, earlier: Result | None) -> Result:
    """Return the result of an item; its data may be stored already."""
    if isinstance(item, Claim):
        return settle(item, quick=quick)
    if isinstance(earlier, Exhibit):
        return _drawn(earlier)
    began = time.perf_counter()
    data: FigureData | TableData | None = None
    failure = ""
    try:
        data = item.build(quick=quick)
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return _drawn(Exhibit(item, data, failure, time.perf_counter() - began))


@functools.cache
def _registered() -> dict[str, Item]:
    """Return the items of all papers; functions of claims cannot be sent to workers."""
    return {item.id: item for paper in available() for item in paper.items()}


def _computed_as(
    item: Item | str, quick: bool, earlier: dict[str, Any] | None
) -> dict[str, Any]:
    """Return what was found for an item or its id, without the item."""
    item = _registered()[item] if isinstance(item, str) else item
    before = None if earlier is None else _result(item, earlier)
    return vars(_found(item, quick, before)) | {"item": None}


def _task(
    item: Item, quick: bool, earlier: Result | None
) -> Callable[[], dict[str, Any]]:
    """Return a picklable function that computes an item and returns plain values."""
    known = _registered().get(item.id) is item
    before = None if earlier is None else vars(earlier) | {"item": None}
    return functools.partial(_computed_as, item.id if known else item, quick, before)


def _result(item: Item, found: dict[str, Any]) -> Result:
    kind = Outcome if isinstance(item, Claim) else Exhibit
    return kind(**(found | {"item": item}))


def _rebuilt(item: Item, event: Event) -> Result:
    """Return the result in an event of a process."""
    if event.kind is Kind.DONE:
        return _result(item, event.result)
    if isinstance(item, Claim):
        return Outcome(item=item, verdict=Verdict.NOT_REPRODUCED, reason=event.result)
    return Exhibit(item, None, event.result, 0.0)


def _figures(items: Sequence[Item]) -> int:
    return sum(isinstance(item, Figure) for item in items)


def _whole(found: Result | None) -> bool:
    """Return whether a result is complete."""
    if isinstance(found, Exhibit) and isinstance(found.data, FigureData):
        return found.drawing is not None
    return found is not None


def _due(paper: Paper, quick: bool) -> Paper:
    """Return a paper without the statements that only a full run decides."""
    if not quick:
        return paper
    return replace(paper, statements=[s for s in paper.statements if not s.long])


def run(
    papers: Sequence[Paper],
    *,
    quick: bool,
    progress: bool = True,
    workers: int | None = None,
    store: Store | None = None,
    on_result: Callable[[Result], None] = lambda found: None,
) -> Report:
    """Run all items of these papers, as :func:`rosenblatt.report.select` gives them.

    Parameters
    ----------
    papers
        Papers to run.
    quick
        Whether to use fewer and smaller simulations.
    progress
        Whether to show a bar that says what is running.
    workers
        Number of processes; by default one per core.
    store
        Results of earlier runs; by default none are used or stored.
    on_result
        Called with each result once it is there, while others are computed.

    Examples
    --------
    >>> from rosenblatt.report import select
    >>> report = run(select(["barkai1995/eq5/limit"]), quick=True, progress=False)
    >>> report.tally.hold, report.complete
    (1, True)
    """
    began = time.perf_counter()
    papers = [_due(paper, quick) for paper in papers]
    store = Store(None) if store is None else store
    found: dict[str, Result] = {}
    cached: set[str] = set()
    groups: dict[tuple[str, str], list[Item]] = {}
    tasks: dict[tuple[str, str], list[Callable[[], dict[str, Any]]]] = {}
    for paper in papers:
        for item in paper.items():
            earlier = load_result(store, item, quick)
            if earlier is not None:
                found[item.id] = earlier
                cached.add(item.id)
            if earlier is not None and _whole(earlier):
                on_result(earlier)
            else:
                group = (paper.key, module_of(item))
                groups.setdefault(group, []).append(item)
                tasks.setdefault(group, []).append(_task(item, quick, earlier))
    # Figures take longest: what has most of them begins, so that all end together.
    order = sorted(groups, key=lambda group: -_figures(groups[group]))
    for item, one in _computed(
        {g: groups[g] for g in order}, [tasks[g] for g in order], workers, progress
    ):
        found[item.id] = one
        store_result(store, one, quick)
        on_result(one)
    return Report(
        tuple(_collected(paper, found) for paper in papers),
        quick,
        time.perf_counter() - began,
        frozenset(cached),
    )


def _computed(
    named: Mapping[tuple[str, str], Sequence[Item]],
    tasks: Sequence[Sequence[Callable[[], dict[str, Any]]]],
    workers: int | None,
    progress: bool,
) -> Iterator[tuple[Item, Result]]:
    """Do the tasks of groups of items, and yield each item with its result.

    Modules of a paper share simulations: a process goes on with the paper it has begun.
    """
    groups, papers = list(named.values()), [paper for paper, _ in named]
    running: list[str] = []
    done = 0
    with ProgressBar(sum(map(len, groups)), shown=progress) as bar:
        for event in events(tasks, workers, papers):
            if event.kind is Kind.TICK:
                bar.update(done)
                continue
            item = groups[event.group][event.index]
            if event.kind is Kind.BEGUN:
                running.append(item.id)
                bar.update(done, ", ".join(running), now=True)
                continue
            yield item, _rebuilt(item, event)
            done += 1
            if item.id in running:
                running.remove(item.id)
            bar.update(done, ", ".join(running))


def _collected(paper: Paper, found: Mapping[str, Result]) -> PaperReport:
    """Return the results of a paper, in its order."""
    all_found = [found[item.id] for item in paper.items()]
    return PaperReport(
        paper,
        tuple(one for one in all_found if isinstance(one, Outcome)),
        tuple(one for one in all_found if isinstance(one, Exhibit)),
    )
