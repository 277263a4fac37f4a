"""The shortest text of a part."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from rosenblatt.spelling.names import kebab

__all__ = ["default", "spell"]


def default(field: Field[Any]) -> Any:
    """Return the default of a field."""
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value).removesuffix(".0")
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return f"({','.join(map(_written, value))})"
    name, _, inside = spell(value).partition(":")
    return f"{name}({inside})" if inside else name


def spell(part: Any) -> str:
    """Return the text of a part; parameters at their default are left out.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> spell(rb.rules.PassiveAggressive(margin=2))
    'passive-aggressive:margin=2'
    >>> spell(rb.rules.Delta(rb.rules.Tanh(gain=0.1)))
    'delta:activation=tanh(gain=0.1)'
    """
    given = [
        f"{field.name}={_written(getattr(part, field.name))}"
        for field in fields(part)
        if getattr(part, field.name) != default(field)
    ]
    name = kebab(type(part).__name__)
    return f"{name}:{','.join(given)}" if given else name
