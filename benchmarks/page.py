"""Tables of a run, written into a page of the documentation between two marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from benchmarks.measure import Row

__all__ = ["markdown", "write_into"]


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


def write_into(page: Path, name: str, text: str) -> None:
    """Replace what stands between the marks of a name."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = page.read_text().split(begin)
    _, after = rest.split(end)
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")
