"""Papers: claims, errata, figures and tables under one key."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import Claim, Erratum

__all__ = ["Figure", "Item", "Paper", "Table"]


class Drawing(Protocol):
    """A function that computes a figure."""

    def __call__(self, *, quick: bool) -> FigureData:
        """Return the data of the figure."""


class Listing(Protocol):
    """A function that computes a table."""

    def __call__(self, *, quick: bool) -> TableData:
        """Return the data of the table."""


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, and the function that computes it."""

    id: str
    where: str
    build: Drawing


@dataclass(frozen=True)
class Table:
    """A table of a paper, and the function that computes it."""

    id: str
    where: str
    build: Listing


Item = Claim | Erratum | Figure | Table


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper: its claims, errata, figures and tables.

    Parameters
    ----------
    key
        Key of its bibliography entry, which is the name of its folder too.
    citation
        Authors, title, journal, year.
    outline
        Its places, such as sections and equations, in the order of the paper.
    further
        Whether it is not one of the five papers that the project reproduces; reports
        count further papers apart.
    claims, errata, figures, tables
        What is reproduced; ids begin with the key and differ.

    Examples
    --------
    >>> Paper(key="rosenblatt1958", citation="F. Rosenblatt").items()
    ()
    """

    key: str
    citation: str
    outline: str = ""
    further: bool = False
    claims: tuple[Claim, ...] = ()
    errata: tuple[Erratum, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()

    def __post_init__(self) -> None:
        names = Counter(item.id for item in self.items())
        for name, count in names.items():
            if not name.startswith(f"{self.key}/"):
                raise ValueError(
                    f"ids must begin with {self.key + '/'!r}, got {name!r}"
                )
            if count > 1:
                raise ValueError(f"ids must differ, got {name!r} {count} times")

    def items(self) -> tuple[Item, ...]:
        """Return everything, figures first."""
        return (*self.figures, *self.tables, *self.claims, *self.errata)
