"""Measured tables of the documentation, all in one file.

A page shows a table where it has the mark ``<!-- measured: NAME -->``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from benchmarks.measure import Row

MEASURED = Path("docs", "measured.json")


def markdown(rows: Iterable[Row]) -> str:
    r"""Return rows as a table, with alpha as a formula.

    Examples
    --------
    >>> print(markdown([Row("to alpha = 20", "0.1 s", "<= 0.05 s", met=False)]))
    | work | measured | goal | met |
    |---|---|---|---|
    | to $\alpha$ = 20 | 0.1 s | <= 0.05 s | NO |
    """
    lines = ["| work | measured | goal | met |", "|---|---|---|---|"]
    for row in rows:
        work = re.sub(r"\balpha\b", r"$\\alpha$", row.work)
        lines.append(f"| {work} | {row.measured} | {row.goal} | {row.answer} |")
    return "\n".join(lines)


def write_measured(name: str, text: str) -> None:
    """Replace the tables of a name."""
    known = json.loads(MEASURED.read_text(encoding="utf-8"))
    if name not in known:
        raise ValueError(f"name must be one of {', '.join(known)}, got {name!r}")
    known[name] = text.splitlines()
    written = json.dumps(known, indent=1, ensure_ascii=False)
    MEASURED.write_text(f"{written}\n", encoding="utf-8")
