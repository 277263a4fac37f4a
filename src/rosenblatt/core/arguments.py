"""Checks of arguments: errors give the name, the wanted kind and the given value."""

from __future__ import annotations

import itertools
import math
import operator
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, TypeVar, cast

import numpy as np

from rosenblatt.core.types import FloatArray

__all__ = [
    "Check",
    "below_half",
    "choice",
    "covariance",
    "either",
    "flag",
    "increasing",
    "instance",
    "number",
    "numbers",
    "part",
    "shown",
    "whole",
]

Kind = TypeVar("Kind")
Check = Callable[[str, Any], Any]  # of a name and a value; returns the checked value
_LETTERS = 120  # of a value in a message
_BRIEF = reprlib.Repr()
_BRIEF.maxlevel = 3
_BRIEF.maxlist = _BRIEF.maxtuple = _BRIEF.maxdict = _BRIEF.maxset = 8
_BRIEF.maxstring = _BRIEF.maxlong = _BRIEF.maxother = _LETTERS


def shown(value: object) -> str:
    """Return a value as one short line, for messages.

    Examples
    --------
    >>> shown(np.eye(2)), shown(list(range(1000)))
    ('array([[1., 0.], [0., 1.]])', '[0, 1, 2, 3, 4, 5, 6, 7, ...]')
    """
    try:
        text = " ".join(_BRIEF.repr(value).split())
    except ValueError:  # a number of too many digits
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]}..."


