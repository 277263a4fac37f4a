"""Names of this package's parts in files: ``rules.Perceptron``, ``schedules.Power``.

A name in a file is looked up in one list and nowhere else. No module is imported and no
attribute is read because a file says so. Names do not change when modules move.
"""

from __future__ import annotations

import functools
import inspect
from importlib import import_module
from types import MappingProxyType
from typing import Any

from rosenblatt.core import AverageShift, FixedShift, Part, starts

__all__ = ["name_of", "parts"]

_KINDS = (Part, starts.Start, FixedShift, AverageShift)
# Imported by constant names: as `from rosenblatt import rules` the top package, which
# has the engines, would depend on itself.
_PACKAGES = {"starts": starts} | {
    name: import_module(f"rosenblatt.{name}")
    for name in ("drifts", "machines", "rules", "schedules", "streams", "teachers")
}


@functools.cache
def parts() -> MappingProxyType[str, type]:
    """Return all public parts by name.

    Examples
    --------
    >>> parts()["rules.Perceptron"]
    <class 'rosenblatt.rules.perceptron.Perceptron'>
    >>> "subprocess.call" in parts()
    False
    """
    found: dict[str, type] = {}
    for place, package in _PACKAGES.items():
        for name in package.__all__:
            kind = vars(package)[name]
            concrete = inspect.isclass(kind) and not inspect.isabstract(kind)
            if concrete and issubclass(kind, _KINDS):
                found[f"{place}.{name}"] = kind
    return MappingProxyType(found)


@functools.cache
def _names() -> dict[type, str]:
    return {kind: name for name, kind in parts().items()}


def name_of(kind: Any) -> str | None:
    """Return the name of a class in files, or None if it is no public part.

    Examples
    --------
    >>> from rosenblatt.rules import Perceptron
    >>> name_of(Perceptron), name_of(dict)
    ('rules.Perceptron', None)
    """
    return _names().get(kind)
