"""Decorators that make claims and errata of functions.

A claim is written where it is measured. The function measures, its docstring says what
is claimed, and the decorators say the rest::

    @claim("key2000/eq4/constant", "eq. (4), page 3", published=2.0)
    @expect(2.0, catches=0.01)
    @allow(1e-3, "the law is a limit, and 1/alpha is left out")
    def _constant(quick: bool) -> Measurement:
        \"\"\"The error falls as 2/alpha: alpha times the error at alpha = 1000.\"\"\"

``_constant`` is then a :class:`~rosenblatt.papers.claims.Claim`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rosenblatt.papers.claims import (
    TOLERANCE,
    Claim,
    Erratum,
    Evidence,
    Kind,
    Measurement,
    Value,
)

__all__ = ["Draft", "allow", "claim", "erratum", "expect", "fill", "no_exceptions"]

Found = TypeVar("Found", Measurement, Evidence)
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Draft(Generic[Found]):
    """A function that measures, with some fields of its claim or erratum."""

    measure: Callable[[bool], Found]
    fields: Mapping[str, Any]


Given = Callable[[bool], Found] | Draft[Found]


def _draft(given: Given[Found], **fields: Any) -> Draft[Found]:
    if isinstance(given, Draft):
        return Draft(given.measure, {**given.fields, **fields})
    return Draft(given, fields)


def _paragraphs(function: Callable[..., Any]) -> list[str]:
    """Return the paragraphs of a docstring, each as one line.

    They are empty with ``python -OO``, which leaves out all docstrings.
    """
    words = inspect.getdoc(function)
    if words is None and sys.flags.optimize < 2:
        raise ValueError(f"{function.__name__} must have a docstring")
    return [" ".join(part.split()) for part in (words or "\n\n").split("\n\n")]


def _form(label: str, paragraph: str) -> str:
    """Return what a paragraph says after its label."""
    if paragraph and not paragraph.startswith(label):
        raise ValueError(f"paragraph must begin with {label!r}, got {paragraph!r}")
    return paragraph.removeprefix(label).removesuffix(".")


def expect(
    expected: Value | Measurement,
    *,
    catches: float | None = None,
    tolerance: float = TOLERANCE,
) -> Callable[[Given[Measurement]], Draft[Measurement]]:
    """Say what a correct program should find.

    Parameters
    ----------
    expected, catches, tolerance
        As in a :class:`~rosenblatt.papers.claims.Claim`.

    Examples
    --------
    >>> @expect(0.5, catches=0.01)
    ... def half(quick):
    ...     return Measurement(1 / 2, 0.0)
    >>> half.fields["expected"]
    0.5
    """
    return lambda given: _draft(
        given, expected=expected, catches=catches, tolerance=tolerance
    )


def no_exceptions(given: Given[Measurement]) -> Draft[Measurement]:
    """Expect that a statement has no exceptions; the function counts them.

    Examples
    --------
    >>> @claim("rosenblatt1958/squares", "nowhere")
    ... @no_exceptions
    ... def squares(quick):
    ...     '''Squares are not negative: exceptions up to 10.'''
    ...     return Measurement(sum(k * k < 0 for k in range(11)), 0.0)
    >>> squares.expected, squares.catches
    (0.0, 0.5)
    """
    return expect(0.0, catches=0.5)(given)


def allow(allowance: float, because: str) -> Callable[[Given[Found]], Draft[Found]]:
    """Allow a deviation that is known to be there, and say why it is.

    Examples
    --------
    >>> @allow(1e-12, "sums are rounded")
    ... def exact(quick):
    ...     return Measurement(0.1 + 0.2, 0.0)
    >>> exact.fields["because"]
    'sums are rounded'
    """
    return lambda given: _draft(given, allowance=allowance, because=because)


def fill(**values: Any) -> Callable[[Function], Function]:
    """Fill the ``{placeholders}`` of a docstring, which cannot be an f-string.

    Examples
    --------
    >>> @fill(rate=0.5)
    ... def error(quick):
    ...     '''The error at the rate {rate:g}.'''
    >>> error.__doc__
    'The error at the rate 0.5.'
    """

    def filled(function: Function) -> Function:
        function.__doc__ = (function.__doc__ or "").format(**values) or None
        return function

    return filled


def claim(
    id: str,
    where: str,
    *,
    published: Value | None = None,
    rounding: float = 0.0,
    kind: Kind = Kind.REPRODUCTION,
) -> Callable[[Draft[Measurement]], Claim]:
    """Make a claim of a function that measures.

    The first paragraph of its docstring is the statement.

    Parameters
    ----------
    id, where, published, rounding, kind
        As in a :class:`~rosenblatt.papers.claims.Claim`.

    Examples
    --------
    >>> @claim("rosenblatt1958/pi", "nowhere", published=3.14, rounding=0.005)
    ... @expect(355 / 113, catches=1e-3)
    ... @allow(1e-6, "a fraction of small numbers")
    ... def pi(quick):
    ...     '''The circumference of a circle, over its diameter.'''
    ...     return Measurement(3.141593, 0.0)
    >>> pi.statement
    'The circumference of a circle, over its diameter.'
    """
    return lambda draft: Claim(
        id=id,
        where=where,
        statement=_paragraphs(draft.measure)[0],
        measure=draft.measure,
        published=published,
        rounding=rounding,
        kind=kind,
        **draft.fields,
    )


def erratum(id: str, where: str) -> Callable[[Given[Evidence]], Erratum]:
    """Make an erratum of a function that returns the evidence for it.

    The first two paragraphs of its docstring are what is printed and what is correct.

    Parameters
    ----------
    id, where
        As in an :class:`~rosenblatt.papers.claims.Erratum`.

    Examples
    --------
    >>> @erratum("rosenblatt1958/erratum/sum", "nowhere")
    ... def added(quick):
    ...     '''Printed: 1 + 1 = 3.
    ...
    ...     Correct: 1 + 1 = 2.
    ...     '''
    >>> added.statement
    'Printed: 1 + 1 = 3. Correct: 1 + 1 = 2.'
    """

    def made(given: Given[Evidence]) -> Erratum:
        draft = _draft(given)
        printed, corrected = (*_paragraphs(draft.measure), "nothing")[:2]
        return Erratum(
            id=id,
            where=where,
            printed=_form("Printed: ", printed),
            corrected=_form("Correct: ", corrected),
            evidence=draft.measure,
            **draft.fields,
        )

    return made
