"""Notices of slow work that a user should know of.

The library itself is silent. The command line asks for a notice when code is compiled.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["notify_compilation", "on_compilation"]

_listeners: list[Callable[[], None]] = []


def on_compilation(show: Callable[[], None]) -> None:
    """Call a function, once, before this process first compiles code to be stored."""
    _listeners.append(show)


def notify_compilation() -> None:
    """Call all registered functions: compilation begins."""
    while _listeners:
        _listeners.pop()()
