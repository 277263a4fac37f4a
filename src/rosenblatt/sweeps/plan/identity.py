"""Digests of values, the same in every process.

A digest must never stay the same where a result would change. Values are therefore
taken apart into numbers, text and bytes. Functions are taken apart into their code, the
variables that they enclose and the globals that they name. Other values are refused.
"""

from __future__ import annotations

import contextlib
import inspect
import pickle
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
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
# What a class knows about itself that changes nothing, or that its methods repeat.
_ABOUT = {
    "__dataclass_fields__", "__dataclass_params__", "__dict__", "__doc__",
    "__firstlineno__", "__module__", "__weakref__",
}  # fmt: skip
_LIBRARIES = [
    Path(sysconfig.get_path(kind)).resolve()
    for kind in ("stdlib", "platstdlib", "purelib", "platlib")
]


def _ours(module: str | None) -> bool:
    return (module or "").partition(".")[0] == _PACKAGE


def _code(code: CodeType) -> Iterator[bytes]:
    """Yield byte code and constants, without line numbers."""
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars)).encode()
    for constant in code.co_consts:
        yield from _constant(constant)


def _constant(value: Any) -> Iterator[bytes]:
    if isinstance(value, CodeType):
        yield from _code(value)
    elif isinstance(value, tuple):
        yield f"tuple {len(value)}".encode()
        for entry in value:
            yield from _constant(entry)
    elif isinstance(value, frozenset):
        yield _unordered(joined(*_constant(entry)) for entry in value)
    else:
        yield repr(value).encode()


def _unordered(digests: Iterable[bytes]) -> bytes:
    """Return the digest of a set; its order does not matter."""
    return joined(b"set", *sorted(digests))


def _names(code: CodeType) -> set[str]:
    inside = (c for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*(_names(c) for c in inside))


def _own(module: ModuleType | None) -> Path | None:
    """Return the file of a user's own module; libraries are known by their names."""
    name = getattr(module, "__file__", None)
    if module is None or name is None or _ours(module.__name__):
        return None
    path = Path(name).resolve()
    return None if _library(path) or not path.is_file() else path


def _library(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _LIBRARIES)


def _fileless(name: str | None) -> bool:
    """Return whether a module has no file, as in a notebook."""
    if _ours(name) or name in sys.builtin_module_names:
        return False
    file = getattr(sys.modules.get(name or ""), "__file__", None)
    return file is None or not Path(file).is_file()


class _UnknownError(Exception):
    """A value that cannot be taken apart."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def _pieces(member: Any) -> tuple[Any, ...]:
    """Return the functions of a method or property."""
    if isinstance(member, property):
        return member.fget, member.fset, member.fdel
    return (getattr(member, "__func__", member),)


class _Walk:
    """One walk through a value; functions and classes are entered once."""

    def __init__(self) -> None:
        self.entered: set[int] = set()
        self.modules: dict[str, ModuleType] = {}

    def named(self, thing: Any, kind: str) -> Iterator[bytes]:
        """Yield the name of a function or a class, and the file it is from."""
        yield f"{kind} {thing.__module__}:{thing.__qualname__}".encode()
        module = sys.modules.get(thing.__module__ or "")
        path = _own(module)
        if module is not None and path is not None:  # what else is in it may count
            self.modules[thing.__module__] = module
            yield path.read_bytes()

    def function(self, function: FunctionType) -> Iterator[bytes]:
        yield from self.named(function, "function")
        if _ours(function.__module__) or id(function) in self.entered:
            return
        self.entered.add(id(function))
        yield from _code(function.__code__)
        yield from self.value(function.__defaults__)
        yield from self.value(function.__kwdefaults__)
        for cell in function.__closure__ or ():
            yield from self.value(cell.cell_contents)
        for name in sorted(_names(function.__code__) & set(function.__globals__)):
            found = function.__globals__[name]
            yield name.encode()
            yield from self.used(found, _fileless(function.__module__))

    def used(self, found: Any, fileless: bool) -> Iterator[bytes]:
        """Yield a digest of a global that code uses, or its type if it has none."""
        try:
            yield joined(*self.value(found))
        except _UnknownError:
            yield f"{type(found).__module__}:{type(found).__qualname__}".encode()
            if fileless:
                with contextlib.suppress(Exception):  # of what cannot be pickled
                    yield pickle.dumps(found)

    def kind(self, found: type, kind: str) -> Iterator[bytes]:
        """Yield a class: its name and file or, where there is none, its methods."""
        yield from self.named(found, kind)
        if not _fileless(found.__module__) or id(found) in self.entered:
            return
        self.entered.add(id(found))
        for base in found.__bases__:
            yield from self.kind(base, "base")
        for name, member in sorted(vars(found).items()):
            if name in _ABOUT:
                continue
            yield name.encode()
            for inner in _pieces(member):
                yield from self.used(inner, fileless=False)

    def inside(self, value: Any) -> Iterator[bytes]:
        yield from self.kind(type(value), "value")
        yield from self.value(dict(vars(value)))

    def value(self, value: Any) -> Iterator[bytes]:
        if value is None or isinstance(value, bool | int | float | complex | str):
            # 1, 1.0 and True are different
            yield f"{type(value).__name__} {value!r}".encode()
        elif isinstance(value, bytes):
            yield b"bytes"
            yield value
        elif isinstance(value, np.ndarray | np.generic):
            array = np.ascontiguousarray(value)
            if array.dtype.hasobject:
                raise _UnknownError(value)
            yield f"array {array.dtype.str} {np.shape(value)}".encode()
            yield array.tobytes()
        elif isinstance(value, tuple | list | range):
            yield f"sequence {len(value)}".encode()  # tuples and lists are the same
            for entry in value:
                yield from self.value(entry)
        elif isinstance(value, Mapping):
            yield f"mapping {len(value)}".encode()
            for key, entry in value.items():
                yield from self.value(key)
                yield from self.value(entry)
        elif isinstance(value, ModuleType):
            yield f"module {value.__name__}".encode()
        elif isinstance(function := getattr(value, "py_func", value), FunctionType):
            yield from self.function(function)
        elif isinstance(value, set | frozenset):
            yield _unordered(joined(*self.value(entry)) for entry in value)
        elif isinstance(value, type):
            yield from self.kind(value, "class")
        elif inspect.isbuiltin(value):
            yield from self.named(value, "class")
        elif isinstance(value, Part | Start) or is_dataclass(value):
            yield from self.inside(value)
        elif isinstance(value, PurePath):
            yield f"path {value}".encode()
        else:
            raise _UnknownError(value)


def _walked(name: str, value: Any) -> tuple[bytes, _Walk]:
    walk = _Walk()
    try:
        return joined(*walk.value(value)), walk
    except _UnknownError as unknown:
        inside = "" if unknown.value is value else f" in {value!r}"
        raise TypeError(
            f"{name} must be made of numbers, text, arrays, lists, dictionaries, "
            f"parts, dataclasses and functions, so that its result is found again, "
            f"got {unknown.value!r}{inside}"
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
