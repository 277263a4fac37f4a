"""Plan of a sweep: numbered experiments, each with its parameters and its key.

Experiments are all combinations of the values of all axes, the last one fastest. A list
of experiments is an axis too, ``experiment``, each of whose values is several
parameters. An axis ``teacher.noise`` replaces that attribute of the part ``teacher``.

A task is a function with a name: a public function of this package, ``simulate``,
``theory.solve_online``, or ``file.py:function``. Its result must depend on nothing but
what it is called with.

A file of a sweep is TOML, with parts as text:

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
    seed = {count = 10}               # 0 to 9

    [[experiments]]                   # instead, or as well: one by one
    dim = 100
    replicas = 10
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import itertools
import json
import math
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from types import FunctionType, ModuleType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
import xarray as xr

import rosenblatt as rb
from rosenblatt.core.arguments import increasing, shown, whole
from rosenblatt.simulation.simulate import experiment_of
from rosenblatt.simulation.vectors import classes_experiment, machine_experiment
from rosenblatt.specification.codec import function as own_function
from rosenblatt.specification.codec import parse, possible, replace
from rosenblatt.specification.parts import gather
from rosenblatt.system.code import code_digest

EXPERIMENT = "experiment"
SIZE = 16  # bytes of a key: two of 1e9 are the same by chance once in 1e20 stores
MOST = 10**6  # experiments of a sweep
_OURS = ("workers", "progress")  # set by the sweep, and no part of a result
_EXAMPLES = "simulate, solve, simulate_machine, simulate_classes or file.py:function"
_KINDS = (rb.core.Part, rb.starts.Start)
_LIBRARY = {__name__.partition(".")[0], *sys.stdlib_module_names}
_TRIED = 50  # values of an axis that are checked; of more, some between the ends


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
    ValueError: solve got an unexpected keyword argument 'dim'; possible: rule, ...
    """
    signature = inspect.signature(function)
    given = dict.fromkeys(names)
    for name in _OURS:
        if name in given and name in signature.parameters:
            raise ValueError(f"{name!r} is set by the sweep and cannot be a parameter")
    try:
        signature.bind_partial(**given)  # first what is not known
        signature.bind(**given)
    except TypeError as failure:
        here = possible(n for n in signature.parameters if n not in _OURS)
        raise ValueError(f"{function.__name__} {failure}; {here}") from None


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


# ---- identity of experiments


def _name(thing: Any) -> str:
    return f"{thing.__module__}:{thing.__qualname__}"


class _Encoder(json.JSONEncoder):
    """Values as text, and the modules of the user that they need.

    The digest of a user's function or class covers its file (in a notebook its source
    text) and the values that it encloses, but not what the file imports.
    """

    def __init__(self) -> None:
        super().__init__(check_circular=False)  # functions may call themselves
        self.modules: dict[str, ModuleType] = {}
        self._entered: set[int] = set()

    def default(self, value: Any) -> Any:
        """Return what JSON can hold in place of a value that it cannot."""
        value = getattr(value, "py_func", value)  # a function that numba compiled
        if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            return ["array", value.dtype.str, value.shape, value.tobytes().hex()]
        if isinstance(value, FunctionType | type) or inspect.isbuiltin(value):
            return self._code(value)
        if isinstance(value, _KINDS) or dataclasses.is_dataclass(value):
            return [self._code(type(value)), vars(value)]
        if isinstance(value, bytes | PurePath | range | complex):
            return repr(value)
        return super().default(value)

    def _code(self, thing: Any) -> Any:
        module = sys.modules.get(thing.__module__ or "")
        known = (thing.__module__ or "").partition(".")[0] in _LIBRARY
        if known or module is None or id(thing) in self._entered:
            return _name(thing)
        self._entered.add(id(thing))
        path = Path(getattr(module, "__file__", None) or "")
        source = ""
        if not path.is_file():
            source = inspect.getsource(thing)
        elif "site-packages" not in path.parts:
            source = path.read_text()
            self.modules[module.__name__] = module
        cells = getattr(thing, "__closure__", None) or ()
        inside = [cell.cell_contents for cell in cells]
        code = getattr(thing, "__code__", None)
        where = [*code.co_positions()] if code else []  # two of a line differ
        return [_name(thing), source, where, getattr(thing, "__defaults__", 0), inside]


def _encoded(name: str, value: Any) -> tuple[bytes, _Encoder]:
    encoder = _Encoder()
    try:
        return encoder.encode(value).encode(), encoder
    except (TypeError, ValueError, OSError, RecursionError) as failure:
        raise TypeError(
            f"{name} must be made of numbers, text, arrays, lists, dictionaries, "
            "parts, dataclasses and functions of files, so that its result is found "
            f"again, got {shown(value)} ({' '.join(str(failure).split())})"
        ) from None


