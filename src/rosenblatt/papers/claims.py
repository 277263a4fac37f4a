r"""Statements of papers: how they are written, measured and judged.

A statement is written beside the function that measures it. It registers itself::

    PAPER = Paper(key="key2000", citation="...", outline="section 1, eq. (1)")

    @PAPER.claim("eq1/limit", "eq. (1)", quote="tends to 2", published=2.0,
                 expect=lambda: 4 * math.atan(1) - 1.14, allow=(0.01, "a limit"))
    def _limit(quick: bool) -> tuple[float, float]:
        \"\"\"The error falls as 2/alpha: alpha times the error at alpha = 1000.\"\"\"
        return 2.001, 0.002  # a number, or a number and its standard error

A *claim* repeats what the paper says, an *erratum* says where the paper is wrong or
unclear, and an *extension*, which quotes nothing, is ours.

Three numbers are compared: what the paper gives, what is *expected* of a correct
program by an independent path, and what this program *measured*. With :math:`s` their
combined standard error, two of them agree if

.. math:: |a - b| \le 5 s + \text{allowance}.   \tag{1}

=====================  ======================  =======================  ==============
measured and expected  measured and paper      paper and expected       verdict
=====================  ======================  =======================  ==============
disagree                                                                not reproduced
agree                  (paper has no number)                            reproduced
agree                  agree                   agree                    reproduced
agree                  disagree                disagree                 erratum
agree                  one of them only: the measurement cannot tell    not reproduced
=====================  ======================  =======================  ==============

A claim in words, such as "in most cases", has a bound instead of an expected number. It
is reproduced if the measured number is on the right side of the bound by more than
five standard errors: a one-sided test.

Nothing passes by default. A number that is missing or not finite, a negative standard
error and an exception are "not reproduced". A measurement is also "not reproduced" if
it is too noisy to detect the deviation that it has to detect. An erratum stands only in
the row "erratum".
"""

from __future__ import annotations

import inspect
import itertools
import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from rosenblatt.core.figures import FigureData, TableData

__all__ = [
    "NO_EXCEPTIONS",
    "TOLERANCE",
    "Claim",
    "Display",
    "Figure",
    "Item",
    "Kind",
    "Measurement",
    "Outcome",
    "Paper",
    "Table",
    "Verdict",
    "judge",
    "settle",
]

_ID = re.compile(r"[a-z]+[0-9]{4}(/[a-z0-9][a-z0-9.-]*)+")
NO_EXCEPTIONS: dict[str, Any] = {"expect": 0.0, "catches": 0.5}  # of counted ones
TOLERANCE = 5.0  # standard errors, as in all statistical tests of the project
_WORDS = 15  # of a quotation
_BLUR = 0.1  # how wide eq. (1) may be, relative to the number, if a claim says no more


class Kind(StrEnum):
    """Kind of a statement. Only errors count as mistakes of a paper."""

    CLAIM = "claim"
    ERROR = "error"  # a consequence follows from it
    MISPRINT = "misprint without consequence"
    GAP = "gap in a proof"  # the result stands
    ASSUMPTION = "unstated assumption"
    WORDING = "imprecise wording"
    OVERSTATEMENT = "overstatement"
    READING = "open reading"
    EXTENSION = "extension"  # ours, not the paper's


class Verdict(StrEnum):
    """Verdict on a statement."""

    REPRODUCED = "reproduced"
    ERRATUM = "erratum"
    NOT_REPRODUCED = "not reproduced"


@dataclass(frozen=True)
class Measurement:
    """A number and its standard error, 0 for what is computed and not sampled.

    Examples
    --------
    >>> Measurement(1.27, float("nan")).sound
    False
    """

    value: float
    stderr: float = 0.0

    @property
    def sound(self) -> bool:
        """True if both are finite and the standard error is not negative."""
        return (
            math.isfinite(self.value)
            and math.isfinite(self.stderr)
            and self.stderr >= 0
        )


