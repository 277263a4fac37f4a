"""Storage of compiled code between processes.

The kernels of a module are stored in a folder of their own. Its name is a digest of the
module's sources and of all sources that it imports. A compiled part is stored under a
digest of its numbers and of its sources. A user's own functions are compiled in every
process: they may call anything, and an edit of that would not be noticed.

A wheel holds machine code of all kernels, and of parts with their default values, for a
few levels of processors. It is used if it was compiled from the same sources with the
same versions of Python and numba. The processor must have all instructions of the
level. Everything else is compiled at its first call, as from a source checkout.

The build of the wheel (``hatch_build.py``) names a folder in the environment, and all
that is compiled is written there.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

from rosenblatt.core.parts import Part
from rosenblatt.system.code import source_digest
from rosenblatt.system.progress import notify_compilation

try:
    import fcntl
except ImportError:  # on Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]


_FEW = 6  # versions of a module whose code is stored: no more are in use at once
_MANY = 5_000  # compiled parts, above which all are removed
_LONGEST = 60.0  # seconds that a process waits for another one; the longest takes a few
_PAUSE = 0.02  # seconds between two looks


def _last_use(path: Path) -> float:
    """Return when a folder was last wanted; another process may just remove it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _remove_old(home: Path, module: str, folder: Path) -> None:
    """Remove folders of other versions of a module."""
    others = sorted(home.glob(f"{module}-*"), key=_last_use)
    for old in [path for path in others if path != folder][: -_FEW + 1]:
        shutil.rmtree(old, ignore_errors=True)


def _home() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "rosenblatt"


@functools.cache
def kernel_folder(module: str) -> str:
    """Return a folder for the kernels of a module, as its sources are now.

    Sources are those of the module and of all that it imports from this package.
    """
    name = f"{module}-{source_digest(module)}"
    return _writable(name, lambda home: _remove_old(home, module, home / name))


@functools.cache
def part_folder() -> str:
    """Return the folder for compiled parts: one folder inside for each part."""
    return _writable("parts", _empty_if_many)


def _empty_if_many(home: Path) -> None:
    """Remove all compiled parts once there are too many of them."""
    if (home / "parts").is_dir() and len(os.listdir(home / "parts")) > _MANY:
        shutil.rmtree(home / "parts", ignore_errors=True)


def _writable(name: str, tidy: Callable[[Path], None]) -> str:
    try:
        home = _home()
        chosen = home / name
        tidy(home)
        chosen.mkdir(parents=True, exist_ok=True)
        os.utime(chosen)
        with tempfile.TemporaryFile(dir=chosen):
            return str(chosen)
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        chosen = _temporary_home() / name
        chosen.mkdir(exist_ok=True)
        return str(chosen)


@functools.cache
def _temporary_home() -> Path:
    """Return a folder of this process, which removes it when it ends."""
    home, owner = tempfile.mkdtemp(prefix="rosenblatt-"), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # a fork ends earlier
            shutil.rmtree(home, ignore_errors=True)

    atexit.register(remove)
    return Path(home)


@contextlib.contextmanager
def one_process(folder: str, name: str) -> Iterator[None]:
    """Let one process at a time compile a function; the next ones find it stored.

    The lock of a process that dies is free. If it cannot be had, each process compiles
    for itself.
    """
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            lock = os.open(os.path.join(folder, f"{name}.lock"), os.O_RDWR | os.O_CREAT)
            held.callback(os.close, lock)
            end = time.monotonic() + _LONGEST
            while not _locked(lock) and time.monotonic() < end:
                time.sleep(_PAUSE)
            held.callback(_free, lock)
        yield


