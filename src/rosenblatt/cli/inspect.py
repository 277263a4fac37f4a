"""The command ``inspect``: show a trained model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import rosenblatt as rb  # models are loaded when they are needed
from rosenblatt.cli.options import PLOTS, OwnRule, OwnSchedule, check_file, check_there
from rosenblatt.cli.output import (
    AsJson,
    later_lines,
    metric_lines,
    print_json,
    printable,
)

_LEFT = ("class", "column", "kind", "feature", "bar", "effect, from the reference")
_ENDS = 3  # levels shown at either end
_BAR = 30  # letters of the longest bar of the curve
_LINES = 16  # of the table of forgetting, at most


def _shown(text: str) -> str:
    """Return text without escape sequences and without markup."""
    return escape(printable(text))


def _number(value: float | None, form: str = ".4g") -> str:
    return "" if value is None else format(value, form)


def _table(title: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Return a table whose columns are of numbers, but for those with some names."""
    table = Table(title=title)
    for header in headers:
        justify: Any = "left" if header in _LEFT else "right"
        table.add_column(header, justify=justify, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _curve(points: list[dict[str, Any]], what: str) -> Table:
    """Return the learning curve, with a bar for the error since the last point."""
    most = max((point["recent_error"] or 0.0 for point in points), default=0.0) or 1.0
    rows = (
        (
            f"{point['rows']:,}",
            _number(point["recent_error"], ".4f"),
            _number(point["error"], ".4f"),
            _number(point["recent_log_loss"], ".4f"),
            "#" * round(_BAR * (point["recent_error"] or 0.0) / most),
        )
        for point in points
    )
    title = f"Learning curve: {what} since the line above, and so far"
    return _table(title, ("rows", "recent", "so far", "log-loss", "bar"), rows)


def _column(column: dict[str, Any]) -> tuple[str, ...]:
    """Return the joint test of a column, its effects and their intervals."""
    effects = sorted(column["effects"], key=lambda effect: effect["mean"])
    if len({effect["class"] for effect in effects}) > 1:
        effects = []  # rb.load_model(path).report() has those of each class
    if len(effects) > 2 * _ENDS:
        effects = effects[:_ENDS] + effects[-_ENDS:]
    each = ", ".join(
        f"{effect['feature'].removeprefix(column['column']).lstrip('=')} "
        f"{effect['mean']:+.2g} ({effect['low']:+.2g} to {effect['high']:+.2g})"
        for effect in effects
    ).strip()
    return (
        _shown(column["column"]),
        f"{column['kind']}, id?" if column["id"] else column["kind"],
        f"{column['statistic']:.1f}",
        str(column["degrees"]),
        f"{column['p']:.2g}" if column["p"] else "<1e-300",
        _shown(f"{column['reference']}: {each}" if "reference" in column else each),
    )


def _forgetting(known: dict[str, Any]) -> Table:
    """Return half-lives over the rows; a longer bar forgets faster."""
    points, rows, last = known["curve"], [], 0
    step = max(-(-len(points) // _LINES), 1)
    for point in [*points[step - 1 : -1 : step], points[-1]]:
        life, now = point["half_life"], point["rows"]
        found = [str(c["row"]) for c in known["changes"] if last < c["row"] <= now]
        bar = 0 if life is None else round(_BAR / (1.0 + math.log2(1.0 + life / 8.0)))
        text = "never" if life is None else f"{life:,.0f}"
        rows.append((f"{now:,}", text, ", ".join(found), "#" * bar))
        last = now
    title = "Forgetting: half-life that the data chose, in rows"
    return _table(title, ("up to row", "half-life", "changes noticed", "bar"), rows)


def _weights(weights: list[dict[str, Any]]) -> Table:
    """Return the weights, with their standard deviations if there are any."""
    sure = "std" in weights[0]
    headers = ["class", "feature", "weight"]
    rows = [
        [_shown(str(w["class"])), _shown(w["feature"]), _number(w["mean"])]
        for w in weights
    ]
    if not sure:
        return _table("Weights", headers, rows)
    for row, weight in zip(rows, weights, strict=True):
        row += [_number(weight["std"], ".2g"), _number(weight["ratio"], ".1f")]
    title = "Weights, the largest |weight|/std first"
    return _table(title, [*headers, "std", "|weight|/std"], rows)


def inspect(
    model: Annotated[
        Path,
        typer.Argument(
            help="File that `train` has saved, or its checkpoint.", metavar="MODEL"
        ),
    ],
    top: Annotated[
        int,
        typer.Option(min=0, help="Number of columns, and of weights of each class."),
    ] = 20,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Draw learning curve, calibration, columns and forgetting; .png, .pdf "
            "or .svg.",
            metavar="FILE",
        ),
    ] = None,
    rule: OwnRule = None,
    schedule: OwnSchedule = None,
    as_json: AsJson = False,
) -> None:
    """Show a trained model: metrics, columns, weights, learning curve.

    The error and the log-loss are those of predictions made before the labels were
    known. Columns are ranked by a joint test of all their features; for a category it
    tests that all levels are alike. Columns that look like an id come last, marked
    "id?". Weights are in units of the features, the most
    significant first.

    Examples:

    - `rosenblatt inspect clicks.safetensors`
    - `rosenblatt inspect clicks.safetensors --plot clicks.png`
    - `rosenblatt inspect clicks.safetensors.checkpoint --json`: while it learns
    """
    check_there(model)
    if plot is not None:
        check_file("--plot", plot, PLOTS)
    run = rb.training.load(model, rule=rule, schedule=schedule)
    known = rb.training.report(run.model, top)
    if plot is not None:
        rb.plotting.draw_trained(known, plot)
    if as_json:
        print_json(known)
        return
    console = Console()

    def say(what: str, value: Any) -> None:
        line = printable(f"{what:<12}{value}")
        console.print(line, highlight=False, markup=False)

    given = {k: v for k, v in known["parameters"].items() if v is not None}
    say("model", f"{known['model']} {given}")
    say("state", "finished" if known["finished"] else "a checkpoint, not finished")
    said = ", ".join(map(str, known["classes"])) or "a number"
    say("target", f"{known['target']}: {said}")
    say("features", known["features"])
    say("rows", f"{known['rows']:,}")
    next_ = "next row" if known["judged"] == "row by row" else "next batch"
    for what, lines in (
        (next_, metric_lines(known["progressive"])),
        (known.get("ahead", ""), later_lines(known)),
        ("held out", metric_lines(known.get("test", {}))),
    ):
        for line in filter(None, lines):
            say(what, line)
            what = ""
    for key in ("covariance", "noise"):
        if key in known:
            value = known[key]
            say(key, value if isinstance(value, str) else _number(value[0]))
    for what in ("skipped", "missing", "other_categories"):
        for key, count in known[what].items():
            say(what.split("_")[0], f"{key}: {count:,}")
    if known["curve"]:
        what = "RMSE" if known["task"] == "regress" else "error"
        console.print(_curve(known["curve"], what))
    if known.get("columns"):
        headers = ("column", "kind", "chi2", "df", "p", "effect, from the reference")
        rows = map(_column, known["columns"])
        console.print(_table("Columns, the most significant first", headers, rows))
    if known.get("forgetting", {}).get("curve"):
        console.print(_forgetting(known["forgetting"]))
    if known.get("weights"):
        console.print(_weights(known["weights"]))
