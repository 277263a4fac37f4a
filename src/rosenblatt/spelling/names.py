"""Lookup of a name: a class of this package, or one in a user's file."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import rosenblatt as rb
from rosenblatt.spelling.files import load

__all__ = ["function", "kebab", "maker", "names", "possible"]


def kebab(name: str) -> str:
    """Return the name of a class as it is written on a command line.

    Examples
    --------
    >>> kebab("PassiveAggressive")
    'passive-aggressive'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def possible(names: Iterable[str]) -> str:
    """Return the end of an error message: the possible names."""
    return f"possible: {', '.join(names) or 'none'}"


def _offered(kinds: tuple[type, ...]) -> Iterator[type]:
    """Find all classes of these kinds that the package offers."""
    for module in (
        rb.rules,
        rb.schedules,
        rb.teachers,
        rb.drifts,
        rb.streams,
        rb.starts,
        rb.machines,
    ):
        for found in (getattr(module, name) for name in module.__all__):
            if (
                inspect.isclass(found)
                and issubclass(found, kinds)
                and not inspect.isabstract(found)
            ):
                yield found


def names(*kinds: type) -> list[str]:
    """Return the command-line names of the classes of some kinds.

    Examples
    --------
    >>> names(rb.core.Teacher)[-1]
    'sign'
    """
    return [kebab(found.__name__) for found in _offered(kinds)]


def _own(what: str, fits: Callable[[Any], bool], file: str, name: str) -> Any:
    """Return the object of this name in a user's file."""
    module = load(file)
    inside = {key: found for key, found in vars(module).items() if fits(found)}
    if name not in inside:
        here = [k for k, v in inside.items() if v.__module__ == module.__name__]
        raise ValueError(f"{file} has no {what} {name!r}; {possible(here)}")
    return inside[name]


def function(file: str, name: str) -> Callable[..., Any]:
    """Return a function of a user's file."""
    found: Callable[..., Any] = _own("function", inspect.isfunction, file, name)
    return found


def maker(
    what: str, kinds: tuple[type, ...], file: str | None, name: str
) -> Callable[..., Any]:
    """Return the class of this name; from a file also a function of the clock.

    Examples
    --------
    >>> maker("schedule", (rb.core.Schedule,), None, "per-mistake")
    <class 'rosenblatt.schedules.per_mistake.PerMistake'>
    """
    if file is not None:
        timed = rb.core.Schedule in kinds

        def fits(found: object) -> bool:
            if inspect.isclass(found):
                return issubclass(found, kinds) and found not in kinds
            return timed and inspect.isfunction(found)

        made: Callable[..., Any] = _own(what, fits, file, name)
        return made
    classes = {kebab(found.__name__): found for found in _offered(kinds)}
    bare = re.sub("[-_]", "", name).lower()
    for found in classes.values():
        if found.__name__.lower() == bare:
            return found
    raise ValueError(f"there is no {what} {name!r}; {possible(classes)}")
