"""Choices of a visitor, found in the package: a new rule appears by itself."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, fields, replace
from typing import Any, get_args, get_type_hints

import rosenblatt as rb
from rosenblatt.core import BeliefRule, Combinator, Rule, Schedule
from rosenblatt.lab.state import OWN
from rosenblatt.specification.codec import kebab, maker, value

__all__ = ["Choice", "choices", "names", "replaced"]

_MODULES: dict[type, Any] = {
    Rule: rb.rules,
    Schedule: rb.schedules,
    rb.core.Activation: rb.rules,
}
_KINDS: dict[type, tuple[type, ...]] = {Rule: (Rule, BeliefRule)}


def _plain(found: type) -> bool:
    """Return whether a class can be made from numbers, and holds no other rule."""
    wants_code = found is rb.schedules.Custom
    return not (
        wants_code or issubclass(found, Combinator) or inspect.isabstract(found)
    )


def names(kind: type) -> list[str]:
    """Return the names of all rules, schedules or activations, as they are written.

    Examples
    --------
    >>> names(Schedule)
    ['constant', 'per-mistake', 'power']
    """
    module = _MODULES[kind]
    found = (getattr(module, name) for name in module.__all__)
    wanted = _KINDS.get(kind, (kind,))
    own = list(OWN) if kind is Rule else []
    return own + [
        kebab(made.__name__)
        for made in found
        if inspect.isclass(made) and issubclass(made, wanted) and _plain(made)
    ]


@dataclass(frozen=True)
class Choice:
    """A parameter of a part, for a control on the page.

    Parameters
    ----------
    path
        Names of fields that lead to it; empty for the part itself.
    label
        Label of the control.
    text
        Its value, as text.
    options
        Values to choose from; any number if there are none.
    """

    path: tuple[str, ...]
    label: str
    text: str
    options: tuple[str, ...] = ()


def choices(part: Any, path: tuple[str, ...] = ()) -> list[Choice]:
    """Return one choice for each parameter of a part, and of parts inside it.

    Examples
    --------
    >>> for choice in choices(rb.rules.Delta(rb.rules.Tanh(gain=2))):
    ...     print(choice.label, choice.text)
    activation tanh
    activation gain 2
    """
    found: list[Choice] = []
    for field in fields(part):
        inside, at = getattr(part, field.name), (*path, field.name)
        label = " ".join(at).replace("_", " ")
        if isinstance(inside, bool):
            text = str(inside).lower()
            found.append(Choice(at, label, text, ("false", "true")))
        elif isinstance(inside, int | float):
            found.append(Choice(at, label, f"{inside:.12g}"))
        else:
            kind = _kind_of(inside)
            text = kebab(type(inside).__name__)
            found.append(Choice(at, label, text, tuple(names(kind))))
            found += choices(inside, at)
    return found


def _kind_of(part: Any) -> type:
    return next(kind for kind in _MODULES if isinstance(part, kind))


def replaced(part: Any, path: tuple[str, ...], text: str) -> Any:
    """Return the part with one parameter changed; a new part has its defaults.

    Examples
    --------
    >>> replaced(rb.rules.Perceptron(), ("margin",), "2")
    Perceptron(margin=2.0)
    """
    first, *rest = path
    inside = getattr(part, first)
    if rest:
        return replace(part, **{first: replaced(inside, tuple(rest), text)})
    if isinstance(inside, int | float):
        hint = get_type_hints(type(part))[first]
        kinds = get_args(hint) or (hint,)
        return replace(part, **{first: value(first, kinds, text)})
    made = maker(first, (_kind_of(inside),), None, text)
    return replace(part, **{first: made()})
