"""The papers, one folder each, named by the key of their bibliography entry.

Each has ``PAPER``, with its claims, errata, figures and tables, from public names only.
The report, the laboratory and the commands import them. Studies that go beyond the
papers are scripts in the folder ``examples``.
"""

from rosenblatt.papers import (
    barkai1995,
    bhattacharya1995,
    golea1993,
    seung2002,
    winther1997,
)

__all__ = ["barkai1995", "bhattacharya1995", "golea1993", "seung2002", "winther1997"]
