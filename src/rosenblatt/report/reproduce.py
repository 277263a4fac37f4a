"""Reproduction of papers: a folder with a page, figures, data and verdicts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rosenblatt.core.figures import comma_separated
from rosenblatt.papers.claims import Paper
from rosenblatt.report.page import pages
from rosenblatt.report.results import Exhibit, Report, Result, claims_json, stem
from rosenblatt.report.running import Store, run, select
from rosenblatt.system.atomic_files import write_whole

__all__ = ["reproduce"]

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
