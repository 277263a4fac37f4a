"""Records as plain values for files, and back, checked by type hints."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import types
import typing
from typing import Any

_PLAIN = (bool, int, str, types.NoneType)


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


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: records as dictionaries, tuples as lists.

    Examples
    --------
    >>> from rosenblatt.core import Update
    >>> plain([Update(gain=1.0, decay=0.5)])
    [{'gain': 1.0, 'decay': 0.5}]
    """
    fields = fields_of(type(value))
    if fields is not None:
        return {name: plain(getattr(value, name)) for name in fields}
    if isinstance(value, list | tuple):
        return list(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    return value


def typed(place: str, value: Any, hint: Any) -> Any:
    """Return a plain value as the type of a hint; raise ValueError if it does not fit.

    A list stands for a tuple too, and a dictionary for a dataclass or named tuple, as
    in JSON. Whole numbers are accepted as floats; floats must be finite.

    Examples
    --------
    >>> typed("rows", [1, 2], tuple[int, ...])
    (1, 2)
    >>> typed("rows", [1, "2"], tuple[int, ...])
    Traceback (most recent call last):
    ValueError: rows[1] must be int, got '2'
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        for choice in inner:
            with contextlib.suppress(ValueError):
                return typed(place, value, choice)
    elif origin in (list, tuple) and isinstance(value, list | tuple):
        several = origin is list or inner[-1] is Ellipsis
        kinds = inner[:1] * len(value) if several else inner
        if len(kinds) == len(value):
            each = zip(value, kinds, strict=True)
            return origin(typed(f"{place}[{i}]", *one) for i, one in enumerate(each))
    elif origin is dict and isinstance(value, dict):
        return {
            typed(f"a key of {place}", key, inner[0]): typed(
                f"{place}[{key!r}]", entry, inner[1]
            )
            for key, entry in value.items()
        }
    elif hint is float:
        if type(value) in (int, float) and math.isfinite(value):
            return value
    elif hint is Any or (hint in _PLAIN and type(value) is hint):
        return value
    elif hint not in _PLAIN and origin not in (list, tuple, dict):
        fields = fields_of(hint)
        if fields is None:
            raise TypeError(f"{place} has a type that cannot be checked: {hint!r}")
        if isinstance(value, dict) and value.keys() == fields.keys():
            return hint(
                **{k: typed(f"{place}.{k}", v, fields[k]) for k, v in value.items()}
            )
    raise ValueError(f"{place} must be {describe_type(hint)}, got {value!r:.80}")


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
