"""Locations in a paper, parsed from words such as "eq. (3)"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["index", "locations"]

# In the order of the index; what is counted apart in a paper is apart here too.
_KINDS = {
    "abstract": "Abstract",
    "section": "Sections",
    "condition": "Conditions",
    "lemma": "Lemmas",
    "theorem": "Theorems",
    "corollary": "Corollaries",
    "footnote": "Footnotes",
    "eq": "Equations",
    "figure": "Figures",
    "table": "Tables",
}
_NUMBER = r"\(?(\d+(?:\.\d+)*[a-z]?)\)?"
_PLACE = re.compile(
    rf"\b({'|'.join(_KINDS)})s?\.?((?:(?:,| and| to)? {_NUMBER})+)|\b(abstract)\b"
)
_EACH = re.compile(rf"( to)? {_NUMBER}")

Entry = TypeVar("Entry")


def locations(where: str) -> list[tuple[str, str]]:
    """Return kinds and numbers of all locations in a text.

    Examples
    --------
    >>> locations("text after eqs. (20) to (22) and figure 2b")
    [('eq', '20'), ('eq', '21'), ('eq', '22'), ('figure', '2b')]
    """
    found: list[tuple[str, str]] = []
    for kind, numbers, _, alone in _PLACE.findall(where):
        if alone:
            found.append((alone, ""))
            continue
        for reaches, number in _EACH.findall(numbers):
            if reaches and number.isdigit() and found[-1][1].isdigit():
                between = range(int(found[-1][1]) + 1, int(number))
                found += [(kind, str(each)) for each in between]
            found.append((kind, number))
    return found


def _order(number: str) -> list[tuple[int, str]]:
    """Return a sort key that puts 2 before 10, and 2a before 2b."""
    pieces = re.findall(r"(\d+)([a-z]?)", number)
    return [(int(digits), letter) for digits, letter in pieces]


def index(
    entries: Iterable[tuple[str, Entry]],
) -> list[tuple[str, list[tuple[str, list[Entry]]]]]:
    """Return headings, each with its locations in order and their entries.

    Examples
    --------
    >>> index([("eq. (10)", "a"), ("figure 1", "b"), ("eqs. (2) and (10)", "c")])
    [('Equations', [('(2)', ['c']), ('(10)', ['a', 'c'])]), ('Figures', [('1', ['b'])])]
    """
    there: dict[tuple[str, str], list[Entry]] = {}
    for where, entry in entries:
        for place in locations(where):
            there.setdefault(place, []).append(entry)
    listed = []
    for kind, heading in _KINDS.items():
        numbers = sorted((n for k, n in there if k == kind), key=_order)
        form = "({})" if kind in ("eq", "condition") else "{}"
        named = [(form.format(n) if n else "", there[kind, n]) for n in numbers]
        if named:
            listed.append((heading, named))
    return listed
