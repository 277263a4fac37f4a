"""The commands ``reproduce`` and ``claims``: run papers again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rosenblatt import report
from rosenblatt.cli.output import AsJson, print_json
from rosenblatt.papers.claims import Kind
from rosenblatt.papers.paper import Paper
from rosenblatt.papers.verdicts import Outcome, Verdict
from rosenblatt.report.files import claims_json
from rosenblatt.report.formatting import brief, duration, verdict_word
from rosenblatt.report.selection import available

__all__ = ["claims", "reproduce"]

_COLOURS = {
    Verdict.REPRODUCED: "green",
    Verdict.ERRATUM: "yellow",
    Verdict.NOT_REPRODUCED: "red",
}


def _items(incomplete: str) -> list[str]:
    """Return beginnings of ids, up to the next slash, for completion.

    Examples
    --------
    >>> _items("barkai1995/eq5/l")
    ['barkai1995/eq5/limit']
    >>> _items("w")
    ['winther1997']
    """
    depth = incomplete.count("/") + 1
    ids = (item.id for paper in available() for item in paper.items())
    levels = dict.fromkeys("/".join(name.split("/")[:depth]) for name in ids)
    return [name for name in levels if name.startswith(incomplete)]


Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET",
        help="Papers, ids, or beginnings of ids up to a slash; by default all.",
        show_default=False,
        autocompletion=_items,
    ),
]
Quick = Annotated[bool, typer.Option("--quick", help="Use smaller simulations.")]


def _summary(done: report.Report) -> str:
    parts = [f"{count} {verdict.value}" for verdict, count in done.counts.items()]
    unchanged, changed = done.regressions
    if unchanged or changed:
        parts.append(f"{unchanged} regression checks unchanged, {changed} changed")
    further = done.further
    if any(further.values()):
        right = f"{further[Verdict.REPRODUCED]} of {sum(further.values())}"
        parts.append(f"{right} reproduced in further papers")
    failed = [exhibit.item.id for exhibit in done.exhibits if exhibit.failure]
    if done.exhibits:
        parts.append(f"{len(done.exhibits) - len(failed)} figures and tables")
    if failed:
        parts.append(f"failed: {', '.join(failed)}")
    if done.cached:
        parts.append(f"{len(done.cached)} of all cached")
    return f"{', '.join(parts)}; {duration(done.seconds)}"


def _numbers(done: report.Report) -> dict[str, Any]:
    """Return the numbers of a report, for JSON."""
    counts = {verdict.value: count for verdict, count in done.counts.items()}
    failed = [exhibit.item.id for exhibit in done.exhibits if exhibit.failure]
    return counts | {
        "regressions": done.regressions._asdict(),
        "further": {verdict.value: count for verdict, count in done.further.items()},
        "exhibits": len(done.exhibits) - len(failed),
        "failed": failed,
        "seconds": round(done.seconds, 3),
        "cached": len(done.cached),
        "complete": done.complete,
    }


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
            Text(verdict_word(outcome), style=_COLOURS[outcome.verdict]),
        )
    return table


def reproduce(
    targets: Targets = None,
    out: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("report"),
    quick: Quick = False,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Compute all results again, also stored ones."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rerun papers and write pages with figures, data and verdicts.

    The folder gets `index.html` and a page for each paper. It also gets every figure as
    PNG, PDF and CSV, every table as CSV, and `claims.json`. The pages need no network.
    A second run into the same folder computes only what failed and what depends on
    sources that changed.

    The exit code is 1 if something failed or is not reproduced.

    Examples:

    - `rosenblatt reproduce --quick`: all papers, with small simulations
    - `rosenblatt reproduce golea1993 barkai1995/fig1 --out some-papers`
    - `rosenblatt reproduce barkai1995/fig1 --fresh`
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"--out must be a folder, got {str(out)!r}")
    try:
        done = report.reproduce(
            targets or [], out, quick=quick, fresh=fresh, progress=sys.stderr.isatty()
        )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"interrupted; results are stored in {str(out)!r}: run the same command to "
            "resume" + (", without --fresh" if fresh else "")
        ) from None
    if as_json:
        print_json(_numbers(done) | {"page": str(out / "index.html")})
    else:
        typer.echo(f"{_summary(done)}\n{out / 'index.html'}")
    if not done.complete:
        raise typer.Exit(1)


def claims(
    targets: Targets = None,
    quick: Quick = False,
    list_: Annotated[
        bool, typer.Option("--list", help="List claims and errata; run nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Rerun claims and errata of papers and print the verdicts.

    Stored results are not used. The exit code is 1 if something is not reproduced.

    Examples:

    - `rosenblatt claims barkai1995/fig1/asymptote`: one number
    - `rosenblatt claims golea1993 --quick`: all of a paper
    - `rosenblatt claims winther1997/fig1 --quick --json`
    - `rosenblatt claims seung2002 --list`: names to choose from
    """
    chosen = report.select(targets or [], exhibits=False)
    if list_:
        _list(chosen, as_json)
        return
    done = report.run(chosen, quick=quick, progress=sys.stderr.isatty())
    if as_json:
        typer.echo(claims_json(done.outcomes).decode(), nl=False)
    else:
        _print(done)
    if not done.complete:
        raise typer.Exit(1)


def _list(chosen: Sequence[Paper], as_json: bool) -> None:
    items = [item for paper in chosen for item in paper.items()]
    if as_json:
        wanted = ("id", "paper", "where", "statement", "kind")
        print_json([{key: getattr(item, key) for key in wanted} for item in items])
        return
    for item in items:
        kind = getattr(item, "kind", Kind.REPRODUCTION)
        apart = f"\t{kind.value}" if kind is Kind.REGRESSION else ""
        typer.echo(f"{item.id}\t{item.where}{apart}")


def _print(done: report.Report) -> None:
    console = Console()
    for paper in done.papers:
        console.print(_table(paper.paper.key, paper.outcomes))
    for outcome in done.outcomes:
        if outcome.verdict is Verdict.NOT_REPRODUCED:
            console.print(f"{outcome.item.id}: {outcome.reason}", markup=False)
    console.print(_summary(done), highlight=False)
