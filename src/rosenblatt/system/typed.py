"""Plain values checked by type hints, for data that come from files."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from typing import Any


def fields_of(kind: Any) -> dict[str, Any] | None:
    """Return the type hint of each field of a dataclass or named tuple, else None.

    Examples
    --------
    >>> from rosenblatt.core import Clock
    >>> fields_of(Clock)
    {'time': <class 'float'>, 'mistakes': <class 'float'>, 'dim': <class 'float'>}
    """
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
    elif hasattr(kind, "_fields"):
        names = list(kind._fields)
    else:
        return None
    hints = typing.get_type_hints(kind)
    return {name: hints[name] for name in names}


def check_type(place: str, value: Any, hint: Any) -> None:
    """Raise an error unless a plain value has the type of a hint.

    A list stands for a tuple too, and a dictionary for a dataclass or named tuple, as
    in JSON. Whole numbers are accepted as floats; floats must be finite.

    Examples
    --------
    >>> check_type("rows", [1, 2], tuple[int, ...])
    >>> check_type("rows", [1, "2"], tuple[int, ...])
    Traceback (most recent call last):
    ValueError: rows[1] must be int, got '2'
    """
    if not _fits(place, value, hint):
        raise ValueError(f"{place} must be {describe_type(hint)}, got {value!r:.80}")


def _fits(place: str, value: Any, hint: Any) -> bool:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return True
    if hint is None or hint is type(None):
        return value is None
    if origin in (typing.Union, types.UnionType):
        return any(_passes(place, value, choice) for choice in inner)
    if hint is float:
        return type(value) in (int, float) and math.isfinite(value)
    if hint in (bool, int, str):
        return type(value) is hint
    if origin in (list, tuple):
        if not isinstance(value, list | tuple):
            return False
        several = origin is list or inner[-1] is Ellipsis
        if not several and len(inner) != len(value):
            return False
        for i, entry in enumerate(value):
            check_type(f"{place}[{i}]", entry, inner[0] if several else inner[i])
        return True
    if origin is dict:
        if not isinstance(value, dict):
            return False
        for key, entry in value.items():
            check_type(f"a key of {place}", key, inner[0])
            check_type(f"{place}[{key!r}]", entry, inner[1])
        return True
    fields = fields_of(hint)
    if fields is None:
        raise TypeError(f"{place} has a type that cannot be checked: {hint!r}")
    if not isinstance(value, dict) or value.keys() != fields.keys():
        return False
    for name, entry in value.items():
        check_type(f"{place}.{name}", entry, fields[name])
    return True


def _passes(place: str, value: Any, hint: Any) -> bool:
    try:
        return _fits(place, value, hint)
    except ValueError:
        return False


def describe_type(hint: Any) -> str:
    """Return a type hint in words, with the fields of what it names.

    Examples
    --------
    >>> describe_type(dict[str, int | None])
    'dict[str, int | None]'
    """
    fields = fields_of(hint)
    if fields is not None:
        inside = ", ".join(f"{k}: {describe_type(v)}" for k, v in fields.items())
        return f"{{{inside}}}"
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    words = [describe_type(one) for one in inner]
    if origin in (typing.Union, types.UnionType):
        return " | ".join(words)
    if inner:
        return f"{origin.__name__}[{', '.join(words)}]"
    if hint is Ellipsis:
        return "..."
    return "None" if hint in (None, type(None)) else hint.__name__
