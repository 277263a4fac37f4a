"""Tasks: functions with a name, and their parameters.

Named tasks are the public functions of this package, ``simulate``, ``solve``,
``simulate_machine``, ``theory.solve_online``; others are ``file.py:function``. Whatever
a task is called with, its result must depend on nothing else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import rosenblatt as rb
from rosenblatt.spelling.names import function as own_function
from rosenblatt.spelling.names import possible
from rosenblatt.spelling.parts import parse

__all__ = ["build", "check_names", "resolve", "run", "title"]

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


def title(function: Callable[..., Any]) -> str:
    """Return the name of a task for files and messages.

    Examples
    --------
    >>> title(rb.simulate)
    'rosenblatt.simulation.simulate:simulate'
    """
    return f"{function.__module__}:{function.__qualname__}"


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
