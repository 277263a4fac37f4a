"""From names of papers to a folder with a page, figures, data and verdicts."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rosenblatt.core.figures import FigureData
from rosenblatt.papers.paper import Paper
from rosenblatt.plotting import render
from rosenblatt.report.files import claims_json, comma_separated, stem, write
from rosenblatt.report.page import page
from rosenblatt.report.parallel import results
from rosenblatt.report.running import Exhibit, Report, run
from rosenblatt.report.selection import select

__all__ = ["reproduce"]


def _drawn(data: FigureData) -> tuple[bytes, bytes, str]:
    """Return a picture, a document, and what went wrong: one that cannot be drawn."""
    try:
        return render(data, "png"), render(data, "pdf"), ""
    except Exception as error:
        return b"", b"", f"{type(error).__name__}: {error}"


def _publish(exhibits: Sequence[Exhibit], folder: Path) -> list[tuple[Exhibit, bytes]]:
    """Write the files of figures and tables; return each with its picture, if any."""
    figures = {e.item.id: e.data for e in exhibits if isinstance(e.data, FigureData)}
    drawn = dict(
        results([functools.partial(_drawn, data) for data in figures.values()])
    )
    drawings = {name: drawn[number] for number, name in enumerate(figures)}
    published: list[tuple[Exhibit, bytes]] = []
    for exhibit in exhibits:
        picture = b""
        if exhibit.data is not None:
            name = stem(exhibit.item.id)
            write(folder / f"{name}.csv", comma_separated(exhibit.data))
        if isinstance(exhibit.data, FigureData):
            picture, document, failure = drawings[exhibit.item.id]
            exhibit = replace(exhibit, failure=failure)
            if not failure:
                write(folder / f"{name}.png", picture)
                write(folder / f"{name}.pdf", document)
        published.append((exhibit, picture))
    return published


def reproduce(
    targets: Sequence[str] = (),
    out: str | os.PathLike[str] = "report",
    *,
    quick: bool = False,
    progress: bool = True,
    library: Sequence[Paper] | None = None,
) -> Report:
    """Run what is asked for and write ``index.html``, figures, data, ``claims.json``.

    Parameters
    ----------
    targets
        Keys of papers, ids, or what ids begin with up to a slash; all if empty.
    out
        Folder to write to; made if it is not there.
    quick
        Whether to use fewer and smaller simulations.
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
    ['claims.json', 'index.html']
    """
    papers = select(targets, library)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)  # before the work that it is for
    report = run(papers, quick=quick, progress=progress)
    shown = {
        e.item.id: (e, picture) for e, picture in _publish(report.exhibits, folder)
    }
    pictures = {name: picture for name, (_, picture) in shown.items()}
    report = replace(
        report,
        papers=tuple(
            replace(p, exhibits=tuple(shown[e.item.id][0] for e in p.exhibits))
            for p in report.papers
        ),
    )
    write(folder / "claims.json", claims_json(report.outcomes))
    write(folder / "index.html", page(report, pictures).encode())
    return report
