"""The table of counts."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fuzz.cases import ACCEPTED, FAULT, REFUSED
from tests.fuzz.session import Tally

__all__ = ["HEAD", "line", "summary"]

HEAD = """\
| format | cases | refused | accepted | faults |
|---|---:|---:|---:|---:|"""


def line(tally: Tally) -> str:
    """Return the counts of a format, in Markdown."""
    counts = [tally.counts[kind] for kind in (REFUSED, ACCEPTED, FAULT)]
    return f"| {tally.name} | {sum(counts)} | " + " | ".join(map(str, counts)) + " |"


def summary(tallies: Sequence[Tally]) -> str:
    """Return the counts of all formats together, and the kinds of faults."""
    total = Tally("all")
    for tally in tallies:
        total.counts.update(tally.counts)
    lines = [line(total)] if len(tallies) > 1 else []
    for tally in tallies:
        lines += [
            f"{tally.name}: {count} x {kind}"
            for kind, count in tally.kinds.most_common()
        ]
    return "\n".join(lines)