Number = float | tuple[float, float] | Measurement
Value = Number | Callable[..., Number]  # called with `quick` and the case, by name


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement of a paper, or about it, with its measurement.

    Parameters
    ----------
    id
        Paper's key and names, such as ``"barkai1995/fig1/asymptote"``.
    where
        Place in the paper.
    statement
        The claim in words; of an erratum, what is correct.
    measure
        Function that measures it. This function, and numbers that are functions, are
        called with ``quick`` and the values of ``case`` that they have parameters for.
    expected
        Number that a correct program should find, by a path independent of ``measure``.
        With a ``side``, the bound.
    quote
        The printed words at issue, at most 15, or the formula; none in an extension.
    kind
        What it is; :class:`Kind` lists the kinds of errata.
    evidence
        Of an erratum: the quantity that decides.
    published
        Number that the paper prints.
    formula
        Number that a printed formula gives at our parameters.
    side
        1 if the measured number must exceed ``expected``, -1 if it must be below it.
    allowance
        Deviation that is known to be there besides, and ...
    because
        ... why: approximations in ``expected``, not convenience.
    rounding
        Half a unit in the last place that the paper prints.
    catches
        Smallest deviation that must be detected; by default a tenth of the expected
        number.
    fails
        Why the claim is known not to be reproduced; empty if it should be.
    long
        Whether only a full run decides; a quick one leaves it out.
    case
        Values, by name, of one of several cases.

    Examples
    --------
    >>> Claim(id="rosenblatt1958/pi", where="nowhere", statement="pi is 3.14",
    ...       quote="3.14", published=3.14, rounding=0.005, expected=math.pi,
    ...       measure=lambda quick: (22 / 7, 0.001)).paper
    'rosenblatt1958'
    """

    id: str
    where: str
    statement: str
    measure: Callable[..., Number]
    expected: Value
    quote: str = ""
    kind: Kind = Kind.CLAIM
    evidence: str = ""
    published: Value | None = None
    formula: Value | None = None
    side: int = 0
    allowance: float = 0.0
    because: str = ""
    rounding: float = 0.0
    catches: float | None = None
    fails: str = ""
    long: bool = False
    case: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(
                f"id must be like 'barkai1995/fig1/asymptote', got {self.id!r}"
            )
        for name in ("allowance", "rounding"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(
                    f"{name} must be finite and >= 0, got {getattr(self, name)}"
                )
        if self.allowance > 0 and not self.because:
            raise ValueError(
                f"because must give the reason of an allowance, here {self.allowance}"
            )
        if self.catches is not None and not 0 < self.catches < math.inf:
            raise ValueError(f"catches must be finite and > 0, got {self.catches}")
        if self.side not in (-1, 0, 1):
            raise ValueError(f"side must be -1, 0 or 1, got {self.side}")
        if len(self.quote.split()) > _WORDS and "=" not in self.quote:
            raise ValueError(
                f"quote must have at most {_WORDS} words, got {self.quote}"
            )
        if self.erratum and self.published is None and self.formula is None:
            raise ValueError("an erratum must have published or formula")

    @property
    def paper(self) -> str:
        """Key of the paper."""
        return self.id.partition("/")[0]

    @property
    def erratum(self) -> bool:
        """True if it says that the paper is wrong, incomplete or unclear."""
        return self.kind not in (Kind.CLAIM, Kind.EXTENSION)

    @property
    def due(self) -> Verdict:
        """Verdict that this version of the project gives."""
        if self.fails:
            return Verdict.NOT_REPRODUCED
        return Verdict.ERRATUM if self.erratum else Verdict.REPRODUCED


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Verdict on a statement, with its reason and its numbers."""

    item: Claim
    verdict: Verdict
    reason: str
    seconds: float = 0.0
    published: Measurement | None = None
    formula: Measurement | None = None
    expected: Measurement | None = None
    measured: Measurement | None = None

    @property
    def window(self) -> tuple[float, float] | None:
        """Ends of the numbers that could have been measured without a contradiction."""
        if self.expected is None or self.measured is None:
            return None
        item = self.item
        error = math.hypot(self.expected.stderr, self.measured.stderr)
        width = TOLERANCE * error + (0.0 if item.side else item.allowance)
        bound = self.expected.value
        if item.side > 0:
            return bound + width, math.inf
        if item.side < 0:
            return -math.inf, bound - width
        return bound - width, bound + width

    @property
    def word(self) -> str:
        """Verdict; an erratum that stands has the name of its kind."""
        stands = self.verdict is Verdict.ERRATUM
        return self.item.kind.value if stands else self.verdict.value

    @property
    def surprising(self) -> bool:
        """True if the verdict is not the one that the ledger states."""
        return self.verdict is not self.item.due


