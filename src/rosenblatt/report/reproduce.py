"""From names of papers to a folder with a page, figures, data and verdicts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rosenblatt.core.figures import FigureData
from rosenblatt.papers.paper import Paper
from rosenblatt.plotting import render
from rosenblatt.report.files import claims_json, comma_separated, stem, write
from rosenblatt.report.page import page
from rosenblatt.report.running import Exhibit, PaperReport, Report, run
from rosenblatt.report.selection import select

__all__ = ["reproduce"]


def _publish(exhibit: Exhibit, folder: Path) -> tuple[Exhibit, bytes]:
    """Write the files of a figure or table; return the picture, if there is one."""
    picture = b""
    if exhibit.data is None:
        return exhibit, picture
    name = stem(exhibit.item.id)
    write(folder / f"{name}.csv", comma_separated(exhibit.data))
    if isinstance(exhibit.data, FigureData):
        try:
            picture = render(exhibit.data, "png")
            document = render(exhibit.data, "pdf")
        except Exception as error:  # one that cannot be drawn is shown as such
            failure = f"{type(error).__name__}: {error}"
            return replace(exhibit, failure=failure), b""
        write(folder / f"{name}.png", picture)
        write(folder / f"{name}.pdf", document)
    return exhibit, picture


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
    pictures: dict[str, bytes] = {}
    published: list[PaperReport] = []
    for paper in report.papers:
        exhibits = []
        for exhibit in paper.exhibits:
            shown, picture = _publish(exhibit, folder)
            exhibits.append(shown)
            pictures[exhibit.item.id] = picture
        published.append(replace(paper, exhibits=tuple(exhibits)))
    report = replace(report, papers=tuple(published))
    write(folder / "claims.json", claims_json(report.outcomes))
    write(folder / "index.html", page(report, pictures).encode())
    return report