# ---- axes


@dataclasses.dataclass(frozen=True)
class Axis:
    """A name, the parameters that each value sets, and labels in the result."""

    name: str
    values: Sequence[Mapping[str, Any]]
    labels: npt.NDArray[Any]
    listed: bool = False  # whether it is a list of experiments


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
    return np.array([str(label) for label in labels])


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
    # plain numbers of arrays, as everybody else gives them
    given = values.tolist() if isinstance(values, np.ndarray) else values
    listed = list(itertools.islice(given, MOST + 1))
    if len(listed) > MOST:
        raise ValueError(
            f"axis {name!r} must have at most {MOST} values, got {shown(values)}"
        )
    if not listed:
        raise ValueError(f"axis {name!r} must have one value or more, got {values!r}")
    said = labels_of(listed if labels is None else labels)
    seen, counts = np.unique(said.astype(str), return_counts=True)
    for twice in seen[counts > 1]:
        raise ValueError(f"axis {name!r} must have different values, got {twice} twice")
    return Axis(name, [{name: value} for value in listed], said)


def _replaced(name: str, part: Any, new: Any) -> Any:
    """Return a part with another value of an attribute, which an axis names."""
    first, _, path = name.partition(".")
    if not dataclasses.is_dataclass(part) or isinstance(part, type):
        raise ValueError(f"axis {name!r} needs a part {first!r}, got {part!r}")
    try:
        return replace(part, path, new)
    except (ValueError, TypeError) as failure:
        raise ValueError(f"axis {name!r}: {failure}") from failure


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
    name
        The name of the sweep; by default that of the function.

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
        name: str | None = None,
    ) -> None:
        self.function = resolve(task)
        self.name = name or self.function.__name__
        self.fixed = dict(parameters)
        if not isinstance(axes, Mapping):
            raise TypeError(f"axes must be a dictionary of values, got {shown(axes)}")
        self.axes = [
            each if isinstance(each, Axis) else axis(name, each)
            for name, each in axes.items()
        ]
        if experiments is not None:
            if not experiments or not all(isinstance(e, Mapping) for e in experiments):
                raise TypeError(
                    "experiments must be one or more dictionaries of parameters, got "
                    f"{experiments!r}"
                )
            listed = [dict(each) for each in experiments]
            labels = np.arange(len(listed))
            self.axes.insert(0, Axis(EXPERIMENT, listed, labels, listed=True))
        self.shape = tuple(len(each.labels) for each in self.axes)
        if len(self) > MOST:
            raise ValueError(
                f"a sweep must have at most {MOST} experiments, got "
                + " * ".join(f"{len(a.labels)} ({a.name})" for a in self.axes)
            )
        self._check_names()
        self.code = code_digest()
        self.keys = self._keys()

    def __len__(self) -> int:
        return math.prod(self.shape)

    def _check_names(self) -> None:
        """Refuse parameters that are given twice, or not at all."""
        given = dict.fromkeys(self.fixed, "parameters")
        for each in self.axes:
            if each.listed and EXPERIMENT in (other.name for other in self.axes[1:]):
                raise ValueError(
                    f"axis {EXPERIMENT!r} must have another name where there are "
                    "experiments, since their dimension has this one"
                )
            for name in {name: None for values in each.values for name in values}:
                first, dot, _ = name.partition(".")
                if dot and first not in given:
                    raise ValueError(
                        f"axis {name!r} needs a parameter {first!r} to change"
                    )
                where = "experiments" if each.listed else "axes"
                if not dot and first in given:
                    raise ValueError(
                        f"{first!r} is both in {given[first]} and in {where}"
                    )
                given.setdefault(first, where)
        check_names(self.function, given)

    def _keys(self) -> list[bytes]:
        """Return a digest of all that the result of each experiment depends on."""
        known: dict[int, bytes] = {}
        for given in [self.fixed, *(v for each in self.axes for v in each.values)]:
            for name, value in given.items():
                known.setdefault(id(value), _encoded(name, value)[0])
        task = self.code.encode() + _encoded("task", self.function)[0]
        found = []
        for item in range(len(self)):
            key = hashlib.blake2b(task, digest_size=SIZE)
            for name, value in sorted(self.parameters(item).items()):
                key.update(f"\n{name}=".encode())  # encoded values are of one line
                key.update(known.get(id(value)) or _encoded(name, value)[0])
            found.append(key.digest())
        return found

    def _places(self, item: int) -> tuple[int, ...]:
        return tuple(map(int, np.unravel_index(item, self.shape))) if self.shape else ()

    def parameters(self, item: int) -> dict[str, Any]:
        """Return the arguments of the task."""
        found = dict(self.fixed)
        for each, place in zip(self.axes, self._places(item), strict=True):
            for name, value in each.values[place].items():
                first, dot, _ = name.partition(".")
                found[first] = _replaced(name, found[first], value) if dot else value
        return found

    def described(self, item: int) -> str:
        """Return the labels of an item, as text."""
        places = zip(self.axes, self._places(item), strict=True)
        pairs = [f"{each.name}={each.labels[place]}" for each, place in places]
        return ", ".join(pairs) or "the only experiment"

    def dataset(self) -> xr.Dataset:
        """Return what a store keeps of this plan: labels, and keys of experiments."""
        keys = np.frombuffer(b"".join(self.keys), np.uint8).reshape((*self.shape, SIZE))
        about = {"sweep": self.name, "task": _name(self.function), "code": self.code}
        axes = [each.name for each in self.axes]
        return xr.Dataset({"key": ([*axes, "byte"], keys)}, self.coordinates(), about)

    def coordinates(self) -> dict[str, tuple[str, npt.NDArray[Any]]]:
        """Return labels of all axes, and of parameters that experiments list."""
        found = {each.name: (each.name, each.labels) for each in self.axes}
        for each in self.axes:
            for name in {n: None for values in each.values for n in values}:
                if each.listed:
                    given = labels_of(v[name] for v in each.values if name in v)
                    gap = math.nan if given.dtype.kind in "iuf" else ""
                    column = [values.get(name, gap) for values in each.values]
                    found[name] = (EXPERIMENT, labels_of(column))
        return found

    def modules(self) -> list[ModuleType]:
        """Return the modules of the user that the experiments need."""
        axes = [list(each.values) for each in self.axes]
        given = [self.function, self.fixed, axes]
        return list(_encoded("parameters", given)[1].modules.values())


