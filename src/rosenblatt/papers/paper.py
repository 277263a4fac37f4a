"""Papers: claims, errata, figures and tables under one key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from rosenblatt.core.figures import FigureData, TableData
from rosenblatt.papers.claims import Claim, Erratum

__all__ = ["Display", "Figure", "Item", "Paper", "Table", "collected"]


Data = TypeVar("Data", FigureData, TableData, covariant=True)


class Build(Protocol[Data]):
    """A function that computes a figure or a table."""

    def __call__(self, *, quick: bool) -> Data:
        """Return the data."""


@dataclass(frozen=True)
class Display(Generic[Data]):
    """A figure or a table of a paper, and the function that computes it.

    Calling it calls the function.

    Examples
    --------
    >>> @Table.of("rosenblatt1958/table1", "table 1")
    ... def table_1(*, quick):
    ...     return TableData("Units", "No units.", ("unit",), ())
    >>> table_1.where, table_1(quick=True).title
    ('table 1', 'Units')
    """

    id: str
    where: str
    build: Build[Data]

    @classmethod
    def of(cls, id: str, where: str) -> Callable[[Build[Data]], Self]:
        """Return a decorator that makes a figure or a table of a function."""
        return lambda build: cls(id, where, build)

    def __call__(self, *, quick: bool = False) -> Data:
        """Return the data."""
        return self.build(quick=quick)


class Figure(Display[FigureData]):
    """A figure of a paper."""


class Table(Display[TableData]):
    """A table of a paper."""


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
        Items that are reproduced; ids begin with the key and differ.

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


def collected(
    key: str,
    about: str | None,
    outline: str,
    items: Iterable[Item],
    *,
    further: bool = False,
) -> Paper:
    """Return the paper of these items, each kind of them in the order given.

    Parameters
    ----------
    key, outline, further
        As in a :class:`Paper`.
    about
        Docstring of its folder; the second paragraph is the citation.
    items
        Figures, tables, claims and errata.

    Examples
    --------
    >>> from rosenblatt.papers import golea1993
    >>> collected("golea1993", golea1993.__doc__, "", golea1993.ERRATA).citation[:24]
    'M. Golea, M. Marchand: O'
    """
    given = tuple(items)
    return Paper(
        key=key,
        # no docstrings with python -OO
        citation=" ".join((about or "\n\n").split("\n\n")[1].split()),
        outline=outline,
        further=further,
        claims=tuple(item for item in given if isinstance(item, Claim)),
        errata=tuple(item for item in given if isinstance(item, Erratum)),
        figures=tuple(item for item in given if isinstance(item, Figure)),
        tables=tuple(item for item in given if isinstance(item, Table)),
    )
