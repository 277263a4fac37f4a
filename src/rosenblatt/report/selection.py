"""Selection of papers, and of parts of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from rosenblatt import papers
from rosenblatt.papers.claims import Claim, Figure, Paper, Table

__all__ = ["available", "select"]

Kind = TypeVar("Kind", Claim, Figure, Table)


def available() -> tuple[Paper, ...]:
    """Return all papers that :mod:`rosenblatt.papers` names.

    Examples
    --------
    >>> [paper.key for paper in available()][0]
    'barkai1995'
    """
    return tuple(getattr(papers, name).PAPER for name in papers.__all__)


def _covers(target: str, name: str) -> bool:
    return name == target or name.startswith(f"{target}/")


def _unknown(target: str, names: Sequence[str]) -> str:
    """Return the error message of an unknown target, with its alternatives."""
    known, rest = "", target
    while rest and any(_covers(known + rest.split("/")[0], name) for name in names):
        first, _, rest = rest.partition("/")
        known += f"{first}/"
    begun = [name.removeprefix(known) for name in names if name.startswith(known)]
    level = dict.fromkeys(name.split("/")[0] for name in begun)
    under = f" under {known}" if known else ""
    return f"there is no target {target!r}; possible{under}: {', '.join(level)}"


def select(
    targets: Sequence[str] = (),
    library: Sequence[Paper] | None = None,
    *,
    exhibits: bool = True,
) -> tuple[Paper, ...]:
    """Return the papers with the selected items only.

    Parameters
    ----------
    targets
        Keys of papers, ids, or whatever ids begin with up to a slash; all if empty.
    library
        Papers to choose from; by default all.
    exhibits
        Whether figures and tables are wanted beside claims and errata.

    Examples
    --------
    >>> [claim.id for claim in select(["barkai1995/fig1/asymptote"])[0].claims]
    ['barkai1995/fig1/asymptote']
    """
    library = available() if library is None else library
    if not exhibits:
        library = [replace(paper, figures=(), tables=()) for paper in library]
    asked = [target.rstrip("/") for target in targets]
    names = [paper.key for paper in library]
    names += [item.id for paper in library for item in paper.items()]
    for target in asked:
        if not any(_covers(target, name) for name in names):
            raise ValueError(_unknown(target, names))

    def chosen(items: Iterable[Kind]) -> tuple[Kind, ...]:
        return tuple(
            item
            for item in items
            if not asked or any(_covers(target, item.id) for target in asked)
        )

    pared = (
        replace(
            paper,
            statements=chosen(paper.statements),
            figures=chosen(paper.figures),
            tables=chosen(paper.tables),
        )
        for paper in library
    )
    return tuple(paper for paper in pared if paper.items())