def judge(
    measured: Measurement,
    expected: Measurement,
    published: Measurement | None = None,
    *,
    allowance: float = 0.0,
    rounding: float = 0.0,
    catches: float = math.inf,
    side: int = 0,
) -> tuple[Verdict, str]:
    """Return the verdict of the table above, and the reason for it.

    Parameters
    ----------
    measured, expected, published
        The three numbers; ``published`` is what the paper gives.
    allowance, rounding, catches, side
        Those of a :class:`Claim`.

    Examples
    --------
    >>> judge(Measurement(2.01, 0.01), Measurement(2), Measurement(3), catches=0.1)
    (<Verdict.ERRATUM: 'erratum'>, 'as expected (+0.01, +1.0 standard errors), ...')
    """
    given = {"measured": measured, "expected": expected, "published": published}
    for name, number in given.items():
        if number is not None and not number.sound:
            return Verdict.NOT_REPRODUCED, f"{name} is {number}"

    def apart(a: Measurement, b: Measurement, allowed: float) -> bool:
        """Return whether eq. (1) is violated."""
        window = TOLERANCE * math.hypot(a.stderr, b.stderr) + allowed
        return abs(a.value - b.value) > window

    error = math.hypot(measured.stderr, expected.stderr)
    off = measured.value - expected.value
    size = f"{off:+.2g}" + (f", {off / error:+.1f} standard errors" if error else "")
    if side:
        if side * off > TOLERANCE * error:
            return Verdict.REPRODUCED, f"beyond the bound ({size})"
        return Verdict.NOT_REPRODUCED, f"not clearly beyond the bound ({size})"
    window = TOLERANCE * error + allowance
    if window > catches:
        return Verdict.NOT_REPRODUCED, (
            f"too noisy: a deviation of {catches:.2g} must be caught, "
            f"{window:.2g} would pass"
        )
    if apart(measured, expected, allowance):
        return Verdict.NOT_REPRODUCED, f"not as expected ({size})"
    if published is None:
        return Verdict.REPRODUCED, f"as expected ({size})"
    unlike, conflict = (
        apart(number, published, allowance + rounding)
        for number in (measured, expected)
    )
    if unlike and conflict:
        return Verdict.ERRATUM, f"as expected ({size}), not as the paper has it"
    if unlike or conflict:
        return Verdict.NOT_REPRODUCED, "cannot tell what is published from what is not"
    return Verdict.REPRODUCED, f"as expected and published ({size})"


def _named(value: Any, known: Mapping[str, Any]) -> Any:
    """Return a value; a function is called with the known values that it accepts."""
    if not callable(value):
        return value
    wanted = inspect.signature(value).parameters
    return value(**{name: known[name] for name in wanted if name in known})


def _judged(claim: Claim, quick: bool) -> Outcome:
    def number(value: Value | None) -> Measurement | None:
        found = _named(value, {"quick": quick, **claim.case})
        if found is None or isinstance(found, Measurement):
            return found
        return Measurement(*map(float, found if isinstance(found, tuple) else [found]))

    measured, expected = number(claim.measure), number(claim.expected)
    published, formula = number(claim.published), number(claim.formula)
    if measured is None or expected is None:
        raise ValueError("measured and expected must be numbers, got None")
    catches = _BLUR * abs(expected.value) if claim.catches is None else claim.catches
    verdict, reason = judge(
        measured,
        expected,
        formula if published is None else published,
        allowance=claim.allowance,
        rounding=claim.rounding,
        # a noisy measurement of an erratum agrees with the printed form as well
        catches=math.inf if claim.erratum else catches,
        side=claim.side,
    )
    if claim.erratum and verdict is Verdict.REPRODUCED:
        reason = f"the printed form cannot be told from the correct one: {reason}"
    if verdict is not (Verdict.ERRATUM if claim.erratum else Verdict.REPRODUCED):
        verdict = Verdict.NOT_REPRODUCED
    return Outcome(
        item=claim,
        verdict=verdict,
        reason=reason,
        published=published,
        formula=formula,
        expected=expected,
        measured=measured,
    )


