"""The garbage collector of Python, paused for imports and for compilation.

Both make some hundred thousand objects that stay. Meanwhile the collector looks at all
objects of the process several times, which takes a fifth of the time until a first fit.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import lazy_loader

__all__ = ["attach_stub", "paused"]

_MANY = 100  # modules whose import makes enough objects for a collection of all


@contextmanager
def paused() -> Iterator[None]:
    """Run without the collector.

    Examples
    --------
    >>> with paused():
    ...     gc.isenabled()
    False
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def attach_stub(
    package: str, filename: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the functions by which a package imports its public names when used.

    They are those of ``lazy_loader``. After an import of many modules all objects count
    as old: the collector looks at them once a quarter as many have been added.
    """
    load, names, public = lazy_loader.attach_stub(package, filename)

    def load_paused(name: str) -> Any:
        with paused():
            before = len(sys.modules)
            found = load(name)
            if len(sys.modules) - before > _MANY and gc.get_freeze_count() == 0:
                gc.freeze()  # moves all objects, without a look at them
                gc.unfreeze()
            return found

    return load_paused, names, public
