"""Import of a user's own file as a module."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

__all__ = ["load"]


def _where(failure: Exception, path: Path) -> str:
    """Return the line of the file that raised the error."""
    if isinstance(failure, SyntaxError):
        return f"line {failure.lineno}: {failure.msg}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(failure.__traceback__)
        if frame.filename == str(path)
    ]
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    return f"line {lines[-1]}: {what}" if lines else what


def load(file: str) -> ModuleType:
    """Run a file once and return it as a module; its folder becomes importable.

    Examples
    --------
    >>> load("nowhere.py")
    Traceback (most recent call last):
    ValueError: there is no file 'nowhere.py'
    """
    path = Path(file).expanduser().resolve()
    name = path.stem
    if not path.is_file():
        raise ValueError(f"there is no file {file!r}")
    known = sys.modules.get(name)
    if known is not None:
        if getattr(known, "__file__", None) == str(path):
            return known
        raise ValueError(f"{file} must be renamed: {name!r} is another module already")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)  # where Python puts the folder of a script
    sys.modules[name] = module  # dataclasses look their module up while it runs
    try:
        spec.loader.exec_module(module)
    except Exception as failure:
        del sys.modules[name]
        raise ValueError(
            f"{file} cannot be loaded: {_where(failure, path)}"
        ) from failure
    return module