# ---- checks before anything runs: those of the functions of this package


def _simulate(*, engine: str | None, **given: Any) -> None:
    experiment_of(**given)


def _solve(*, alpha: Any, **parts: Any) -> None:
    gather(**parts)
    increasing("alpha", alpha)


_CHECKS: dict[Callable[..., Any], Callable[..., Any]] = {
    rb.simulate: _simulate,
    rb.solve: _solve,
    rb.simulate_machine: machine_experiment,
    rb.simulate_classes: classes_experiment,
}


def _tried(plan: Plan) -> Iterator[int]:
    """Yield items so that each value, or many, of each axis occurs."""
    yield 0
    for axis_number, size in enumerate(plan.shape):
        step = math.prod(plan.shape[axis_number + 1 :])
        for place in np.unique(np.linspace(0, size - 1, min(size, _TRIED)).astype(int)):
            if place:
                yield int(place) * step


def check(plan: Plan) -> None:
    """Raise the errors that the task would raise for its arguments.

    Examples
    --------
    >>> parts = {"rule": rb.rules.Hebb(), "schedule": rb.schedules.Constant()}
    >>> check(Plan("solve", parts, {"alpha": [1, -1]}))
    Traceback (most recent call last):
    ValueError: alpha=-1: alpha must be finite and not negative, got -1.0
    """
    check_arguments = _CHECKS.get(plan.function)
    if check_arguments is None:
        return
    signature = inspect.signature(plan.function)
    for item in _tried(plan):
        bound = signature.bind(**plan.parameters(item))
        bound.apply_defaults()
        try:
            check_arguments(**bound.arguments)
        except (ValueError, TypeError) as failure:
            where = f"{plan.described(item)}: " if plan.shape else ""
            raise type(failure)(f"{where}{failure}") from failure


# ---- a sweep in a file

_KEYS = {
    "task": str,
    "store": str,
    "parameters": dict,
    "axes": dict,
    "experiments": list,
}
_WORDS = {str: "a text", dict: "a table", list: "a list of tables"}


def _flat(given: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield axes by full names: a table of lists is a part's attributes."""
    for key, value in given.items():
        if isinstance(value, Mapping) and not isinstance(value.get("count"), int):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _axis(function: Callable[..., Any], name: str, given: Any) -> Axis:
    if isinstance(given, Mapping) and set(given) == {"count"}:
        given = [*range(whole(f"count of axis {name!r}", given["count"], low=1))]
    if not isinstance(given, list):
        raise ValueError(
            f"axis {name!r} must be a list, or {{count = n}}, got {given!r}"
        )
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


def read_spec(path: Path) -> tuple[Plan, Path]:
    """Return the plan and the store of a TOML file."""
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
        path.stem,
    )
    return plan, path.parent / found.get("store", f"{path.stem}.sweep")
