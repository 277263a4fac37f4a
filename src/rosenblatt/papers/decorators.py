"""Decorators of the papers that do not register their statements yet."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rosenblatt.papers.claims import (
    Claim,
    Figure,
    Item,
    Kind,
    Measurement,
    Paper,
    Table,
)

__all__ = [
    "Draft",
    "Evidence",
    "allow",
    "claim",
    "collected",
    "erratum",
    "expect",
    "figure",
    "fill",
    "no_exceptions",
    "table",
]


@dataclass(frozen=True)
class Evidence:
    """One quantity for which the printed and the corrected form differ."""

    quantity: str
    printed: Measurement
    expected: Measurement
    measured: Measurement


@dataclass(frozen=True)
class Draft:
    """A function that measures, with some fields of its claim or erratum."""

    measure: Callable[[bool], Any]
    fields: Mapping[str, Any]


def _draft(given: Any, **fields: Any) -> Draft:
    if isinstance(given, Draft):
        return Draft(given.measure, {**given.fields, **fields})
    return Draft(given, fields)


def _paragraphs(function: Callable[..., Any]) -> list[str]:
    words = inspect.getdoc(function)
    if words is None and sys.flags.optimize < 2:
        raise ValueError(f"{function.__name__} must have a docstring")
    return [" ".join(part.split()) for part in (words or "\n\n").split("\n\n")]


def expect(expected: Any, **given: Any) -> Callable[[Any], Draft]:
    """Say what a correct program should find."""
    return lambda draft: _draft(draft, expected=expected, **given)


def no_exceptions(given: Any) -> Draft:
    """Expect that a statement has no exceptions; the function counts them."""
    return expect(0.0, catches=0.5)(given)


def allow(allowance: float, because: str) -> Callable[[Any], Draft]:
    """Allow a deviation that is known to be there, and say why it is."""
    return lambda given: _draft(given, allowance=allowance, because=because)


def fill(**values: Any) -> Callable[[Any], Any]:
    """Fill the ``{placeholders}`` of a docstring."""

    def filled(function: Any) -> Any:
        function.__doc__ = (function.__doc__ or "").format(**values) or None
        return function

    return filled


def claim(
    id: str, where: str, *, published: Any = None, rounding: float = 0.0
) -> Callable[[Draft], Claim]:
    """Make a claim of a function that measures."""
    return lambda draft: Claim(
        id=id,
        where=where,
        statement=_paragraphs(draft.measure)[0],
        measure=draft.measure,
        published=published,
        rounding=rounding,
        **draft.fields,
    )


def erratum(id: str, where: str) -> Callable[[Any], Claim]:
    """Make an erratum of a function that returns the evidence for it."""

    def made(given: Any) -> Claim:
        draft = _draft(given)
        printed, corrected = (*_paragraphs(draft.measure), "nothing")[:2]
        evidence = functools.lru_cache(maxsize=2)(draft.measure)

        @functools.wraps(draft.measure)
        def measure(quick: bool) -> Measurement:
            found: Measurement = evidence(quick).measured
            return found

        return Claim(
            id=id,
            where=where,
            statement=f"{printed} {corrected}",
            kind=Kind.ERROR,
            measure=measure,
            expected=lambda quick: evidence(quick).expected,
            formula=lambda quick: evidence(quick).printed,
            **draft.fields,
        )

    return made


def figure(id: str, where: str) -> Callable[[Any], Figure]:
    """Make a figure of a function."""
    return lambda build: Figure(id, where, build)


def table(id: str, where: str) -> Callable[[Any], Table]:
    """Make a table of a function."""
    return lambda build: Table(id, where, build)


def collected(
    key: str,
    about: str | None,
    outline: str,
    items: Iterable[Item],
    *,
    further: bool = False,
) -> Paper:
    """Return the paper of these items, each kind of them in the order given."""
    given = tuple(items)
    return Paper(
        key=key,
        # no docstrings with python -OO
        citation=" ".join((about or "\n\n").split("\n\n")[1].split()),
        outline=outline,
        further=further,
        statements=[item for item in given if isinstance(item, Claim)],
        figures=[item for item in given if isinstance(item, Figure)],
        tables=[item for item in given if isinstance(item, Table)],
    )
