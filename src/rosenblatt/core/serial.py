"""Parts as plain data and back: all that a result needs in order to be run again."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np

from rosenblatt.core.starts import Start
from rosenblatt.core.vocabulary import AverageShift, FixedShift, Part

__all__ = ["build", "describe"]


def _name(thing: Any) -> str:
    return f"{thing.__module__}:{thing.__qualname__}"


def _source(thing: Any) -> dict[str, str]:
    """Return the text of what is not ours: nobody else may have it."""
    if thing.__module__.partition(".")[0] == __name__.partition(".")[0]:
        return {}
    try:
        return {"source": inspect.getsource(thing)}
    except (OSError, TypeError):  # typed into an interpreter, say
        return {}


def _plain(value: Any) -> Any:
    if isinstance(value, Part | Start | FixedShift | AverageShift):
        kind = type(value)
        inside = {name: _plain(entry) for name, entry in vars(value).items()}
        return {"part": _name(kind), "given": inside, **_source(kind)}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if callable(value):
        return {"function": _name(value), **_source(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return {"text": repr(value)}  # for people to read; it cannot be built again


def describe(**parts: Any) -> dict[str, Any]:
    """Return parts as dictionaries, lists and numbers that JSON can hold.

    Examples
    --------
    >>> from rosenblatt.schedules import Constant
    >>> describe(schedule=Constant(0.5))["schedule"]
    {'part': 'rosenblatt.schedules.constant:Constant', 'given': {'rate': 0.5}}
    """
    return {name: _plain(value) for name, value in parts.items()}


def _named(path: str) -> Any:
    module, _, name = path.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for piece in name.split("."):
            found = getattr(found, piece)
    except (ImportError, AttributeError):
        raise ValueError(
            f"the part {path!r} cannot be imported here; it was defined in the module "
            f"{module!r} of whoever made this result, which keeps its source"
        ) from None
    return found


def build(plain: Any) -> Any:
    """Return the part that :func:`describe` was given."""
    if isinstance(plain, dict) and "part" in plain:
        inside = {name: build(value) for name, value in plain["given"].items()}
        try:
            return _named(plain["part"])(**inside)
        except TypeError as failure:
            raise ValueError(
                f"the part {plain['part']!r} cannot be made from its attributes "
                f"{sorted(inside)}: {failure}"
            ) from None
    if isinstance(plain, dict) and "function" in plain:
        return _named(plain["function"])
    if isinstance(plain, dict):
        raise ValueError(f"a part holds {plain['text']}, which a file cannot keep")
    if isinstance(plain, list):
        return tuple(build(entry) for entry in plain)
    return plain
