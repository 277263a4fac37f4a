"""Code that was compiled ahead and is shipped inside the wheel.

A wheel holds machine code of all kernels, and of parts with their default values, for a
few levels of processors. It is used if it was compiled from the same sources with the
same versions of Python and numba. The processor must have all instructions of the
level. Everything else is compiled at its first call, as from a source checkout.

The build of the wheel (``hatch_build.py``) names a folder in the environment, and all
that is compiled is written there.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import platform
import sys
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys

from rosenblatt.system.notices import notify_compilation

__all__ = ["LEVELS", "StoredCode", "level_of_host", "shipped_folder"]

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
