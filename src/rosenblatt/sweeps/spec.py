"""A sweep in a file: TOML, with parts as text.

.. code-block:: toml

    task = "simulate"                 # what is run; this is the default
    store = "results"                 # by default the file's name with .sweep

    [parameters]                      # the same in all experiments
    schedule = "constant:rate=1"
    teacher = "sign"
    dim = 1000
    alpha = [1, 10, 100]

    [axes]                            # all combinations of these
    rule = ["perceptron", "hebb", "normalised:rule=perceptron"]
    teacher.noise = [0, 0.1]          # an attribute of a part above
    seed = {count = 10}               # also start, stop and log

    [[experiments]]                   # instead, or as well: one by one
    dim = 100
    replicas = 10
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.core.arguments import flag, number, whole
from rosenblatt.specification.codec import possible
from rosenblatt.sweeps.plan import Axis, Plan, axis, build, check_names, resolve

__all__ = ["Spec", "read_spec"]

_RANGE = ("count", "start", "stop", "log")
_KEYS = {
    "task": str,
    "store": str,
    "parameters": dict,
    "axes": dict,
    "experiments": list,
}
_WORDS = {str: "a text", dict: "a table", list: "a list of tables"}


class Spec(NamedTuple):
    """Name, store and plan of a sweep."""

    name: str
    store: Path
    plan: Plan


def _flat(given: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield axes by full names: a table of lists is a part's attributes."""
    for key, value in given.items():
        if isinstance(value, Mapping) and not _is_range(value):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _is_range(table: Mapping[str, Any]) -> bool:
    return any(
        key in _RANGE and not isinstance(value, list | dict)
        for key, value in table.items()
    )


def range_values(name: str, given: Mapping[str, Any]) -> list[Any]:
    """Return the values of ``{count, start, stop, log}``; only ``count`` must be given.

    Examples
    --------
    >>> range_values("noise", {"count": 3, "stop": 0.2})
    [0.0, 0.1, 0.2]
    >>> range_values("dim", {"count": 3, "start": 10, "stop": 1000, "log": True})
    [10, 100, 1000]
    """
    for key in given:
        if key not in _RANGE:
            raise ValueError(f"axis {name!r} has no {key!r}; {possible(_RANGE)}")
    if "count" not in given:
        raise ValueError(f"axis {name!r} needs a count of its values, got {given!r}")
    count = whole(f"count of axis {name!r}", given["count"], low=1)
    start = given.get("start", 0)
    first = number(f"start of axis {name!r}", start)
    if "stop" not in given:
        if not isinstance(start, int) or "log" in given:
            raise ValueError(f"axis {name!r} needs a stop beside its start")
        return list(range(start, start + count))
    last = number(f"stop of axis {name!r}", given["stop"])
    if flag(f"log of axis {name!r}", given.get("log", False)):
        if not (first > 0 and last > 0):
            raise ValueError(
                f"start and stop of axis {name!r} must be positive, "
                f"got {first:g} and {last:g}"
            )
        points = np.geomspace(first, last, count)
    else:
        points = np.linspace(first, last, count)
    points = np.array([float(f"{p:.12g}") for p in points])  # 0.1, not 0.1 + 1e-17
    exact = isinstance(start, int) and isinstance(given["stop"], int)
    if exact and (points == np.rint(points)).all():
        return [int(p) for p in points]
    return [float(p) for p in points]


def _axis(function: Callable[..., Any], name: str, given: Any) -> Axis:
    if isinstance(given, Mapping):
        return axis(name, range_values(name, given))
    if not isinstance(given, list):
        raise ValueError(f"axis {name!r} must be a list of values, got {given!r}")
    if "." in name:
        return axis(name, given)
    return axis(name, [build(function, name, value) for value in given], given)


def _checked(path: Path) -> dict[str, Any]:
    """Return the content of the file, checked."""
    try:
        found = tomllib.loads(path.read_text("utf-8-sig"))  # with a mark or without
    except (FileNotFoundError, IsADirectoryError):
        raise ValueError(f"there is no file {str(path)!r}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        raise ValueError(f"{path} is not a TOML file: {failure}") from None
    for key, value in found.items():
        if key not in _KEYS:
            raise ValueError(f"{path} has a key {key!r}; {possible(_KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise ValueError(f"{key!r} must be {_WORDS[_KEYS[key]]}, got {value!r}")
    if found.get("store") == "":
        raise ValueError("'store' must be the name of a file, got ''")
    return found


def read_spec(path: Path) -> Spec:
    """Read a TOML file; raise ValueError if anything is wrong in it."""
    found = _checked(path)
    function = resolve(found.get("task", "simulate"))
    given = found.get("parameters", {})
    axes = dict(_flat(found.get("axes", {})))
    listed = found.get("experiments")
    names = [*given, *(name.partition(".")[0] for name in axes)]
    check_names(function, [*names, *(n for each in listed or () for n in each)])

    def built(values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: build(function, name, value) for name, value in values.items()}

    plan = Plan(
        function,
        built(given),
        {name: _axis(function, name, value) for name, value in axes.items()},
        None if listed is None else [built(each) for each in listed],
    )
    store = found.get("store", f"{path.stem}.sweep")
    return Spec(path.stem, path.parent / store, plan)
