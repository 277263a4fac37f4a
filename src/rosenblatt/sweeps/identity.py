"""Digests of experiments, the same in every process.

Values are taken apart into numbers, text and bytes. A function or class of a user is
its file (or its source text, in a notebook) and the values that it encloses; what its
file imports does not count. Other values are refused.
"""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from pathlib import Path, PurePath
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from rosenblatt.core.starts import Start
from rosenblatt.core.vocabulary import Part
from rosenblatt.system.digests import joined

__all__ = ["digest", "own_modules"]

_PACKAGE = __name__.partition(".")[0]


_LIBRARY = {_PACKAGE, *sys.stdlib_module_names}


class _UnknownError(Exception):
    """A value that cannot be taken apart."""


class _Walk:
    """One walk through a value; each function and class is entered once."""

    def __init__(self) -> None:
        self.modules: dict[str, ModuleType] = {}
        self._entered: set[int] = set()

    def _function(self, function: FunctionType) -> Iterator[bytes]:
        yield from self._named(function)
        if self._known(function):
            return
        yield from self.value(function.__code__)
        yield from self.value(function.__defaults__)
        yield from self.value(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            yield from self.value(cell.cell_contents)
        if function.__module__ not in self.modules:  # in no file: a notebook's cell
            names = {*_names(function.__code__)} & {*function.__globals__}
            for name in sorted(names):
                yield from self._global(name, function.__globals__[name])

    def _global(self, name: str, value: Any) -> Iterator[bytes]:
        yield name.encode()
        try:
            yield joined(*self.value(value))
        except _UnknownError:
            try:
                yield pickle.dumps(value)
            except Exception:  # no more than its type is known
                yield str(type(value)).encode()

    def _class(self, kind: type) -> Iterator[bytes]:
        yield from self._named(kind)
        if self._known(kind) or kind.__module__ in self.modules:
            return
        for base in kind.__bases__:
            yield from self._class(base)
        for name, member in sorted(vars(kind).items()):
            function = getattr(member, "fget", getattr(member, "__func__", member))
            if isinstance(function, FunctionType):
                yield from self._global(f"{type(member)} {name}", function)

    def _known(self, thing: Any) -> bool:
        """Return whether this package or Python has it, or it was entered before."""
        known = (thing.__module__ or "").partition(".")[0] in _LIBRARY
        known |= id(thing) in self._entered
        self._entered.add(id(thing))
        return known

    def _named(self, thing: Any) -> Iterator[bytes]:
        """Yield the name of a function or class, and the file of a user's one."""
        yield f"{thing.__module__}:{thing.__qualname__}".encode()
        module = sys.modules.get(thing.__module__ or "")
        path = Path(getattr(module, "__file__", None) or "")
        if module is None or (thing.__module__).partition(".")[0] in _LIBRARY:
            return
        if path.is_file() and "site-packages" not in path.parts:
            self.modules[thing.__module__] = module
            yield path.read_bytes()

    def value(self, value: Any) -> Iterator[bytes]:
        """Yield what a value is made of."""
        if value is None or isinstance(value, bool | int | float | complex | str):
            yield f"{type(value).__name__} {value!r}".encode()  # 1 is not 1.0
        elif isinstance(value, bytes | PurePath) or value is ...:
            yield repr(value).encode()
        elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            yield f"array {value.dtype.str} {value.shape}".encode()
            yield value.tobytes()
        elif isinstance(value, tuple | list | range):
            yield f"sequence {len(value)}".encode()  # tuples and lists are the same
            for entry in value:
                yield from self.value(entry)
        elif isinstance(value, set | frozenset):
            yield b"set"
            yield joined(*sorted(joined(*self.value(entry)) for entry in value))
        elif isinstance(value, Mapping):
            yield f"mapping {len(value)}".encode()
            for pair in value.items():
                yield from self.value(pair)
        elif isinstance(value, ModuleType):
            yield f"module {value.__name__}".encode()
        elif isinstance(function := getattr(value, "py_func", value), FunctionType):
            yield from self._function(function)
        elif isinstance(value, CodeType):
            yield value.co_code
            yield repr((value.co_names, value.co_varnames)).encode()
            yield from self.value(value.co_consts)
        elif isinstance(value, type):
            yield from self._class(value)
        elif inspect.isbuiltin(value):
            yield from self._named(value)
        elif isinstance(value, Part | Start) or is_dataclass(value):
            yield from self._class(type(value))
            yield from self.value(vars(value))
        else:
            raise _UnknownError(value)


def _names(code: CodeType) -> set[str]:
    inside = (c for c in code.co_consts if isinstance(c, CodeType))
    return {*code.co_names}.union(*map(_names, inside))


def _walked(name: str, value: Any) -> tuple[bytes, _Walk]:
    walk = _Walk()
    try:
        return joined(*walk.value(value)), walk
    except _UnknownError as unknown:
        inside = "" if unknown.args[0] is value else f" in {value!r}"
        raise TypeError(
            f"{name} must be made of numbers, text, arrays, lists, dictionaries, "
            "parts, dataclasses and functions, so that its result is found again, "
            f"got {unknown.args[0]!r}{inside}"
        ) from None


def digest(name: str, value: Any) -> bytes:
    """Return the digest of a value; the name is for error messages.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> digest("rule", rb.rules.Hebb()) == digest("rule", rb.rules.Hebb())
    True
    >>> digest("dim", 1) == digest("dim", 1.0)
    False
    """
    return _walked(name, value)[0]


def own_modules(value: Any) -> list[ModuleType]:
    """Return the modules outside of this package that a value needs."""
    return list(_walked("value", value)[1].modules.values())