def _locked(lock: int) -> bool:
    """Return whether a lock was free, and is now held by this process."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _free(lock: int) -> None:
    """Give a lock back; to close it does not, if a fork has a copy of it."""
    if fcntl is not None:
        fcntl.flock(lock, fcntl.LOCK_UN)


def name_of(value: Any) -> str | None:
    """Return a name that tells all there is to know of a part, if that is possible.

    It holds digests of the sources of its classes, so that an edit gives another name.
    None says that it holds something from outside of this package.

    Examples
    --------
    >>> from rosenblatt.rules import Decay, Perceptron
    >>> name_of(Decay(Perceptron(), 0.5)).count("rosenblatt.")
    2
    >>> name_of(print) is None
    True
    """
    if value is None or type(value) in (bool, int, float, str):
        return repr(value)
    if isinstance(value, tuple):
        names = [name_of(entry) for entry in value]
        return None if None in names else f"({','.join(map(str, names))})"
    if inspect.isfunction(value):
        whole = f"{value.__module__}.{value.__qualname__}"
        plain = whole.startswith("rosenblatt.") and "<" not in whole
        return f"{whole}@{source_digest(value.__module__)}" if plain else None
    kind = type(value)
    ours = kind.__module__.startswith("rosenblatt.")
    if not ours or not (isinstance(value, Part) or is_dataclass(value)):
        return None
    entries = name_of(tuple(vars(value).items()))
    if entries is None:
        return None
    source = source_digest(kind.__module__)
    return f"{kind.__module__}.{kind.__qualname__}@{source}{entries}"


_HERE = Path(__file__).parent.parent / "compiled"
# Features of each level, by LLVM's names: the x86-64 psABI, the best level first. The
# second entry lets the compiler use registers of 512 bits, which it avoids by default.
LEVELS = {
    "x86-64-v4": (
        "avx512f avx512bw avx512cd avx512dq avx512vl avx2 bmi bmi2 fma f16c movbe",
        "-prefer-256-bit",
    ),
    "x86-64-v3": ("avx2 bmi bmi2 fma f16c movbe", ""),
}


@functools.cache
def level_of_host() -> str | None:
    """Return the best level that this processor has; None for other processors."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return None
    features = binding.get_host_cpu_features()
    for level, (needed, _) in LEVELS.items():
        if all(features.get(name, False) for name in needed.split()):
            return level
    return None


def shipped_folder(level: str) -> str:
    """Return the folder's name for code of a level, made by this Python and numba."""
    python = f"{sys.implementation.cache_tag}"
    return f"{platform.system().lower()}-{level}-{python}-numba-{numba.__version__}"


@functools.cache
def _shipped() -> Path | None:
    """Return the folder with code for this machine, if the package has one."""
    if "NUMBA_CPU_NAME" in os.environ or "NUMBA_CPU_FEATURES" in os.environ:
        return None  # asked for other instructions
    if not _HERE.is_dir():
        return None
    level = level_of_host()
    folder = None if level is None else _HERE / shipped_folder(level)
    return folder if folder is not None and folder.is_dir() else None


class StoredCode(FunctionCache):
    """Stored code of one function: what this machine has compiled, or what is shipped.

    Parameters
    ----------
    function
        The plain function.
    name
        All that the code depends on, besides the processor: values and sources.
    """

    def __init__(self, function: Any, name: str) -> None:
        super().__init__(function)
        self._key = hashlib.sha256(name.encode()).hexdigest()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return sig, codegen.magic_tuple(), self._key

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load stored code, without all that numba needs only to compile.

        numba fills its tables of known functions first, which takes longer than loading
        the kernels of a fit; its compiler fills them itself.
        """
        rtsys.initialize(target_context)  # the runtime that compiled code calls
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            own = super()._load_overload(sig, target_context)
        except Exception:  # a damaged file makes pickle raise anything
            self.flush()  # numba reads the index again before it saves
            own = None
        if own is not None:
            return own
        folder = _shipped()
        file = None if folder is None else folder / self._key[:32]
        if file is None or not file.is_file():
            notify_compilation()
            return None
        return self._impl.rebuild(target_context, pickle.loads(file.read_bytes()))

    def _save_overload(self, sig: Any, data: Any) -> None:
        super()._save_overload(sig, data)
        folder = os.environ.get("ROSENBLATT_COMPILE_INTO")
        if folder:
            payload = pickle.dumps(self._impl.reduce(data), protocol=-1)
            (Path(folder) / self._key[:32]).write_bytes(payload)
