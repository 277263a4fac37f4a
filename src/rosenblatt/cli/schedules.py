"""The command ``schedules``: rates, and their conditions for convergence."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import rosenblatt as rb
from rosenblatt.cli.output import AsJson, print_json
from rosenblatt.core import Clock
from rosenblatt.spelling.parts import parse

__all__ = ["schedules"]

_TIMES = {"t = 1": 1.0, "1e2": 1e2, "1e4": 1e4, "1e6": 1e6}
_DEFAULT = (
    "constant",
    "power:exponent=0.51",
    "power",
    "per-mistake",
    "power:exponent=2",
)


def _known(text: str) -> dict[str, Any]:
    """Return rates and conditions of a schedule."""
    schedule = parse(rb.core.Schedule, text)
    rate = schedule.bind()
    return {
        "schedule": text,  # shorter than what it stands for: a line has 80 letters
        "rates": {f"{t:g}": rate(Clock(t, t, 1.0)) for t in _TIMES.values()},
        **schedule.conditions()._asdict(),
    }


def _row(known: dict[str, Any]) -> list[str]:
    text, rates, *conditions = known.values()
    return [
        text,
        *(f"{rate:.3g}" for rate in rates.values()),
        *("yes" if met else "no" for met in conditions),
    ]


def schedules(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Schedules, as in `simulate --schedule`; by default five common ones.",
            metavar="PART",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show rates, and which of the three conditions for convergence they meet.

    Rates are those at times 1, 100, ... with as many mistakes. There are three
    conditions of stochastic approximation. The rate falls to zero. Its sum is infinite,
    so that any distance can be covered. The sum of its squares is finite, so that the
    noise dies out.

    Examples:

    - `rosenblatt schedules`: five common ones
    - `rosenblatt schedules power:exponent=0.4 my_file.py:my_rate`
    - `rosenblatt schedules power --json`
    """
    known = [_known(text) for text in parts or _DEFAULT]
    if as_json:
        print_json(known)
        return
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("schedule", overflow="fold")
    for header in _TIMES:
        table.add_column(header, justify="right")
    for header in ("rate\nto 0", "sum\n= inf", "squares\n< inf"):
        table.add_column(header)
    for entry in known:
        table.add_row(*_row(entry))
    Console().print(table)
