"""Classes that appear in a stream: the stages of learning between their first rows.

A model without given classes begins with the first label. Rows are then learned in
stages, each with the classes known up to it. So a stream in one piece or in many gives
the same model.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.core.types import IntArray
from rosenblatt.estimators.inputs.labels import classes_in, label_codes

__all__ = [
    "Stage",
    "check_like",
    "joined_classes",
    "places",
    "stages",
]

_KINDS = {bool: "truth values", int: "numbers", float: "numbers", str: "text"}


class Stage(NamedTuple):
    """Consecutive rows that are learned with the same classes."""

    classes: npt.NDArray[Any]
    codes: IntArray  # of these rows, among these classes
    first: int
    stop: int


def _kind(label: Any) -> str:
    return _KINDS.get(type(label), type(label).__name__)


def check_like(known: list[Any], label: Any) -> None:
    """Raise TypeError unless a label has the type of the known labels.

    Examples
    --------
    >>> check_like([0, 1], "a")
    Traceback (most recent call last):
    TypeError: y must have labels like those of classes [0, 1], numbers, got 'a'
    """
    if known and _kind(label) != _kind(known[0]):
        raise TypeError(
            f"y must have labels like those of classes {known}, {_kind(known[0])}, "
            f"got {label!r}"
        )


def joined_classes(
    known: npt.NDArray[Any] | None, labels: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Return the classes and those of other labels, sorted, in the type of the first.

    Examples
    --------
    >>> joined_classes(np.array(["b", "d"]), np.array(["d", "comma"]))
    array(['b', 'comma', 'd'], dtype='<U5')
    >>> joined_classes(np.array([1, 3]), np.array([2.0]))
    array([1, 2, 3])
    """
    found = classes_in(labels)
    if known is None or not len(known):
        return found
    old = known.tolist()
    for label in found.tolist():
        check_like(old, label)
    values = sorted({*old, *found.tolist()})
    if known.dtype.kind == "O":
        both = np.empty(len(values), object)
        both[:] = values
        return both
    both = np.array(values)
    same = both.astype(known.dtype) if known.dtype.kind not in "US" else both
    return same if np.array_equal(same, both) else both


def places(known: npt.NDArray[Any], joined: npt.NDArray[Any]) -> list[int]:
    """Return where classes are inserted one by one to get from known ones to all.

    Examples
    --------
    >>> places(np.array(["b"]), np.array(["a", "b", "c"]))
    [0, 2]
    """
    old = set(known.tolist())
    return [i for i, label in enumerate(joined.tolist()) if label not in old]


def stages(
    known: npt.NDArray[Any] | None,
    target: npt.NDArray[Any],
    times: Any = None,
    *,
    split: bool = True,
) -> list[Stage]:
    """Return the rows in stages; one begins where a label comes for the first time.

    Parameters
    ----------
    known
        The classes known so far, None if there are none.
    target
        The label of each row.
    times
        The weight of each row. Rows of weight 0 bring no classes.
    split
        False: learn all rows in one stage, with all classes.

    Examples
    --------
    >>> for stage in stages(np.array(["b"]), np.array(["b", "b", "a", "b"])):
    ...     print(stage.classes, stage.codes, stage.first, stage.stop)
    ['b'] [0 0] 0 2
    ['a' 'b'] [0 1] 2 4
    """
    count = len(target)
    if known is not None:
        try:
            return [Stage(known, label_codes(target, known, times), 0, count)]
        except (TypeError, ValueError):
            pass  # a new label, or one of another type
    used = np.arange(count) if times is None else np.flatnonzero(times)
    if not used.size:
        raise ValueError("sample_weight must not be 0 for all rows of a new model")
    joined = joined_classes(known, target[used])
    codes = np.zeros(count, np.int64)
    codes[used] = label_codes(target[used], joined)
    if not split:
        return [Stage(joined, codes, 0, count)]
    old = [] if known is None else known.tolist()
    there = np.array([label in old for label in joined.tolist()])
    first = {int(i): int(used[codes[used] == i][0]) for i in np.flatnonzero(~there)}
    if not old:  # rows of weight 0 before the first label wait for it
        first[min(first, key=lambda code: first[code])] = 0
    starts = [0, *sorted(first.values()), count]
    found = []
    for begin, end in itertools.pairwise(starts):
        there[[code for code, row in first.items() if row <= begin]] = True
        if begin == end:
            continue
        own = (np.cumsum(there) - 1)[codes[begin:end]]
        found.append(Stage(joined[there], np.maximum(own, 0), begin, end))
    return found
