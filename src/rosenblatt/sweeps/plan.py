"""Plan of a sweep: numbered experiments, each with its parameters and its key.

Experiments are all combinations of the values of all axes, the last one fastest. A list
of experiments is an axis too, ``experiment``, each of whose values is several
parameters. An axis ``teacher.noise`` replaces that attribute of the part ``teacher``.

A task is a function with a name: a public function of this package, ``simulate``,
``theory.solve_online``, or ``file.py:function``. Its result must depend on nothing but
what it is called with.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

import rosenblatt as rb
from rosenblatt.specification.codec import function as own_function
from rosenblatt.specification.codec import parse, possible
from rosenblatt.sweeps.identity import digest
from rosenblatt.sweeps.store import Manifest
from rosenblatt.system.code import code_digest
from rosenblatt.system.digests import joined

__all__ = ["Axis", "Plan", "axis", "build", "check_names", "resolve", "run"]

EXPERIMENT = "experiment"
MOST = 10**6  # experiments of a sweep
_OURS = ("workers", "progress")  # set by the sweep, and no part of a result
_EXAMPLES = "simulate, solve, simulate_machine, simulate_classes or file.py:function"
_KINDS = (rb.core.Part, rb.starts.Start)


def resolve(task: str | Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a task.

    Examples
    --------
    >>> resolve("theory.solve_online").__name__
    'solve_online'
    >>> resolve("stimulate")
    Traceback (most recent call last):
    ValueError: task must be simulate, ... or file.py:function, got 'stimulate'
    """
    if not isinstance(task, str):
        if not isinstance(task, FunctionType):
            raise TypeError(f"task must be {_EXAMPLES} or a function, got {task!r}")
        return task
    file, colon, name = task.rpartition(":")
    if colon:
        if not file.endswith(".py"):
            raise ValueError(f"task must be {_EXAMPLES}, got {task!r}")
        return own_function(file, name)
    found: Any = rb
    for piece in task.split("."):
        found = None if piece.startswith("_") else getattr(found, piece, None)
    if not inspect.isfunction(found) or not found.__module__.startswith("rosenblatt."):
        raise ValueError(f"task must be {_EXAMPLES}, got {task!r}")
    return found


def check_names(function: Callable[..., Any], names: Iterable[str]) -> None:
    """Check that a function can be called with these parameters.

    Examples
    --------
    >>> check_names(rb.solve, ["rule", "schedule", "alpha", "dim"])
    Traceback (most recent call last):
    ValueError: solve has no parameter 'dim'; possible: rule, ..., alpha, start
    """
    what, given = function.__name__, list(names)
    known = inspect.signature(function).parameters
    by_name = {
        name: p
        for name, p in known.items()
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    }
    anything = any(p.kind is p.VAR_KEYWORD for p in known.values())
    for name in given:
        if name in _OURS and name in by_name:
            raise ValueError(f"{name!r} is set by the sweep and cannot be a parameter")
        if name not in by_name and not anything:
            here = (n for n in by_name if n not in _OURS)
            raise ValueError(f"{what} has no parameter {name!r}; {possible(here)}")
    for name, parameter in by_name.items():
        if parameter.default is parameter.empty and name not in given:
            raise ValueError(f"{what} needs the parameter {name!r}, which is not given")


def _kinds(function: Callable[..., Any], name: str) -> tuple[type, ...]:
    """Return the kinds of parts that a parameter may be, from its annotation."""
    try:
        hint = get_type_hints(function).get(name)
    except NameError:  # annotations that only type checkers can read
        return ()
    hints = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(h for h in hints if inspect.isclass(h) and issubclass(h, _KINDS))


def build(function: Callable[..., Any], name: str, value: Any) -> Any:
    """Return the part that a text describes, or another value as it is.

    Examples
    --------
    >>> build(rb.simulate, "rule", "normalised:rule=perceptron")
    Normalised(rule=Perceptron(margin=0.0))
    >>> build(rb.simulate, "dim", 10)
    10
    """
    kinds = _kinds(function, name)
    if not kinds:
        return value
    if not isinstance(value, str):
        raise ValueError(
            f"{name} must be a text such as 'name' or 'name:key=value', got {value!r}"
        )
    try:
        return parse(kinds[0], value, *kinds[1:])
    except ValueError as failure:
        raise ValueError(f"{name}: {failure}") from failure