def settle(item: Claim, *, quick: bool) -> Outcome:
    """Measure and judge; whatever goes wrong is an outcome too.

    Examples
    --------
    >>> def broken(quick):
    ...     raise ArithmeticError("no such curve")
    >>> claim = Claim(id="rosenblatt1958/x", where="nowhere", statement="x is 1",
    ...               quote="x = 1", published=1, expected=1, measure=broken)
    >>> outcome = settle(claim, quick=True)
    >>> outcome.verdict.value, outcome.reason
    ('not reproduced', 'ArithmeticError: no such curve')
    """
    began = time.perf_counter()
    try:
        outcome = _judged(item, quick)
    except Exception as failure:
        outcome = Outcome(
            item=item,
            verdict=Verdict.NOT_REPRODUCED,
            reason=f"{type(failure).__name__}: {failure}",
        )
    return replace(outcome, seconds=time.perf_counter() - began)


Data = TypeVar("Data", FigureData, TableData)


@dataclass(frozen=True)
class Display(Generic[Data]):
    """A figure or a table of a paper. Calling it calls the function that computes it.

    Examples
    --------
    >>> made = Table("rosenblatt1958/table1", "table 1",
    ...              lambda *, quick: TableData("Units", "None.", ("unit",), ()))
    >>> made.where, made(quick=True).title
    ('table 1', 'Units')
    """

    id: str
    where: str
    build: Callable[..., Data]  # called with ``quick``, by name

    def __call__(self, *, quick: bool = False) -> Data:
        """Return the data."""
        return self.build(quick=quick)


@dataclass(frozen=True)
class Figure(Display[FigureData]):
    """A figure of a paper; ``finding`` says in a sentence what is surprising in it."""

    finding: str = ""


class Table(Display[TableData]):
    """A table of a paper."""


Item = Claim | Figure | Table
Added = TypeVar("Added", Claim, Figure, Table)
Measure = TypeVar("Measure", bound=Callable[..., Number])
Cases = Mapping[str, Iterable[Any]]  # values by name, or tuples by several names


def _flat(each: Cases, values: tuple[Any, ...]) -> list[Any]:
    """Return the values of a case; those of several names are in a tuple."""
    pairs = zip(each, values, strict=True)
    return [v for name, value in pairs for v in (value if "," in name else (value,))]


def _paragraphs(function: Callable[..., Any]) -> list[str]:
    """Return two paragraphs of a docstring, each as one line.

    They are empty with ``python -OO``, which leaves out all docstrings.
    """
    words = inspect.getdoc(function)
    if words is None and sys.flags.optimize < 2:
        raise ValueError(f"{function.__name__} must have a docstring")
    parts = [" ".join(part.split()) for part in (words or "").split("\n\n")]
    return [*parts, ""][:2]


