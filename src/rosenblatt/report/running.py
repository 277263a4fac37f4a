"""Run of all items of some papers, in processes; failures do not end it.

Results are stored in a folder, one file for each item and mode. A file is used only if
it has the same key, a digest of all that the result depends on. It ends with a digest
of itself, which shows damage. Nothing but JSON is read, so a folder from somebody else
cannot run code.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from rosenblatt import papers
from rosenblatt.charts.charts import chart
from rosenblatt.core.figures import (
    FigureData,
    Picture,
    Series,
    TableData,
    comma_separated,
)
from rosenblatt.papers.claims import (
    Claim,
    Figure,
    Item,
    Measurement,
    Outcome,
    Paper,
    Verdict,
    settle,
)
from rosenblatt.plotting import renderings
from rosenblatt.report.page import pages
from rosenblatt.report.results import (
    Drawing,
    Exhibit,
    PaperReport,
    Report,
    Result,
    claims_json,
    stem,
)
from rosenblatt.system.atomic_files import write_whole
from rosenblatt.system.code import code_digest
from rosenblatt.system.parallel import Died, Here, Pool, Processes, completed
from rosenblatt.system.progress import ProgressBar
from rosenblatt.system.threads import core_count

__all__ = ["Store", "available", "reproduce", "run", "select"]


_PAPERS = "rosenblatt.papers"
_NUMBERS = ("published", "formula", "expected", "measured")
_DRAWN_BY = ("rosenblatt.plotting", "rosenblatt.charts")
_DRAWN_WITH = ("bokeh", "matplotlib")


def available() -> tuple[Paper, ...]:
    """Return all papers that :mod:`rosenblatt.papers` names.

    Examples
    --------
    >>> [paper.key for paper in available()][0]
    'barkai1995'
    """
    return tuple(getattr(papers, name).PAPER for name in papers.__all__)


@functools.cache
def _registered() -> dict[str, Item]:
    """Return the items of all papers, by their ids."""
    return {item.id: item for paper in available() for item in paper.items()}


def _covers(target: str, name: str) -> bool:
    return name == target or name.startswith(f"{target}/")


def _unknown(target: str, names: Sequence[str]) -> str:
    """Return the error message of an unknown target, with its alternatives."""
    known, rest = "", target
    while rest and any(_covers(known + rest.split("/")[0], name) for name in names):
        first, _, rest = rest.partition("/")
        known += f"{first}/"
    begun = [name.removeprefix(known) for name in names if name.startswith(known)]
    level = dict.fromkeys(name.split("/")[0] for name in begun)
    under = f" under {known}" if known else ""
    return f"there is no target {target!r}; possible{under}: {', '.join(level)}"


def select(
    targets: Sequence[str] = (),
    library: Sequence[Paper] | None = None,
    *,
    exhibits: bool = True,
) -> tuple[Paper, ...]:
    """Return the papers with the selected items only.

    Parameters
    ----------
    targets
        Keys of papers, ids, or whatever ids begin with up to a slash; all if empty.
    library
        Papers to choose from; by default all.
    exhibits
        Whether figures and tables are wanted beside claims and errata.

    Examples
    --------
    >>> [claim.id for claim in select(["barkai1995/fig1/asymptote"])[0].claims]
    ['barkai1995/fig1/asymptote']
    """
    library = available() if library is None else library
    if not exhibits:
        library = [replace(paper, figures=(), tables=()) for paper in library]
    asked = [target.rstrip("/") for target in targets]
    names = [paper.key for paper in library]
    names += [item.id for paper in library for item in paper.items()]
    for target in asked:
        if not any(_covers(target, name) for name in names):
            raise ValueError(_unknown(target, names))

    def chosen(items: Sequence[Any]) -> tuple[Any, ...]:
        if not asked:
            return tuple(items)
        return tuple(i for i in items if any(_covers(t, i.id) for t in asked))

    pared = [
        replace(
            paper,
            statements=chosen(paper.statements),
            figures=chosen(paper.figures),
            tables=chosen(paper.tables),
        )
        for paper in library
    ]
    return tuple(paper for paper in pared if paper.items())


class Store:
    """Results of earlier runs.

    Parameters
    ----------
    folder
        Where the files are; None keeps nothing.
    fresh
        Whether to forget what is there.
    """

    def __init__(self, folder: Path | None, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh

    def _file(self, item: Item, quick: bool) -> tuple[Path, str] | None:
        """Return the file of an item and its key; None if nothing is stored of it.

        What a result depends on is known of the papers of this package: their sources,
        those of all they import, and the versions of what they compute with.
        """
        paper = f"{_PAPERS}.{item.id.partition('/')[0]}"
        mode = "quick" * quick or "full"
        if self._folder is None or not _module(item).startswith(f"{paper}."):
            return None
        text = f"{item.id} {mode} {code_digest(paper)}"
        if isinstance(item, Figure):
            text += code_digest(*_DRAWN_BY, libraries=_DRAWN_WITH)
        key = hashlib.sha256(text.encode()).hexdigest()
        return self._folder / f"{stem(item.id)}.{mode}.json", key

    def get(self, item: Item, quick: bool) -> Result | None:
        """Return a stored result; None if there is none with this key and digest."""
        place = None if self._fresh else self._file(item, quick)
        if place is None:
            return None
        try:
            text = place[0].read_text(encoding="utf-8")
            body, _, check = text.rstrip("\n").rpartition("\n")
            fields = json.loads(body) if check == _check(place[1], body) else None
        except (OSError, ValueError):
            return None
        return None if fields is None else _decoded(item, fields)

    def put(self, found: Result, quick: bool) -> None:
        """Store a result; failures are not stored, errors of the disk are ignored."""
        failed = found.surprising if isinstance(found, Outcome) else found.failure
        place = None if failed else self._file(found.item, quick)
        if place is None:
            return
        body = json.dumps(_encoded(found), default=lambda number: number.item())
        with contextlib.suppress(OSError):
            place[0].parent.mkdir(parents=True, exist_ok=True)
            content = f"{body}\n{_check(place[1], body)}\n".encode()
            write_whole(place[0], content)


def _check(key: str, body: str) -> str:
    return hashlib.sha256(f"{key}\n{body}".encode()).hexdigest()


def _encoded(found: Result) -> dict[str, Any]:
    """Return a result as values for JSON, without its item."""
    fields = asdict(replace(found, item=None))  # type: ignore[arg-type]
    if isinstance(found, Exhibit) and found.drawing is not None:
        for form in ("png", "pdf"):
            content = getattr(found.drawing, form)
            fields["drawing"][form] = base64.b64encode(content).decode()
    return fields


def _decoded(item: Item, fields: dict[str, Any]) -> Result:
    """Return the result that these values describe."""
    if isinstance(item, Claim):
        for name in _NUMBERS:
            fields[name] = fields[name] and Measurement(**fields[name])
        verdict = Verdict(fields["verdict"])
        return Outcome(**(fields | {"item": item, "verdict": verdict}))
    data, drawing = fields["data"], fields["drawing"]
    if isinstance(item, Figure):
        data["series"] = tuple(Series(**one) for one in data["series"])
        data["pictures"] = tuple(Picture(**one) for one in data["pictures"])
        png, pdf = (base64.b64decode(drawing[form]) for form in ("png", "pdf"))
        fields |= {
            "data": FigureData(**data),
            "drawing": Drawing(png, pdf, drawing["chart"]),
        }
    else:
        data["columns"] = tuple(data["columns"])
        data["cells"] = tuple(map(tuple, data["cells"]))
        fields["data"] = TableData(**data)
    return Exhibit(**(fields | {"item": item}))


def _module(item: Item) -> str:
    """Return where an item is computed: items of a module share what they compute."""
    work = item.measure if isinstance(item, Claim) else item.build
    return getattr(work, "__module__", "")


def _found(item: Item, quick: bool) -> Result:
    """Return the result of an item; whatever goes wrong is a result too."""
    if isinstance(item, Claim):
        return settle(item, quick=quick)
    began, data, drawing, failure = time.perf_counter(), None, None, ""
    try:
        data = item.build(quick=quick)
        if isinstance(data, FigureData):
            drawing = Drawing(*renderings(data), chart(data))
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    return Exhibit(item, data, failure, time.perf_counter() - began, drawing)


def _computed(items: Sequence[Item | str], quick: bool, store: Store) -> list[Result]:
    """Return what was found for items or their ids, without the items."""
    results = []
    for given in items:
        found = _found(_registered()[given] if isinstance(given, str) else given, quick)
        store.put(found, quick)
        results.append(replace(found, item=None))  # type: ignore[arg-type]
    return results


def _failed(item: Item, reason: str) -> Result:
    if isinstance(item, Claim):
        return Outcome(item=item, verdict=Verdict.NOT_REPRODUCED, reason=reason)
    return Exhibit(item, None, reason, 0.0)


def _missing(
    groups: dict[str, list[Item]],
    quick: bool,
    store: Store,
    workers: int | None,
    progress: bool,
) -> Iterator[Result]:
    """Compute items that are not stored, and yield their results.

    The items of a module are computed by one process, since they share simulations.
    """
    if not groups:
        return
    known = _registered()
    names = sorted(groups, key=lambda name: -len(groups[name]))  # to end together

    def task(name: str, items: list[Item]) -> tuple[Any, ...]:
        given = [i.id if known.get(i.id) is i else i for i in items]
        return name, _computed, given, quick, store

    count = min(workers or core_count(), len(groups))
    pool: Pool = Here() if count < 2 else Processes(count)
    done: list[Item] = []
    again: dict[str, Item] = {}  # of processes that died: the others are all right
    try:
        with ProgressBar(sum(map(len, groups.values())), shown=progress) as bar:

            def tick() -> None:
                bar.update(len(done))

            tasks = (task(name, groups[name]) for name in names)
            for name, results in completed(tasks, pool, tick=tick):
                if isinstance(results, Died):
                    again |= {item.id: item for item in groups[name]}
                    continue
                for found, item in zip(results, groups[name], strict=True):
                    yield replace(found, item=item)
                done.extend(groups[name])
                bar.update(len(done), name.removeprefix(f"{_PAPERS}."))
            tasks = (task(name, [item]) for name, item in again.items())
            for name, results in completed(tasks, pool, alone=True, tick=tick):
                done.append(again[name])
                if isinstance(results, Died):
                    yield _failed(again[name], results.reason)
                else:
                    yield replace(results[0], item=again[name])
    finally:
        pool.close()


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
        Whether to show a bar.
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
    began, store = time.perf_counter(), store or Store(None)
    if quick:  # without the statements that only a full run decides
        papers = [
            replace(paper, statements=[s for s in paper.statements if not s.long])
            for paper in papers
        ]
    found: dict[str, Result] = {}
    groups: dict[str, list[Item]] = {}
    for item in (item for paper in papers for item in paper.items()):
        earlier = store.get(item, quick)
        if earlier is None:
            groups.setdefault(_module(item), []).append(item)
        else:
            found[item.id] = earlier
            on_result(earlier)
    cached = frozenset(found)
    for one in _missing(groups, quick, store, workers, progress):
        found[one.item.id] = one
        on_result(one)
    collected = []
    for paper in papers:
        results = [found[item.id] for item in paper.items()]
        outcomes = tuple(one for one in results if isinstance(one, Outcome))
        exhibits = tuple(one for one in results if isinstance(one, Exhibit))
        collected.append(PaperReport(paper, outcomes, exhibits))
    return Report(tuple(collected), quick, time.perf_counter() - began, cached)


_RESULTS = ".results"  # folder, in that of the report, for what need not be run again


def _publish(found: Result, folder: Path) -> None:
    """Write the files of a figure or a table."""
    if not isinstance(found, Exhibit):
        return
    name = stem(found.item.id)
    if found.data is not None:
        write_whole(folder / f"{name}.csv", comma_separated(found.data))
    if found.drawing is not None:
        write_whole(folder / f"{name}.png", found.drawing.png)
        write_whole(folder / f"{name}.pdf", found.drawing.pdf)


def reproduce(
    targets: Sequence[str] = (),
    out: str | os.PathLike[str] = "report",
    *,
    quick: bool = False,
    fresh: bool = False,
    progress: bool = True,
    library: Sequence[Paper] | None = None,
) -> Report:
    """Run papers and write pages, figures, data and ``claims.json``.

    ``index.html`` is the front page; each paper has a page named by its key.

    Parameters
    ----------
    targets
        Keys of papers, ids, or what ids begin with up to a slash; all if empty.
    out
        Folder to write to; made if it is not there. Results are kept in it, and taken
        from there as long as the sources that computed them are the same.
    quick
        Whether to use fewer and smaller simulations.
    fresh
        Whether to run everything, also what is kept.
    progress
        Whether to show a bar that says what is running.
    library
        Papers to choose from; by default all.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> reproduce(["barkai1995/eq5/limit"], folder, quick=True, progress=False).complete
    True
    >>> sorted(os.listdir(folder))
    ['.results', 'barkai1995.html', 'claims.json', 'index.html']
    """
    papers = select(targets, library)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)  # before the work that it is for
    store = Store(folder / _RESULTS, fresh=fresh)
    report = run(
        papers,
        quick=quick,
        progress=progress,
        store=store,
        on_result=partial(_publish, folder=folder),
    )
    write_whole(folder / "claims.json", claims_json(report.outcomes))
    for name, text in pages(report).items():
        write_whole(folder / name, text.encode())
    return report
