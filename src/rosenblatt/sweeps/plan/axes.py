"""Axes of a sweep: values, and their labels in the result."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import flag, number, whole
from rosenblatt.spelling.names import possible

__all__ = ["RANGE", "Axis", "axis", "labels_of", "range_values", "with_attribute"]

RANGE = ("count", "start", "stop", "log")


@dataclasses.dataclass(frozen=True)
class Axis:
    """A name, values, and their labels in the result."""

    name: str
    values: Sequence[Any]
    labels: npt.NDArray[Any]

    def __len__(self) -> int:
        return len(self.values)


def _label(value: Any) -> Any:
    if isinstance(value, bool | int | float | str | np.number | np.bool_):
        return value
    return getattr(value, "__name__", None) or repr(value)


def labels_of(values: Iterable[Any]) -> npt.NDArray[Any]:
    """Return labels: numbers as they are, anything else as text.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> labels_of([1, 2.5]).tolist(), labels_of([rb.rules.Hebb(), 1]).tolist()
    ([1.0, 2.5], ['Hebb()', '1'])
    """
    labels = [_label(value) for value in values]
    kinds = {type(label) for label in labels}
    if kinds == {bool} or not any(issubclass(k, bool | str) for k in kinds):
        found = np.array(labels)
        if found.dtype.kind in "biuf":
            return np.array(found.tolist())  # of the kind that a file gives back
    return np.array([str(label) for label in labels], dtype=object)


def axis(name: str, values: Any, labels: Iterable[Any] | None = None) -> Axis:
    """Return an axis; a mapping gives the labels of its values.

    Examples
    --------
    >>> axis("seed", range(3)).labels
    array([0, 1, 2])
    >>> axis("noise", [0.1, 0.1])
    Traceback (most recent call last):
    ValueError: axis 'noise' must have different values, got 0.1 twice
    """
    if isinstance(values, Mapping):
        labels, values = list(values), list(values.values())
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"axis {name!r} must be a list of values, got {values!r}")
    listed = values if isinstance(values, range) else list(values)
    if isinstance(values, np.ndarray):
        listed = values.tolist()  # plain numbers, as everybody else gives them
    if not len(listed):
        raise ValueError(f"axis {name!r} must have one value or more, got {values!r}")
    shown = labels_of(listed if labels is None else labels)
    seen, counts = np.unique(shown.astype(str), return_counts=True)
    for twice in seen[counts > 1]:
        raise ValueError(f"axis {name!r} must have different values, got {twice} twice")
    return Axis(name, listed, shown)


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
        if key not in RANGE:
            raise ValueError(f"axis {name!r} has no {key!r}; {possible(RANGE)}")
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


def with_attribute(name: str, value: Any, path: Sequence[str], new: Any) -> Any:
    """Return a part with another value of one attribute, also of a part inside.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> rule = rb.rules.Decay(rb.rules.Perceptron(), 0.5)
    >>> with_attribute("rule", rule, ["rule", "margin"], 1.0)
    Decay(rule=Perceptron(margin=1.0), strength=0.5)
    """
    full = ".".join(itertools.chain([name], path))
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        raise ValueError(f"axis {full!r} needs a part {name!r}, got {value!r}")
    fields = [f.name for f in dataclasses.fields(value)]
    if path[0] not in fields:
        raise ValueError(
            f"axis {full!r}: {value!r} has no {path[0]!r}; {possible(fields)}"
        )
    if len(path) > 1:
        inside = getattr(value, path[0])
        new = with_attribute(f"{name}.{path[0]}", inside, path[1:], new)
    try:
        return dataclasses.replace(value, **{path[0]: new})
    except (ValueError, TypeError) as failure:
        raise ValueError(f"axis {full!r}: {failure}") from failure
