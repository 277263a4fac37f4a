"""Checks of arguments: errors give the name, the wanted kind and the given value."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, TypeVar, cast

import numpy as np

from rosenblatt.core.types import FloatArray

__all__ = ["below_half", "flag", "increasing", "number", "numbers", "part", "whole"]

Kind = TypeVar("Kind")


def flag(name: str, value: object) -> bool:
    """Return True or False.

    Examples
    --------
    >>> flag("weighted", 1)
    Traceback (most recent call last):
    TypeError: weighted must be True or False, got 1
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")
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
        raise TypeError(f"{name} must be {wanted}, got {value!r}")
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be {wanted}, got {value!r}") from None
    except OverflowError:
        raise ValueError(f"{name} must be {wanted}, got {value!r}") from None
    if not (math.isfinite(result) and low <= result <= high and result > above):
        raise ValueError(f"{name} must be {wanted}, got {value!r}")
    return result


def below_half(name: str, value: float) -> float:
    """Return a probability below 1/2, of a wrong label that still informs.

    Examples
    --------
    >>> below_half("noise", 0.5)
    Traceback (most recent call last):
    ValueError: noise must be below 0.5, where labels inform, got 0.5
    """
    if number(name, value, low=0, high=0.5) == 0.5:
        raise ValueError(f"{name} must be below 0.5, where labels inform, got 0.5")
    return float(value)


def whole(name: str, value: Any, *, low: int) -> int:
    """Return an integer not below ``low``; floats such as 1e6 count if exact.

    Examples
    --------
    >>> whole("dim", 0, low=1)
    Traceback (most recent call last):
    ValueError: dim must be a whole number not below 1, got 0
    """
    wanted = f"{name} must be a whole number not below {low}, got {value!r}"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        result = operator.index(value)
    except TypeError:
        raise TypeError(wanted) from None
    if isinstance(value, bool):
        raise TypeError(wanted)
    if result < low:
        raise ValueError(wanted)
    return result


def numbers(name: str, values: Any) -> FloatArray:
    """Return an array of numbers in double precision, of any shape.

    Examples
    --------
    >>> numbers("labels", ["no", "yes"])
    Traceback (most recent call last):
    TypeError: labels must be an array of numbers, got list
    """
    try:
        if isinstance(values, str | bytes | Mapping | Set) or np.ma.is_masked(values):
            raise TypeError
        array = np.asarray(values)
        if array.dtype.kind == "c":
            raise TypeError
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        given = type(values).__name__
        raise TypeError(f"{name} must be an array of numbers, got {given}") from None


def increasing(name: str, values: float | Iterable[float]) -> FloatArray:
    """Return a non-empty array of finite numbers, not negative, each above the last.

    Examples
    --------
    >>> increasing("alpha", [1, 1])
    Traceback (most recent call last):
    ValueError: alpha must increase from each value to the next, got 1.0 then 1.0
    """
    try:
        if isinstance(values, str | bytes | Mapping | Set) or np.ma.is_masked(values):
            raise TypeError
        given = list(values) if isinstance(values, Iterator) else values
        array = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be numbers, got {values!r}") from None
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be one or more numbers, got {values!r}")
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
            f"{name} must be {article} {kind.__name__}, got {value!r}{hint}"
        )
    return cast(Kind, value)
