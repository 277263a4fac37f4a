"""The specification of a result: parts and numbers as plain data, and back.

========================  ==========================================================
None, True, 3, 0.1        themselves
tuple, list, array        a list
a part of this package    ``{"part": "rules.Perceptron", "fields": {...}}``
a user's own part         ``{"own": "Cautious", "fields": {...}, "source": "..."}``
a user's own function     ``{"own": "halving", "source": "..."}``
anything else             ``{"text": repr}``, for people to read only
========================  ==========================================================

Reading runs nothing that a file brings along. Names of parts are looked up in
:mod:`rosenblatt.specification.names`; a user's own parts come from the caller, never
from the file. A part gets its own fields only, with values of their annotated types.
"""

from __future__ import annotations

import collections.abc
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from rosenblatt.core import AverageShift, FixedShift, Part
from rosenblatt.core.starts import Start
from rosenblatt.specification.names import name_of, parts

__all__ = [
    "FORMAT",
    "SpecificationError",
    "build",
    "describe",
    "make_part",
    "read",
    "rebuild",
]

FORMAT = 2  # a test asks for another number when the layout changes
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_SHOWN = 80  # letters of a bad entry in an error message


class SpecificationError(ValueError):
    """A specification that cannot be read, in one line."""


def _source(thing: Any) -> dict[str, str]:
    """Return the source text of a user's part, for readers of the file."""
    try:
        return {"source": inspect.getsource(thing)}
    except (OSError, TypeError):  # typed into an interpreter, say
        return {}


def _own_name(thing: Any) -> str:
    return str(getattr(thing, "__name__", type(thing).__name__))


