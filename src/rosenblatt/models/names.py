"""The classes that a model file may name, and nothing else.

A file says "rules.Perceptron", and gets the class that is found here. No module is
imported by a name in a file, and no other attribute is looked up.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
from collections.abc import Iterator
from typing import Any

from rosenblatt import core, estimators, machines, rules, schedules, teachers

__all__ = ["ESTIMATORS", "classes", "is_record", "name_of"]

_PACKAGE = "rosenblatt."
# What states of models are made of is defined in these, and loaded with the estimators.
_STATES = ("core.", "engines.", "estimators.")
ESTIMATORS: dict[str, Any] = {
    name: getattr(estimators, name) for name in estimators.__all__
}


def is_record(kind: type) -> bool:
    """Return whether a class is no more than named fields.

    Examples
    --------
    >>> is_record(core.Clock), is_record(rules.Hebb), is_record(dict)
    (True, True, False)
    """
    named = issubclass(kind, tuple) and hasattr(kind, "_fields")
    return named or dataclasses.is_dataclass(kind)


def _public() -> Iterator[tuple[str, type]]:
    """Yield the parts that models are made with, by where users find them."""
    for package in (rules, schedules, teachers, machines, core.starts):
        for name in package.__all__:
            kind = getattr(package, name)
            if inspect.isclass(kind) and not inspect.isabstract(kind):
                yield f"{package.__name__.rpartition('.')[2]}.{name}", kind


def _states() -> Iterator[tuple[str, type]]:
    """Yield the records of engines and estimators, by where they are defined."""
    for module in list(sys.modules):
        place = module.removeprefix(_PACKAGE)
        if place == module or not place.startswith(_STATES):
            continue
        for kind in vars(sys.modules[module]).values():
            if inspect.isclass(kind) and kind.__module__ == module and is_record(kind):
                yield f"{place}.{kind.__name__}", kind


@functools.cache
def classes() -> dict[str, type]:
    """Return all classes of records that a file may name.

    Examples
    --------
    >>> classes()["rules.Perceptron"]
    <class 'rosenblatt.rules.perceptron.Perceptron'>
    >>> "os.system" in classes()
    False
    """
    return dict(_states()) | dict(_public())


@functools.cache
def _names() -> dict[type, str]:
    return {kind: name for name, kind in classes().items()}


def name_of(kind: Any) -> str | None:
    """Return the name of a class in files, or None if it has none.

    Examples
    --------
    >>> name_of(rules.Perceptron), name_of(dict)
    ('rules.Perceptron', None)
    """
    return _names().get(kind)
