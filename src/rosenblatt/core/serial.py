"""Parts as plain data and back: all that a result needs in order to be run again."""

from __future__ import annotations

import importlib
from typing import Any

from rosenblatt.core.starts import Start
from rosenblatt.core.vocabulary import AverageShift, FixedShift, Part

__all__ = ["build", "describe"]


def _plain(value: Any) -> Any:
    if isinstance(value, Part | Start | FixedShift | AverageShift):
        kind = type(value)
        inside = {name: _plain(entry) for name, entry in vars(value).items()}
        return {"part": f"{kind.__module__}:{kind.__qualname__}", **inside}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if callable(value):
        return {"function": f"{value.__module__}:{value.__qualname__}"}
    return value


def describe(**parts: Any) -> dict[str, Any]:
    """Return parts as dictionaries, lists and numbers that JSON can hold.

    Examples
    --------
    >>> from rosenblatt.schedules import Constant
    >>> describe(schedule=Constant(0.5))["schedule"]
    {'part': 'rosenblatt.schedules.constant:Constant', 'rate': 0.5}
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
            f"{module!r} of whoever made this result"
        ) from None
    return found


def build(plain: Any) -> Any:
    """Return the part that :func:`describe` was given."""
    if isinstance(plain, dict) and "part" in plain:
        inside = {k: build(v) for k, v in plain.items() if k != "part"}
        return _named(plain["part"])(**inside)
    if isinstance(plain, dict):
        return _named(plain["function"])
    if isinstance(plain, list):
        return tuple(build(entry) for entry in plain)
    return plain
