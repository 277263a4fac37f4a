"""Build hook: a wheel with machine code, if ``ROSENBLATT_COMPILE=1`` is set.

``make wheel`` builds such a wheel, for this version of Python and of numba. Without the
variable a wheel holds Python only, as a source checkout does, and code is compiled when
it is first needed.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SOURCE = Path(__file__).parent / "src"


class CompileAheadHook(BuildHookInterface):
    """Adds code compiled ahead to the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile for each level of processors in a process of its own."""
        if version == "editable" or not os.environ.get("ROSENBLATT_COMPILE"):
            return
        sys.path.insert(0, str(_SOURCE))
        storage = importlib.import_module("rosenblatt.compiling.storage")
        self._folder = tempfile.TemporaryDirectory()
        for level, (_, features) in storage.LEVELS.items():
            folder = Path(self._folder.name) / storage.shipped_folder(level)
            folder.mkdir()
            _compile_into(folder, level, features)
        build_data["force_include"][self._folder.name] = "rosenblatt/compiled"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Remove the temporary folder."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _compile_into(folder: Path, level: str, features: str) -> None:
    """Compile everything for a level of processors; nothing of it is run."""
    with tempfile.TemporaryDirectory() as cache:
        subprocess.run(
            [sys.executable, __file__],
            env=os.environ
            | {
                "NUMBA_CPU_NAME": level,
                "NUMBA_CPU_FEATURES": features,
                "PYTHONPATH": str(_SOURCE),
                "ROSENBLATT_COMPILE_INTO": str(folder),
                "XDG_CACHE_HOME": cache,
            },
            check=True,
        )


def _compile_all() -> None:
    """Compile all kernels of the package, and parts with their default values."""
    package = importlib.import_module("rosenblatt")
    for info in pkgutil.walk_packages(package.__path__, "rosenblatt.", lambda _: None):
        if info.name != "rosenblatt.__main__":
            _compile_module(info.name)
    _compile_parts()


def _compile_module(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError:  # an extra that is not installed
        return
    for value in vars(module).values():
        if getattr(value, "__module__", "") == name:
            getattr(value, "build", lambda: None)()


def _compile_parts() -> None:
    """Compile parts with their default values, and rules that hold a perceptron."""
    jit = importlib.import_module("rosenblatt.compiling.jit")
    law = importlib.import_module("rosenblatt.numerics.likelihood")
    perceptron = importlib.import_module("rosenblatt.rules").Perceptron()
    for folder in ("rules", "schedules", "teachers"):
        module = importlib.import_module(f"rosenblatt.{folder}")
        for name in module.__all__:
            for given in ((), (perceptron,)):
                # no part, or one that is made of something else
                with contextlib.suppress(TypeError, AttributeError, ValueError):
                    part = getattr(module, name)(*given)
                    jit.compiled(part)
                    if folder == "teachers":
                        jit.over_arrays(part)
                        law.drawing(part)


if __name__ == "__main__":
    _compile_all()