@dataclass(kw_only=True)
class Paper:
    """A paper: its statements, figures and tables, which register themselves.

    Parameters
    ----------
    key
        Key of its bibliography entry, which is the name of its folder too.
    citation
        Authors, title, journal, year.
    outline
        Its places, such as sections and equations, in the order of the paper.
    statements, figures, tables
        Items that are reproduced; ids begin with the key and differ.

    Examples
    --------
    >>> paper = Paper(key="rosenblatt1958", citation="F. Rosenblatt")
    >>> @paper.claim("squares/{k}", "nowhere", quote="never negative",
    ...              each={"k": (2, 3)}, expect=lambda k: k * k)
    ... def square(k):
    ...     '''The square of {k}.'''
    ...     return sum(k for _ in range(k))
    >>> [claim.statement for claim in paper.claims]
    ['The square of 2.', 'The square of 3.']
    >>> settle(paper.claims[1], quick=True).verdict.value
    'reproduced'
    """

    key: str
    citation: str
    outline: str = ""
    statements: Sequence[Claim] = field(default_factory=list)
    figures: Sequence[Figure] = field(default_factory=list)
    tables: Sequence[Table] = field(default_factory=list)

    @property
    def claims(self) -> list[Claim]:
        """Claims and extensions."""
        return [item for item in self.statements if not item.erratum]

    @property
    def errata(self) -> list[Claim]:
        """Errata of all kinds."""
        return [item for item in self.statements if item.erratum]

    def items(self) -> tuple[Item, ...]:
        """Return everything, figures first."""
        return (*self.figures, *self.tables, *self.claims, *self.errata)

    def _add(self, item: Added) -> Added:
        if any(item.id == other.id for other in self.items()):
            raise ValueError(f"ids must differ, got {item.id!r} twice")
        kinds = {Claim: self.statements, Figure: self.figures, Table: self.tables}
        kinds[type(item)].append(item)  # type: ignore[attr-defined]
        return item

    def claim(
        self,
        id: str,
        where: str,
        *,
        quote: str | Callable[..., str] = "",
        kind: Kind | None = None,
        expect: Value | None = None,
        above: Value | None = None,
        below: Value | None = None,
        published: Value | None = None,
        formula: Value | None = None,
        allow: tuple[Any, str] = (0.0, ""),
        catches: Any = None,
        rounding: float = 0.0,
        fails: str | Callable[..., str] = "",
        long: bool = False,
        each: Cases | None = None,
    ) -> Callable[[Measure], Measure]:
        """Register the claim that a function measures; its docstring says what.

        Parameters
        ----------
        id
            Names after the paper's key. With ``each``, they may have placeholders.
        where, quote, published, formula, catches, rounding, fails, long
            As in a :class:`Claim`. Numbers may be functions of ``quick`` and the case,
            ``quote`` and ``fails`` of the case.
        kind
            By default a claim, or an extension if nothing is quoted.
        expect
            Expected number; by default the published one or that of the formula.
        above, below
            Instead, a bound on the measured number.
        allow
            Allowance, and the reason for it.
        each
            Cases: values by name, of which all combinations are taken. ``"a,b"`` names
            the values of tuples. The function gets them by name.
        """
        bounds = [bound for bound in (above, below) if bound is not None]
        side = 0 if not bounds else 1 if above is not None else -1
        expected = next(
            (x for x in (expect, *bounds, published, formula) if x is not None), None
        )
        if expected is None:
            raise ValueError(f"{id} must have expect, above, below or published")

        names = ",".join(each or {}).split(",") if each else []
        cases = [
            dict(zip(names, _flat(each or {}, values), strict=True))
            for values in itertools.product(*(each or {}).values())
        ]

        def register(function: Measure) -> Measure:
            first, second = _paragraphs(function)
            for case in cases:
                words = {**vars(sys.modules[function.__module__]), **case}
                self._add(
                    Claim(
                        id=f"{self.key}/{id.format(**case)}",
                        where=where.format(**case),
                        statement=first.format_map(words),
                        evidence=second.format_map(words) if kind else "",
                        measure=function,
                        expected=expected,
                        quote=_named(quote, case),
                        kind=kind or (Kind.CLAIM if quote else Kind.EXTENSION),
                        published=published,
                        formula=formula,
                        side=side,
                        allowance=_named(allow[0], case),
                        because=allow[1],
                        rounding=rounding,
                        catches=_named(catches, case),
                        fails=_named(fails, case),
                        long=long,
                        case=case,
                    )
                )
            return function

        return register

    def erratum(
        self, id: str, where: str, *, quote: Any, kind: Kind, **given: Any
    ) -> Callable[[Measure], Measure]:
        """Register an erratum, with a function that measures what decides.

        The first paragraph of its docstring is the correct form, the second the
        quantity that is measured. Parameters are those of :meth:`claim`, of which
        ``published`` or ``formula`` is what the paper's form gives.
        """
        return self.claim(f"erratum/{id}", where, quote=quote, kind=kind, **given)

    def figure(
        self, id: str, where: str, *, finding: str = ""
    ) -> Callable[[Callable[..., FigureData]], Figure]:
        """Register a figure, with the function that computes it.

        Those with a ``finding`` stand at the top of a report.
        """
        name = f"{self.key}/{id}"
        return lambda build: self._add(Figure(name, where, build, finding))

    def table(self, id: str, where: str) -> Callable[[Callable[..., TableData]], Table]:
        """Register a table, with the function that computes it."""
        return lambda build: self._add(Table(f"{self.key}/{id}", where, build))
