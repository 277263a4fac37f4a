"""The table of counts."""

from __future__ import annotations

from collections.abc import Iterable

from tests.fuzz.cases import ACCEPTED, FAULT, REFUSED
from tests.fuzz.session import Tally

__all__ = ["table"]


def table(tallies: Iterable[Tally]) -> str:
    """Return the counts of each format, in Markdown."""
    lines = [
        "| format | cases | refused | accepted | faults |",
        "|---|---:|---:|---:|---:|",
    ]
    total = Tally("all")
    given = list(tallies)
    for tally in given:
        lines.append(_line(tally))
        total.counts.update(tally.counts)
    if len(given) > 1:
        lines.append(_line(total))
    for tally in given:
        lines += [
            f"{tally.name}: {count} x {kind}"
            for kind, count in tally.kinds.most_common()
        ]
    return "\n".join(lines)


def _line(tally: Tally) -> str:
    counts = [tally.counts[kind] for kind in (REFUSED, ACCEPTED, FAULT)]
    return f"| {tally.name} | {sum(counts)} | " + " | ".join(map(str, counts)) + " |"
