"""Functions for kernels, compiled for one signature and kept on disk.

Numba's own cache does not know what a function encloses, and makes symbols of names and
numbers that other processes use too. Here a name says all that a function depends on,
besides the sources of this package.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
from numba.core.registry import cpu_target

from rosenblatt.compiling import storage
from rosenblatt.compiling.ahead import StoredCode
from rosenblatt.compiling.pipeline import PartCompiler
from rosenblatt.system.code import source_digest

__all__ = ["LOCK", "cache_in", "compiled_for", "compiling"]

LOCK = threading.RLock()  # numba's compiler is not meant for two threads at once
_MOST_STORED = 500  # parts of a process that are kept on disk: a long scan is not
_stored = itertools.count()
if hasattr(os, "register_at_fork"):  # a fork waits: a child would wait for ever
    os.register_at_fork(
        before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release
    )


@contextmanager
def compiling() -> Iterator[None]:
    """Let one thread compile, without the search for garbage.

    Numba makes many objects that live until the end of a compilation. To look through
    them again and again takes a seventh of its time.
    """
    with LOCK:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()


def compiled_for(
    signature: Any, function: Callable[..., Any], name: str | None = None
) -> Callable[..., Any]:
    """Compile a function that is passed to kernels, for one signature.

    With a ``name`` that tells everything the function depends on, besides its own
    module, its code is stored on disk.
    """
    if numba.config.DISABLE_JIT:
        return function
    # Division by zero gives an infinity, which engines report; contraction would make
    # compiled and plain Python differ.
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True}
    options["pipeline_class"] = PartCompiler
    with compiling():
        stored = name is not None and next(_stored) < _MOST_STORED
        if stored:
            source = source_digest("rosenblatt.compiling.jit", function.__module__)
            whole = f"{name} {signature} {source}"
            key = hashlib.sha256(whole.encode()).hexdigest()[:32]
            function = _named(function, key)
            compiled_function = numba.njit(**options)(function)
            # A folder for each: numba numbers the files of one function, and two
            # processes that keep different values would use the same number.
            with cache_in(os.path.join(storage.part_folder(), key)):
                compiled_function._cache = StoredCode(function, whole)
        else:
            compiled_function = numba.njit(**options)(function)
        # This signature now; others (whole numbers) only if somebody calls it by hand.
        compiled_function.compile(signature)
    _remember_addresses(compiled_function, signature)
    return compiled_function


def _named(function: Callable[..., Any], key: str) -> Callable[..., Any]:
    """Return the function under a name of its own.

    Numba makes symbols of names and of numbers that start anew in each process. Code of
    two values from two processes would have the same symbols, and where both are loaded
    one would be called for the other.
    """
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        f"{function.__name__}_{key}",
        function.__defaults__,
        function.__closure__,
    )
    copy.__qualname__ = f"{function.__qualname__}_{key}"
    copy.__module__ = function.__module__
    return copy


def _processor() -> str:
    """Return a digest of the processor for which code is compiled."""
    about = cpu_target.target_context.codegen().magic_tuple()
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


@contextmanager
def cache_in(folder: str) -> Iterator[None]:
    """Let numba keep code in a folder, apart from code for other processors.

    Numba numbers the files of one function. Two machines with one home that compile at
    the same time would use the same number, and one would run the code of the other.
    """
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = os.path.join(folder, _processor())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _remember_addresses(function: Any, signature: Any) -> None:
    """Make it cheap to pass a compiled function to a kernel.

    Numba asks for its two addresses at every call, which takes longer than a short run
    or one evaluation of a drift; they never change.
    """
    result = function.get_compile_result(signature)
    library = SimpleNamespace(
        get_pointer_to_function=functools.cache(result.library.get_pointer_to_function)
    )
    known = SimpleNamespace(fndesc=result.fndesc, library=library, keep=result)
    function.get_compile_result = lambda asked: known
