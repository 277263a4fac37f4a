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
from rosenblatt.papers.claims import Kind, Outcome, Paper, Verdict
from rosenblatt.report.results import brief, claims_json, duration
from rosenblatt.report.running import available

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
    tally = done.tally
    parts = [
        f"statements checked: {tally.checked}; {tally.hold} hold, {tally.remarks} with "
        f"a remark; errors: {tally.errors}, not reproduced: {tally.missing}"
    ]
    if tally.extensions:
        parts.append(f"extensions: {tally.extensions}")
    if done.exhibits:
        parts.append(f"figures and tables: {len(done.exhibits) - len(done.failed)}")
    if done.failed:
        parts.append(f"failed: {', '.join(done.failed)}")
    if done.surprises:
        parts.append(f"unexpected verdicts: {len(done.surprises)}")
    if done.cached:
        parts.append(f"stored results used: {len(done.cached)}")
    return f"{', '.join(parts)}; {duration(done.seconds)}"


def _numbers(done: report.Report) -> dict[str, Any]:
    """Return the numbers of a report, for JSON."""
    return done.tally._asdict() | {
        "exhibits": len(done.exhibits) - len(done.failed),
        "failed": done.failed,
        "surprises": [outcome.item.id for outcome in done.surprises],
        "seconds": round(done.seconds, 3),
        "cached": len(done.cached),
        "complete": done.complete,
    }


def _table(key: str, outcomes: Sequence[Outcome]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(f"{key}/", overflow="fold")
    for header in ("paper", "expected", "measured"):
        table.add_column(header, justify="right")
    table.add_column("verdict", no_wrap=True)
    for outcome in outcomes:
        table.add_row(
            outcome.item.id.removeprefix(f"{key}/"),
            brief(outcome.published or outcome.formula),
            brief(outcome.expected),
            brief(outcome.measured),
            Text(outcome.word.split(" without")[0], style=_COLOURS[outcome.verdict]),
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

    The exit code is 1 if a computation failed, or if a verdict is not the expected one.
    Statements that are known not to be reproduced say why, and are expected.

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
        typer.echo(f"{_summary(done)}\nopen {out / 'index.html'}")
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

    A claim is a statement of a paper. It is *reproduced* if the measured number agrees
    with the expected one and with that of the paper, within a window that is fixed
    before. The window is five standard errors, plus an allowance that has a reason. A
    claim in words is reproduced if the measured number is beyond its bound by five
    standard errors. All else is *not reproduced*.

    An erratum stands if the measured number agrees with the corrected form, and if
    neither agrees with the printed one. Its kind says how much it matters. Only an
    *error* has consequences. Other kinds are *misprint without consequence*, *gap in a
    proof*, *unstated assumption*, *imprecise wording*, *overstatement* and *open
    reading*. An extension is ours and no statement of the paper.

    Stored results are not used. The exit code is 1 if a verdict is not the one that the
    ledger states.

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
    items = [item for paper in chosen for item in paper.statements]
    if as_json:
        wanted = ("id", "paper", "where", "quote", "statement", "kind")
        print_json([{key: getattr(item, key) for key in wanted} for item in items])
        return
    for item in items:
        apart = "" if item.kind is Kind.CLAIM else f"\t{item.kind.value}"
        typer.echo(f"{item.id}\t{item.where}{apart}")


def _print(done: report.Report) -> None:
    console = Console()
    for paper in done.papers:
        console.print(_table(paper.paper.key, paper.outcomes))
    for outcome in done.outcomes:
        if outcome.verdict is Verdict.NOT_REPRODUCED:
            why = outcome.item.fails or outcome.reason
            console.print(f"{outcome.item.id}: {why}", markup=False)
    console.print(_summary(done), highlight=False)