def _plain(value: Any) -> Any:
    if isinstance(value, Part | Start | FixedShift | AverageShift):
        kind = type(value)
        name = name_of(kind)
        if name is not None:
            known = _hints(kind)  # type: ignore[arg-type]
            inside = {field: _plain(getattr(value, field)) for field in known}
            return {"part": name, "fields": inside}
        inside = {field: _plain(entry) for field, entry in vars(value).items()}
        return {"own": _own_name(kind), "fields": inside, **_source(kind)}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if callable(value):
        return {"own": _own_name(value), **_source(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return {"text": repr(value)}


def describe(**given: Any) -> dict[str, Any]:
    """Return parts and numbers as dictionaries and lists that JSON can hold.

    Examples
    --------
    >>> from rosenblatt.schedules import Constant
    >>> describe(schedule=Constant(0.5))
    {'format': 2, 'schedule': {'part': 'schedules.Constant', 'fields': {'rate': 0.5}}}
    """
    return {"format": FORMAT} | {name: _plain(value) for name, value in given.items()}


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of a part's fields."""
    known = get_type_hints(kind)
    return {field.name: known[field.name] for field in fields(kind)}


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fits(hint: Any, value: Any) -> bool:
    """Return whether a value is of the type that a field is annotated with."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(one, value) for one in inside)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if inside[1:] == (...,):
            return all(_fits(inside[0], entry) for entry in value)
        return len(value) == len(inside) and all(map(_fits, inside, value))
    if origin is collections.abc.Callable:
        return callable(value)
    if hint is float:
        return _number(value)
    if hint is int:
        return _number(value) and (isinstance(value, int) or value.is_integer())
    if hint is Any:  # of the parts here: a number, or a matrix of numbers
        return _number(value) or (
            isinstance(value, tuple) and all(_fits(Any, entry) for entry in value)
        )
    return isinstance(value, NoneType if hint is None else hint)


def _made(name: str, kind: Any, given: dict[str, Any]) -> Any:
    """Return a part, made by its own constructor, which checks ranges."""
    try:
        return kind(**given)
    except (TypeError, ValueError, ArithmeticError) as failure:
        reason = " ".join(str(failure).split())
        raise SpecificationError(
            f"the part {name!r} cannot be made: {reason}"
        ) from None


def make_part(name: Any, given: dict[str, Any]) -> Any:
    """Return a part of this package with fields of the types that it has.

    Examples
    --------
    >>> make_part("rules.Perceptron", {"margin": 0.5})
    Perceptron(margin=0.5)
    >>> make_part("rules.Perceptron", {"margin": "wide"})
    Traceback (most recent call last):
    rosenblatt.specification.records.SpecificationError: margin of the part ...
    """
    kind = parts().get(name) if isinstance(name, str) else None
    if kind is None:
        raise SpecificationError(
            f"there is no part {_shown(name)} in this version of rosenblatt"
        )
    hints = _hints(kind)
    if sorted(hints) != sorted(given):
        raise SpecificationError(
            f"the part {name!r} must have the fields {sorted(hints)}, "
            f"got {_shown(sorted(given))}"
        )
    for field, hint in hints.items():
        if not _fits(hint, given[field]):
            wanted = getattr(hint, "__name__", None) or str(hint)
            raise SpecificationError(
                f"{field} of the part {name!r} must be of type {wanted}, "
                f"got {_shown(given[field])}"
            )
    return _made(name, kind, given)


def _users(name: Any, plain: dict[str, Any], own: Mapping[str, Any]) -> Any:
    if not isinstance(name, str) or name not in own:
        raise SpecificationError(
            f"the result was made with {_shown(name)}, which is not in rosenblatt, and "
            f"no code is run from a file: pass it as parts={{{_shown(name)}: ...}}"
        )
    found = own[name]
    if "fields" not in plain:
        if not callable(found):
            raise TypeError(f"parts[{name!r}] must be a function, got {found!r}")
        return found
    if not inspect.isclass(found):
        raise TypeError(f"parts[{name!r}] must be a class, got {found!r}")
    return _made(name, found, _fields(plain, own))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def _fields(plain: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    inside = plain["fields"]
    if not isinstance(inside, dict):
        raise SpecificationError(f"fields must be a table, got {_shown(inside)}")
    return {name: build(value, own) for name, value in inside.items()}


def build(plain: Any, own: Mapping[str, Any] = _NOTHING) -> Any:
    """Return the value that :func:`describe` was given.

    Parameters
    ----------
    plain
        Plain data, perhaps from a file of somebody else.
    own
        The caller's own parts and functions, by name.

    Examples
    --------
    >>> build({"part": "schedules.Constant", "fields": {"rate": 0.5}})
    Constant(rate=0.5)
    >>> build({"part": "subprocess:call", "fields": {"args": "true"}})
    Traceback (most recent call last):
    SpecificationError: there is no part 'subprocess:call' ...
    """
    if isinstance(plain, list):
        return tuple(build(entry, own) for entry in plain)
    if plain is None or isinstance(plain, bool | int | float | str):
        return plain
    if isinstance(plain, dict):
        keys = set(plain)
        if keys == {"part", "fields"}:
            return make_part(plain["part"], _fields(plain, own))
        if "own" in keys and keys <= {"own", "fields", "source"}:
            return _users(plain["own"], plain, own)
        if keys == {"text"}:
            raise SpecificationError(
                f"a part holds {str(plain['text'])[:_SHOWN]}, which a file cannot keep"
            )
    raise SpecificationError(f"unknown entry {_shown(plain)}")


def read(text: Any) -> dict[str, Any]:
    """Return the specification in a file's attribute, as plain data of this format.

    Examples
    --------
    >>> read('{"format": 2, "dim": 3}')
    {'dim': 3}
    >>> read('{"format": 9}')
    Traceback (most recent call last):
    SpecificationError: the specification has format 9; ...
    """
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise SpecificationError(
            f"the specification must be a table in JSON, got {_shown(text)}"
        )
    number = found.pop("format", None)
    if isinstance(number, bool) or number != FORMAT:
        raise SpecificationError(
            f"the specification has format {_shown(number)}; this version of "
            f"rosenblatt reads {FORMAT}"
        )
    return found


def rebuild(
    text: Any,
    what: str,
    wanted: Sequence[str],
    own: Mapping[str, Any],
    optional: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the arguments of a run from the specification of its result.

    Parameters
    ----------
    text
        The specification in a file's attribute.
    what
        What it is the specification of, for error messages.
    wanted, optional
        Entries that it must have, and others that it may have.
    own
        The user's own parts and functions by name.
    """
    plain = read(text)
    if sorted(plain.keys() - {*optional}) != sorted(wanted):
        raise SpecificationError(
            f"the specification of {what} must have the entries {sorted(wanted)}, got "
            f"{str(sorted(plain))[:200]}"
        )
    try:
        return {name: build(value, own) for name, value in plain.items()}
    except RecursionError:
        raise SpecificationError(
            "the specification has parts in parts too deep"
        ) from None