def run(
    function: Callable[..., Any], parameters: Mapping[str, Any], threads: int
) -> Any:
    """Run one experiment; set the number of threads of functions of this package."""
    extra: dict[str, Any] = {}
    if function.__module__.startswith("rosenblatt."):
        known = inspect.signature(function).parameters
        ours = {"workers": threads, "progress": False}
        extra = {name: value for name, value in ours.items() if name in known}
    return function(**parameters, **extra)


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
    if not isinstance(name, str):
        raise TypeError(f"axes must have names of parameters, got {name!r}")
    if isinstance(values, Mapping):
        labels, values = list(values), list(values.values())
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"axis {name!r} must be a list of values, got {values!r}")
    if isinstance(values, range) and len(values) > MOST:
        raise ValueError(f"axis {name!r} must have at most {MOST} values, got {values}")
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
    """Experiments of a sweep.

    Parameters
    ----------
    task
        A function, or its name.
    parameters
        Parameters that all experiments share.
    axes
        Values of parameters that vary; all combinations are run.
    experiments
        Parameters that vary together, one experiment after the other.

    Examples
    --------
    >>> plan = Plan("solve", {"rule": 1, "alpha": 2}, {"schedule": ["a"]})
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
        self._listed = experiments is not None
        self.shape = tuple(len(each) for each in self.axes)
        if len(self) > MOST:
            raise ValueError(
                f"a sweep must have at most {MOST} experiments, got "
                + " * ".join(f"{len(a)} ({a.name})" for a in self.axes)
            )
        self.code = code_digest()
        self._uses = self._roots()
        check_names(self.function, self._uses)
        self.keys = self._keys()

    def __len__(self) -> int:
        return math.prod(self.shape)

    def _roots(self) -> dict[str, list[int]]:
        """Return, for each parameter, the axes that it depends on."""
        if self._listed and EXPERIMENT in [each.name for each in self.axes[1:]]:
            raise ValueError(
                f"axis {EXPERIMENT!r} must have another name where there are "
                "experiments, since their dimension has this one"
            )
        uses: dict[str, list[int]] = {name: [] for name in self.fixed}
        for number, each in enumerate(self.axes):
            names = {each.name.partition(".")[0]: None}
            if self._listed and number == 0:
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
            if self._listed and number == 0:
                given, value = name in new, new.get(name)
            elif "." in each.name:
                value = with_attribute(name, value, each.name.split(".")[1:], new)
            else:
                given, value = True, new
        return given, value

    def _keys(self) -> list[bytes]:
        """Return a digest of all that the result of each experiment depends on."""
        digests = []
        for name in sorted(self._uses):
            known: dict[tuple[int, ...], list[bytes]] = {}
            axes = self._uses[name]
            for places in itertools.product(*(range(self.shape[a]) for a in axes)):
                given, value = self._value(name, dict(zip(axes, places, strict=True)))
                known[places] = [name.encode(), digest(name, value)] if given else []
            digests.append((axes, known))
        start = [self.code.encode(), digest("task", self.function)]
        return [
            joined(*start, *(d for a, k in digests for d in k[tuple(at[i] for i in a)]))
            for at in itertools.product(*map(range, self.shape))
        ]

    def _places(self, item: int) -> dict[int, int]:
        return dict(enumerate(map(int, np.unravel_index(item, self.shape or (1,)))))

    def parameters(self, item: int) -> dict[str, Any]:
        """Return the arguments of the task."""
        at = self._places(item) if self.shape else {}
        found = {name: self._value(name, at) for name in self._uses}
        return {name: value for name, (given, value) in found.items() if given}

    def described(self, item: int) -> str:
        """Return the labels of an item, as text."""
        if not self.shape:
            return "the only experiment"
        at = self._places(item)
        pairs = [f"{a.name}={a.labels[at[n]]}" for n, a in enumerate(self.axes)]
        return ", ".join(pairs)

    def manifest(self, name: str) -> Manifest:
        """Return what a store keeps of this plan."""
        return Manifest(
            name,
            f"{self.function.__module__}:{self.function.__qualname__}",
            self.code,
            [axis.name for axis in self.axes],
            self.coordinates(),
            self.shape,
            self.keys,
        )

    def coordinates(self) -> dict[str, tuple[str, npt.NDArray[Any]]]:
        """Return labels of all axes, and of parameters that experiments list."""
        found = {each.name: (each.name, each.labels) for each in self.axes}
        if self._listed:
            listed = self.axes[0].values
            for name in {name: None for values in listed for name in values}:
                given = labels_of(v[name] for v in listed if name in v)
                gap = math.nan if given.dtype.kind in "iuf" else ""
                column = [values.get(name, gap) for values in listed]
                found[name] = (EXPERIMENT, labels_of(column))
        return found
