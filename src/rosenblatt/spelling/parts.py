"""Parser of parts from text.

A part is written ``name`` or ``name:key=value,key=value``. Names are those of the
classes in :mod:`rosenblatt.rules`, ``schedules``, ``teachers``, ``streams`` and
``starts``: ``passive-aggressive``, ``PassiveAggressive`` and ``passiveaggressive`` are
the same. A class in a user's own file is ``file.py:Name``; a schedule may also be a
function of the clock there. A value is a number, or a part whose parameters are in
parentheses: ``delta:activation=tanh(gain=2)``.
"""

from __future__ import annotations

import collections.abc
import inspect
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import rosenblatt as rb
from rosenblatt.spelling.names import function, maker, possible
from rosenblatt.spelling.values import split, value

__all__ = ["parse"]

Kind = TypeVar("Kind")

_FORM = re.compile(
    r"(?:(?P<file>[^=]+?\.py):)?(?P<name>[A-Za-z_][\w-]*)"
    r"(?::(?P<after>.*)|\((?P<inside>.*)\))?"
)
_PLAIN = (bool, float, int, str, NoneType, inspect.Parameter.empty)


def _value(name: str, hint: Any, text: str, files: bool) -> Any:
    """Return the value of a parameter that is annotated like this."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    origin = get_origin(kinds[0])
    if origin is tuple:
        inside = split(text.removeprefix("(").removesuffix(")"))
        kind = get_args(kinds[0])[0]
        return tuple(_value(name, kind, piece, files) for piece in inside)
    if origin is collections.abc.Callable:
        form = _FORM.fullmatch(text)
        if form is None or form["file"] is None:
            raise ValueError(f"{name} must be file.py:function, got {text!r}")
        _refuse(name, form["file"], files)
        return function(form["file"], form["name"])
    parts = tuple(k for k in kinds if inspect.isclass(k) and k not in _PLAIN)
    return _part(name, parts, text, files) if parts else value(name, kinds, text)


def _arguments(
    what: str, made: Callable[..., Any], text: str, files: bool
) -> dict[str, Any]:
    """Return the parameters that the text gives, by name."""
    known = inspect.signature(made).parameters
    try:  # of each class as its own module reads them; others are no dataclasses
        hints = get_type_hints(made if is_dataclass(made) else made.__init__)
    except NameError:  # annotations that only type checkers can read
        hints = {}
    given: dict[str, Any] = {}
    for piece in split(text):
        key, equals, written = (side.strip() for side in piece.partition("="))
        key = key.replace("-", "_")
        if key in given:
            raise ValueError(f"{what} is given {key} twice")
        if key not in known or not equals:
            raise ValueError(f"{what} has no parameter {piece!r}; {possible(known)}")
        hint = hints.get(key, inspect.Parameter.empty)
        given[key] = _value(key, hint, written, files)
    for key, parameter in known.items():
        if key not in given and parameter.default is inspect.Parameter.empty:
            raise ValueError(f"{what} needs {key}=...; {possible(known)}")
    return given


def _refuse(what: str, file: str | None, files: bool) -> None:
    """Raise ValueError for a name in a user's file, where these are not allowed."""
    if file is not None and not files:
        raise ValueError(f"{what} must not be in a file here, got one in {file!r}")


def _part(what: str, kinds: tuple[type, ...], text: str, files: bool) -> Any:
    """Parse a part of one of these kinds."""
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise ValueError(f"{what} must be name or name:key=value,..., got {text!r}")
    _refuse(what, form["file"], files)
    made = maker(what, kinds, form["file"], form["name"])
    written = form["after"] or form["inside"] or ""
    full = f"{what} {form['name']}"
    if not inspect.isclass(made):
        if written:
            raise ValueError(f"{full} is a function and has no parameters")
        return rb.schedules.Custom(made)
    arguments = _arguments(full, made, written, files)
    try:
        return made(**arguments)
    except (ValueError, TypeError) as failure:
        raise ValueError(f"{full}: {failure}") from failure


def parse(
    kind: Callable[..., Kind], text: str, *others: type, files: bool = True
) -> Kind:
    """Return the part that a text describes, of this kind or of one of the others.

    A file that the text names is run. With ``files=False`` such a text is refused, so
    texts of strangers are safe.

    Examples
    --------
    >>> parse(rb.core.Rule, "passive-aggressive:margin=2")
    PassiveAggressive(margin=2.0, aggressiveness=inf)
    >>> parse(rb.core.Rule, "delta:activation=tanh(gain=2)")
    Delta(activation=Tanh(gain=2.0))
    >>> parse(rb.core.Teacher, "oracle")
    Traceback (most recent call last):
    ValueError: there is no teacher 'oracle'; possible: sign
    >>> parse(rb.core.Rule, "mine.py:Rule", files=False)
    Traceback (most recent call last):
    ValueError: rule must not be in a file here, got one in 'mine.py'
    """
    assert isinstance(kind, type)  # Callable only because base classes are abstract
    part: Kind = _part(kind.__name__.lower(), (kind, *others), text, files)
    return part
