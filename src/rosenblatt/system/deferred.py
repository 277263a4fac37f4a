"""Imports that cost time and are not used: deferred, or hidden from their importers.

scikit-learn imports ``scipy.stats`` and pandas whenever it is imported; together they
take a third of the start of a command that uses neither. Only the command line changes
that, because it owns its process.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any

__all__ = ["defer", "hidden", "import_light"]

_lock = RLock()


class _Deferred(ModuleType):
    """A module that runs its code when an attribute is missing.

    ``importlib.util.LazyLoader`` runs it at any access; before Python 3.12 a second
    ``import`` is one. ``__path__`` is missing at first, so that an import of a
    submodule runs the package first.
    """

    def __getattr__(self, name: str) -> Any:
        with _lock:
            spec: Any = self.__spec__
            if type(self) is _Deferred:
                self.__class__ = ModuleType  # type: ignore[assignment]
                if spec.submodule_search_locations is not None:
                    self.__path__ = spec.submodule_search_locations
                spec.loader.exec_module(self)
        return getattr(self, name)


def defer(name: str) -> None:
    """Make the first import of a module free; its first use pays for it.

    Examples
    --------
    >>> defer("tabnanny")
    >>> import tabnanny
    >>> vars(tabnanny)["__doc__"] is None
    True
    """
    if name in sys.modules:
        return
    spec: Any = importlib.util.find_spec(name)
    if spec is None:
        return
    module = importlib.util.module_from_spec(spec)
    vars(module).pop("__path__", None)
    module.__class__ = _Deferred
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)  # as an import does


class _Hidden:
    """An importer that raises an error for one package.

    ``None`` among the imported modules does the same for imports of Python, but not
    for those of compiled code, such as Arrow's.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, name: str, *_: object) -> None:
        """Raise ModuleNotFoundError for the package; find nothing else."""
        if name == self._name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """Make an optional package look as if it were not installed.

    As soon as pandas is among the imported modules, scikit-learn and Arrow check
    whether each array is a data frame. That would load a deferred pandas.

    Examples
    --------
    >>> with hidden("pyclbr"):
    ...     import pyclbr
    Traceback (most recent call last):
    ModuleNotFoundError: No module named 'pyclbr'
    """
    importer: Any = _Hidden(name)
    sys.meta_path.insert(0, importer)
    try:
        yield
    finally:
        sys.meta_path.remove(importer)


@functools.cache
def import_light() -> None:
    """Import scikit-learn and Arrow without what no command for tables uses, once."""
    for unused in ("numpy.f2py", "scipy.stats"):
        defer(unused)
    with hidden("pandas"):
        import_module("sklearn.utils")
        if importlib.util.find_spec("pyarrow") is not None:
            import_module("pyarrow").array([0])  # looks for pandas, once
