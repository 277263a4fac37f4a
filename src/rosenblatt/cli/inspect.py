"""The command ``inspect``: show a trained model."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import rosenblatt as rb  # models are loaded when they are needed
from rosenblatt.cli.options import PLOTS, OwnRule, OwnSchedule, check_file, check_there
from rosenblatt.cli.output import AsJson, metric_lines, print_json, printable

_ENDS = 3  # levels shown at either end
_BAR = 30  # letters of the longest bar of the curve
_LINES = 16  # of the table of forgetting, at most


def _shown(text: str) -> str:
    """Return text without escape sequences and without markup."""
    return escape(printable(text))


def _number(value: float | None, form: str = ".4g") -> str:
    return "" if value is None else format(value, form)


def _curve(points: list[dict[str, Any]]) -> Table:
    """Return the learning curve, with a bar for the error since the last point."""
    table = Table(title="Learning curve: error since the line above, and so far")
    for header in ("rows", "recent", "so far", "log-loss"):
        table.add_column(header, justify="right")
    table.add_column("recent")
    most = max((point["recent_error"] or 0.0 for point in points), default=0.0)
    for point in points:
        recent = point["recent_error"]
        bar = round(_BAR * (recent or 0.0) / most) if most else 0
        table.add_row(
            f"{point['rows']:,}",
            _number(recent, ".4f"),
            _number(point["error"], ".4f"),
            _number(point["recent_log_loss"], ".4f"),
            "#" * bar,
        )
    return table


def _columns(columns: list[dict[str, Any]]) -> Table:
    """Return the joint tests of columns, with effects and their intervals."""
    table = Table(title="Columns, the most significant first")
    for header in (
        "column",
        "kind",
        "chi2",
        "df",
        "p",
        "effect, of levels from the reference",
    ):
        right = header in ("chi2", "df", "p")
        table.add_column(header, justify="right" if right else "left", overflow="fold")
    for column in columns:
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
        table.add_row(
            _shown(column["column"]),
            f"{column['kind']}, id?" if column["id"] else column["kind"],
            f"{column['statistic']:.1f}",
            str(column["degrees"]),
            f"{column['p']:.2g}" if column["p"] else "<1e-300",
            _shown(f"{column['reference']}: {each}" if "reference" in column else each),
        )
    return table


def _forgetting(known: dict[str, Any]) -> Table:
    """Return half-lives over the rows; a longer bar forgets faster."""
    table = Table(title="Forgetting: half-life that the data chose, in rows")
    for header in ("up to row", "half-life", "changes noticed"):
        table.add_column(header, justify="right")
    table.add_column("faster")
    points = known["curve"]
    last, step = 0, max(-(-len(points) // _LINES), 1)
    shown = points[step - 1 :: step]
    for point in [*shown, *(points[-1:] if len(points) % step else [])]:
        life, rows = point["half_life"], point["rows"]
        found = [str(c["row"]) for c in known["changes"] if last < c["row"] <= rows]
        bar = 0 if life is None else round(_BAR / (1.0 + math.log2(1.0 + life / 8.0)))
        text = "never" if life is None else f"{life:,.0f}"
        table.add_row(f"{rows:,}", text, ", ".join(found), "#" * bar)
        last = rows
    return table


def _weights(weights: list[dict[str, Any]]) -> Table:
    several = len({weight["class"] for weight in weights}) > 1
    sure = bool(weights) and "std" in weights[0]
    table = Table(
        title="Weights, the largest |weight|/std first" if sure else "Weights"
    )
    headers = ["class"] if several else []
    headers += ["feature", "weight", *(["std", "|weight|/std"] if sure else [])]
    for header in headers:
        left = header in ("class", "feature")
        table.add_column(header, justify="left" if left else "right", overflow="fold")
    for weight in weights:
        cells = [_shown(str(weight["class"]))] if several else []
        cells += [_shown(weight["feature"]), _number(weight["mean"])]
        if sure:
            cells += [_number(weight["std"], ".2g"), _number(weight["ratio"], ".1f")]
        table.add_row(*cells)
    return table


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
    say("target", f"{known['target']}: {', '.join(map(str, known['classes']))}")
    say("features", known["features"])
    say("rows", f"{known['rows']:,}")
    if known["error"] is not None:
        loss = known["log_loss"]
        more = "" if loss is None else f", log-loss {loss:.4f}"
        say("error", f"{known['error']:.4f}{more} (predicted {known['judged']})")
    if known["majority_error"] is not None:
        say("majority", f"{known['majority_error']:.4f}")
    for what in ("progressive", "test"):
        if known.get(what, {}).get("error") is not None:
            for line in metric_lines(known[what]):
                say(what, line)
                what = ""
    if "later" in known:
        say("10% ahead", *metric_lines(known["later"]))
    for key in ("covariance", "noise"):
        if key in known:
            value = known[key]
            say(key, value if isinstance(value, str) else _number(value[0]))
    for what in ("skipped", "missing", "other_categories"):
        for key, count in known[what].items():
            say(what.split("_")[0], f"{key}: {count:,}")
    if known["curve"]:
        console.print(_curve(known["curve"]))
    if known.get("columns"):
        console.print(_columns(known["columns"]))
    if known.get("forgetting", {}).get("curve"):
        console.print(_forgetting(known["forgetting"]))
    if known.get("weights"):
        console.print(_weights(known["weights"]))
