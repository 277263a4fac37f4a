"""The commands ``reproduce`` and ``claims``: papers, from the shell."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rosenblatt import report
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.words import brief, duration

__all__ = ["claims", "reproduce"]

_COLOURS = {
    Verdict.REPRODUCED: "green",
    Verdict.ERRATUM: "yellow",
    Verdict.NOT_REPRODUCED: "red",
}

Targets = Annotated[
    list[str] | None,
    typer.Argument(
        help="Keys of papers, ids, or what ids begin with up to a slash; "
        "by default everything.",
        show_default=False,
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Smaller simulations.")]


def _summary(done: report.Report) -> str:
    parts = [f"{count} {verdict.value}" for verdict, count in done.counts.items()]
    failed = [exhibit.item.id for exhibit in done.exhibits if exhibit.failure]
    if failed:
        parts.append(f"failed: {', '.join(failed)}")
    return f"{', '.join(parts)}; {duration(done.seconds)}"


def _table(key: str, outcomes: Sequence[Outcome]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(f"{key}/", overflow="fold")
    for header in ("published", "expected", "measured"):
        table.add_column(header, justify="right")
    table.add_column("verdict", no_wrap=True)
    for outcome in outcomes:
        table.add_row(
            outcome.item.id.removeprefix(f"{key}/"),
            brief(outcome.published),
            brief(outcome.expected),
            brief(outcome.measured),
            Text(outcome.verdict.value, style=_COLOURS[outcome.verdict]),
        )
    return table


def reproduce(
    targets: Targets = None,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("report"),
    quick: Quick = False,
) -> None:
    """Rerun papers and write a page with figures, data and verdicts.

    The exit code is 1 if something failed or is not reproduced.
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"--out must be a folder, got {str(out)!r}")
    done = report.reproduce(
        targets or [], out, quick=quick, progress=sys.stderr.isatty()
    )
    typer.echo(f"{_summary(done)}\n{out / 'index.html'}")
    if not done.complete:
        raise typer.Exit(1)


def claims(targets: Targets = None, quick: Quick = False) -> None:
    """Rerun claims and errata of papers and print the verdicts.

    The exit code is 1 if something is not reproduced.
    """
    chosen = report.select(targets or [], exhibits=False)
    done = report.run(chosen, quick=quick, progress=sys.stderr.isatty())
    console = Console()
    for paper in done.papers:
        console.print(_table(paper.paper.key, paper.outcomes))
    for outcome in done.outcomes:
        if outcome.verdict is Verdict.NOT_REPRODUCED:
            console.print(f"{outcome.item.id}: {outcome.reason}", markup=False)
    console.print(_summary(done), highlight=False)
    if not done.complete:
        raise typer.Exit(1)
