"""Fast start of the commands for tables."""

from __future__ import annotations

from importlib import import_module

from rosenblatt.system.deferred import defer, hidden

__all__ = ["import_light"]


def import_light() -> None:
    """Import scikit-learn without the parts of it that no command for tables uses."""
    for unused in ("numpy.f2py", "scipy.stats"):
        defer(unused)
    with hidden("pandas"):
        import_module("sklearn.utils")