def flag(name: str, value: object) -> bool:
    """Return True or False.

    Examples
    --------
    >>> flag("weighted", 1)
    Traceback (most recent call last):
    TypeError: weighted must be True or False, got 1
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def number(
    name: str,
    value: float,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float = -math.inf,
) -> float:
    """Return a finite number within ``low <= value <= high`` and ``value > above``.

    Examples
    --------
    >>> number("noise", 0.7, low=0, high=0.5)
    Traceback (most recent call last):
    ValueError: noise must be a number from 0 to 0.5, got 0.7
    """
    wanted = "a finite number"
    if above > -math.inf:
        wanted = f"a number above {above:g}"
    elif low > -math.inf and high < math.inf:
        wanted = f"a number from {low:g} to {high:g}"
    elif low > -math.inf:
        wanted = f"a number not below {low:g}"
    # arrays would stay what they are in a part, which has to be hashable
    if isinstance(value, str | bytes | np.ndarray):
        raise TypeError(f"{name} must be {wanted}, got {shown(value)}")
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be {wanted}, got {shown(value)}") from None
    except OverflowError:
        raise ValueError(f"{name} must be {wanted}, got {shown(value)}") from None
    if not (math.isfinite(result) and low <= result <= high and result > above):
        raise ValueError(f"{name} must be {wanted}, got {shown(value)}")
    return result


def below_half(name: str, value: float) -> float:
    """Return the probability of a wrong label, which must be below 1/2.

    Examples
    --------
    >>> below_half("noise", 0.5)
    Traceback (most recent call last):
    ValueError: noise must be below 0.5, got 0.5: labels would tell nothing
    """
    if number(name, value, low=0, high=0.5) == 0.5:
        raise ValueError(
            f"{name} must be below 0.5, got 0.5: labels would tell nothing"
        )
    return float(value)


def choice(*known: str) -> Check:
    """Return the check that a value is one of these texts.

    Examples
    --------
    >>> choice("full", "diagonal")("covariance", "round")
    Traceback (most recent call last):
    ValueError: covariance must be one of 'full', 'diagonal', got 'round'
    """

    def check(name: str, value: Any) -> str:
        if isinstance(value, str) and value in known:
            return value
        kinds = ", ".join(map(repr, known))
        raise ValueError(f"{name} must be one of {kinds}, got {shown(value)}")

    return check


def either(word: str | None, check: Check) -> Check:
    """Return a check that also accepts a word, or None.

    Examples
    --------
    >>> either("auto", below_half)("noise", "auto")
    'auto'
    >>> either("auto", below_half)("noise", [1, 2])
    Traceback (most recent call last):
    TypeError: noise must be 'auto' or a number from 0 to 0.5, got [1, 2]
    """

    def checked(name: str, value: Any) -> Any:
        if value is None if word is None else isinstance(value, str) and value == word:
            return value
        try:
            return check(name, value)
        except (TypeError, ValueError) as fault:
            wanted = f"{name} must be "
            said = str(fault).replace(wanted, f"{wanted}{word!r} or ", 1)
            # another text is of the right type where one text is accepted
            other = isinstance(word, str) and isinstance(value, str)
            raise (ValueError if other else type(fault))(said) from None

    return checked


def whole(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """Return an integer not below ``low``; floats such as 1e6 count if exact.

    ``high`` is the largest one that is allowed.

    Examples
    --------
    >>> whole("dim", 0, low=1)
    Traceback (most recent call last):
    ValueError: dim must be a whole number not below 1, got 0
    """
    wanted = f"not below {low}" if high is None else f"from {low} to {high}"

    def refused(kind: type[Exception]) -> Exception:
        return kind(f"{name} must be a whole number {wanted}, got {shown(value)}")

    exact = isinstance(value, float) and value.is_integer()
    try:
        result = operator.index(int(value) if exact else value)
    except TypeError:
        raise refused(TypeError) from None
    if isinstance(value, bool):
        raise refused(TypeError)
    if result < low or (high is not None and result > high):
        raise refused(ValueError)
    return result


def numbers(name: str, values: Any, *shapes: tuple[int | None, ...]) -> FloatArray:
    """Return an array of numbers in double precision, of any shape.

    If shapes are given, numbers must be finite and of one of them; None is any length
    but 0.

    Examples
    --------
    >>> numbers("labels", ["no", "yes"])
    Traceback (most recent call last):
    TypeError: labels must be an array of numbers, got ['no', 'yes']
    >>> numbers("target", [1, 2], (3,), (None, 3))
    Traceback (most recent call last):
    ValueError: target must be finite numbers of shape (3,) or (any, 3), got shape (2,)
    """
    wanted = f"{name} must be an array of numbers"
    if shapes:
        words = " or ".join(map(str, dict.fromkeys(shapes))).replace("None", "any")
        wanted = f"{name} must be finite numbers of shape {words}"
    try:
        if isinstance(values, str | bytes | Mapping | Set) or np.ma.is_masked(values):
            raise TypeError
        array = np.asarray(values)
        missing = array.dtype == object and None in array.ravel().tolist()
        if array.dtype.kind == "c" or missing:
            raise TypeError
        found = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{wanted}, got {shown(values)}") from None
    if shapes:
        if not any(_fits(found.shape, shape) for shape in shapes):
            raise ValueError(f"{wanted}, got shape {found.shape}")
        if not np.isfinite(found).all():
            raise ValueError(f"{wanted}, got {shown(values)}")
    return found


def _fits(given: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    """Return whether an array has a shape in which None is any length but 0."""
    if len(given) != len(wanted):
        return False
    pairs = zip(given, wanted, strict=True)
    return all(a == b or (b is None and a > 0) for a, b in pairs)


def covariance(
    name: str, values: Any, size: int | None
) -> tuple[tuple[float, ...], ...]:
    """Return a symmetric positive definite matrix in rows; a number is a multiple of 1.

    Examples
    --------
    >>> covariance("noise", 4, 2)
    ((4.0, 0.0), (0.0, 4.0))
    >>> covariance("noise", [[1, 2], [2, 1]], None)
    Traceback (most recent call last):
    ValueError: noise must be positive definite, got [[1, 2], [2, 1]]
    """
    found = numbers(name, values, (size, size), *([()] if size else []))
    if found.ndim == 0 and size:
        found = found * np.eye(size)
    if found.shape[0] != found.shape[1] or not np.array_equal(found, found.T):
        raise ValueError(f"{name} must be a symmetric matrix, got {shown(values)}")
    if np.linalg.eigvalsh(found)[0] <= 0:
        raise ValueError(f"{name} must be positive definite, got {shown(values)}")
    return tuple(map(tuple, found.tolist()))


def increasing(name: str, values: float | Iterable[float]) -> FloatArray:
    """Return a non-empty array of finite numbers, not negative, each above the last.

    Examples
    --------
    >>> increasing("alpha", [1, 1])
    Traceback (most recent call last):
    ValueError: alpha must increase from each value to the next, got 1.0 then 1.0
    """
    given = list(values) if isinstance(values, Iterator) else values
    array = np.atleast_1d(numbers(name, given))
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be one or more numbers, got {shown(values)}")
    for bad in array[~(np.isfinite(array) & (array >= 0))]:
        raise ValueError(f"{name} must be finite and not negative, got {bad}")
    for before, after in itertools.pairwise(array):
        if after <= before:
            raise ValueError(
                f"{name} must increase from each value to the next, "
                f"got {before} then {after}"
            )
    return array


_EXAMPLES = {
    "Rule": "rb.rules.Perceptron()",
    "Schedule": "rb.schedules.Constant(0.5)",
    "Teacher": "rb.teachers.Sign(noise=0.1)",
    "Stream": "rb.streams.Gaussian(mean=1.0)",
}


def part(name: str, kind: Callable[..., Kind], value: object) -> Kind:
    """Return the value if it is of the kind wanted."""
    assert isinstance(kind, type)  # Callable only because base classes are abstract
    if not isinstance(value, kind):
        hint = ""
        if isinstance(value, type) and issubclass(value, kind):
            hint = f"; write {value.__name__}(), with parentheses"
        elif isinstance(value, str | float | int) and kind.__name__ in _EXAMPLES:
            hint = f"; write {_EXAMPLES[kind.__name__]}, for example"
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise TypeError(
            f"{name} must be {article} {kind.__name__}, got {shown(value)}{hint}"
        )
    return cast(Kind, value)


def instance(kind: Callable[..., Any]) -> Check:
    """Return the check that a value is of this kind.

    Examples
    --------
    >>> from rosenblatt.core import Rule
    >>> instance(Rule)("rule", [1, 2])
    Traceback (most recent call last):
    TypeError: rule must be a Rule, got [1, 2]
    """
    return lambda name, value: part(name, kind, value)
