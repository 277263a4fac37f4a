"""The papers, one folder each, named by the key of their bibliography entry.

``saad1995`` and ``vicente1998`` are further papers; the others are the five that this
project reproduces.

Each has ``PAPER``, ``CLAIMS``, ``ERRATA`` and its figures and tables as functions, from
public names only. The report, the laboratory and the commands import them.
"""

from rosenblatt.papers import (
    barkai1995,
    bhattacharya1995,
    golea1993,
    saad1995,
    seung2002,
    vicente1998,
    winther1997,
)

__all__ = [
    "barkai1995",
    "bhattacharya1995",
    "golea1993",
    "saad1995",
    "seung2002",
    "vicente1998",
    "winther1997",
]
