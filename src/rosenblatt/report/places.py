"""Places in a paper, parsed from words such as "eq. (3)", and their reading order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["in_order", "locations", "position", "section"]

_KINDS = "section|condition|lemma|theorem|corollary|footnote|eq|figure|table"
_NUMBER = r"\(?(\d+(?:\.\d+)*[a-z]?)\)?"
_PLACE = re.compile(
    rf"\b({_KINDS})s?\.?((?:(?:,| and| to)? {_NUMBER})+)|\b(abstract)\b"
)
_EACH = re.compile(rf"( to)? {_NUMBER}")

Entry = TypeVar("Entry")

_LATE = re.compile(r"\b(end|last)\b")


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


def position(where: str, outline: str) -> float:
    """Return the position in a paper that words describe; infinity if unknown.

    Parameters
    ----------
    where
        Words for a place, of which the first counts if there are several.
    outline
        The paper's places in their order.

    Examples
    --------
    >>> outline = "abstract, section 1, eqs. (1) to (3), section 2, figure 1"
    >>> [position(where, outline) for where in ("section 1", "text after eq. (2)",
    ...                                         "section 1, last paragraph")]
    [1.0, 3.5, 4.75]
    """
    anchors = locations(outline)
    named = locations(re.split(r",? and ", where)[0])  # the first of several places
    known = [place for place in named if place in anchors]
    if not known:
        return math.inf
    at = anchors.index(known[-1])  # "section 4, after figure 2": the closest one
    kind, number = anchors[at]
    if kind == "section" and _LATE.search(where):
        # just before the next section that is not part of this one
        for later, (other, its_number) in enumerate(anchors[at + 1 :], at + 1):
            if other == "section" and not its_number.startswith(f"{number}."):
                return later - 0.25
        return len(anchors) - 0.25
    if "before" in where:
        return at - 0.5
    return at + (0.5 if "after" in where else 0.0)


def in_order(entries: Iterable[tuple[str, Entry]], outline: str) -> list[Entry]:
    """Return entries, each given with words for its location, in reading order.

    Examples
    --------
    >>> in_order([("eq. (2)", "b"), ("abstract", "a")], "abstract, eqs. (1) to (2)")
    ['a', 'b']
    """
    given = list(entries)
    return [
        entry for _, entry in sorted(given, key=lambda one: position(one[0], outline))
    ]


def section(where: str, outline: str) -> str:
    """Return the heading of the section that words describe; empty if there is none.

    Examples
    --------
    >>> section("text after eq. (2)", "abstract, section 1, eqs. (1) to (2)")
    'Section 1'
    """
    at, found = position(where, outline), ""
    if math.isinf(at):
        return ""
    for index, (kind, number) in enumerate(locations(outline)):
        if index > at:
            break
        if kind == "abstract":
            found = "Abstract"
        if kind == "section":
            found = f"Section {number}"
    return found
