"""Plan of a sweep: numbered items, each with its parameters and its key.

Items are all combinations of the values of all axes, the last one fastest. A list of
experiments is an axis too, ``experiment``, each of whose values is several parameters.
An axis ``teacher.noise`` replaces that attribute of the parameter ``teacher``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.sweeps.plan.axes import Axis, axis, labels_of, with_attribute
from rosenblatt.sweeps.plan.identity import digest
from rosenblatt.sweeps.plan.keys import Group, Keys
from rosenblatt.sweeps.plan.tasks import check_names, resolve, title
from rosenblatt.system.code import code_digest
from rosenblatt.system.digests import joined

__all__ = ["EXPERIMENT", "MOST", "Plan"]

EXPERIMENT = "experiment"
MOST = 10**8  # items; more would need an hour only to be counted


def _experiments(given: Sequence[Mapping[str, Any]]) -> Axis:
    for each in given:
        if not isinstance(each, Mapping) or not all(isinstance(k, str) for k in each):
            raise TypeError(
                f"experiments must be dictionaries of parameters, got {each!r}"
            )
    listed = [dict(each) for each in given]
    if not listed:
        raise ValueError("experiments must be one or more, got none")
    return Axis(EXPERIMENT, listed, np.arange(len(listed)))


class Plan:
    """All items of a sweep.

    Parameters
    ----------
    task
        A function, or the name of one, see :mod:`rosenblatt.sweeps.plan.tasks`.
    parameters
        Parameters that all experiments share.
    axes
        Values of the parameters that differ, by name.
    experiments
        Parameters that go together, a dictionary for each experiment.

    Examples
    --------
    >>> plan = Plan("solve", {"rule": 1, "alpha": 2}, {"schedule": "ab"[:1].split()})
    >>> len(plan), plan.parameters(0)
    (1, {'rule': 1, 'alpha': 2, 'schedule': 'a'})
    """

    def __init__(
        self,
        task: str | Callable[..., Any],
        parameters: Mapping[str, Any],
        axes: Mapping[str, Any],
        experiments: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self.function = resolve(task)
        self.fixed = dict(parameters)
        self.axes = [
            each if isinstance(each, Axis) else axis(name, each)
            for name, each in axes.items()
        ]
        if experiments is not None:
            self.axes.insert(0, _experiments(experiments))
        self.listed = experiments is not None
        self.shape = tuple(len(each) for each in self.axes)
        if math.prod(self.shape) > MOST:
            raise ValueError(
                f"a sweep must have at most {MOST:.0e} experiments, got "
                + " * ".join(f"{len(a)} ({a.name})" for a in self.axes)
            )
        self.code = code_digest()
        self._uses = self._roots()
        check_names(self.function, self._uses)
        self.keys = Keys(self._start(), self.shape, self._groups())

    def __len__(self) -> int:
        return math.prod(self.shape)

    def _roots(self) -> dict[str, list[int]]:
        """Return, for each parameter, the axes that it depends on."""
        if self.listed and EXPERIMENT in [each.name for each in self.axes[1:]]:
            raise ValueError(
                f"axis {EXPERIMENT!r} must have another name where there are "
                "experiments, since their dimension has this one"
            )
        uses: dict[str, list[int]] = {name: [] for name in self.fixed}
        for number, each in enumerate(self.axes):
            names = {each.name.partition(".")[0]: None}
            if self.listed and number == 0:
                names = {name: None for values in each.values for name in values}
            for name in names:
                before = name in uses
                if "." not in each.name and before and name in self.fixed:
                    what = "experiments" if each.name == EXPERIMENT else "axes"
                    raise ValueError(f"{name!r} is both in parameters and in {what}")
                if "." in each.name and not before:
                    raise ValueError(
                        f"axis {each.name!r} needs a parameter {name!r} to change"
                    )
                if "." not in each.name and before:
                    raise ValueError(f"{name!r} is both in experiments and in axes")
                uses.setdefault(name, []).append(number)
        return uses

    def _value(self, name: str, at: Mapping[int, int]) -> tuple[bool, Any]:
        """Return whether a parameter is given, and its value, at axis indices."""
        given, value = name in self.fixed, self.fixed.get(name)
        for number in self._uses[name]:
            each = self.axes[number]
            new = each.values[at[number]]
            if self.listed and number == 0:
                given, value = name in new, new.get(name)
            elif "." in each.name:
                value = with_attribute(name, value, each.name.split(".")[1:], new)
            else:
                given, value = True, new
        return given, value

    def _groups(self) -> Iterator[Group]:
        """Yield each parameter with the digests of all its values."""
        for name in sorted(self._uses):
            axes = self._uses[name]
            digests = []
            for places in itertools.product(*(range(self.shape[a]) for a in axes)):
                given, value = self._value(name, dict(zip(axes, places, strict=True)))
                digests.append(digest(name, value) if given else b"")
            yield Group(name, axes, digests)

    def _start(self) -> bytes:
        return joined(self.code.encode(), digest("task", self.function))

    @property
    def title(self) -> str:
        """Name of the task."""
        return title(self.function)

    def places(self, item: int) -> dict[int, int]:
        """Return the index of an item on each axis."""
        return dict(enumerate(map(int, np.unravel_index(item, self.shape or (1,)))))

    def parameters(self, item: int) -> dict[str, Any]:
        """Return the arguments of the task."""
        at = self.places(item) if self.shape else {}
        found = {name: self._value(name, at) for name in self._uses}
        return {name: value for name, (given, value) in found.items() if given}

    def described(self, item: int) -> str:
        """Return the labels of an item, as text."""
        if not self.shape:
            return "the only experiment"
        at = self.places(item)
        pairs = [f"{a.name}={a.labels[at[n]]}" for n, a in enumerate(self.axes)]
        return ", ".join(pairs)

    def coordinates(self) -> dict[str, tuple[str, npt.NDArray[Any]]]:
        """Return labels of all axes, and of parameters that experiments list."""
        found = {each.name: (each.name, each.labels) for each in self.axes}
        if self.listed:
            listed = self.axes[0].values
            for name in {name: None for values in listed for name in values}:
                given = labels_of(v[name] for v in listed if name in v)
                gap = math.nan if given.dtype.kind in "iuf" else ""
                column = [values.get(name, gap) for values in listed]
                found[name] = (EXPERIMENT, labels_of(column))
        return found
