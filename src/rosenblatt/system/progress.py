"""A progress bar on standard error without a thread, and a notice of slow work.

A thread would keep this process from being forked. The process that waits for the work
calls ``update``, which draws the bar at most five times a second.

The library itself is silent. The command line asks for a notice when code is compiled.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Self

from rosenblatt.system.extras import missing

_INTERVAL = 0.2  # seconds between two drawings
_listeners: list[Callable[[], None]] = []


def on_compilation(show: Callable[[], None]) -> None:
    """Call a function, once, before this process first compiles code to be stored."""
    _listeners.append(show)


def notify_compilation() -> None:
    """Call all registered functions: compilation begins."""
    while _listeners:
        _listeners.pop()()


class ProgressBar:
    """A progress bar; a context manager that shows it and removes it.

    Parameters
    ----------
    total
        Amount of work.
    shown
        Whether to show the bar; None if standard error is a terminal.
    counted
        Whether work is counted, as "3/10", or a fraction, as "30%".
    done
        Work that was done before.
    keep
        Whether the last drawing stays; by default only where there is no terminal.

    Examples
    --------
    >>> with ProgressBar(10, shown=False) as bar:
    ...     bar.update(3, "some words")
    """

    def __init__(
        self,
        total: float,
        *,
        shown: bool | None = None,
        counted: bool = True,
        done: float = 0.0,
        keep: bool | None = None,
    ) -> None:
        self._bar: Any = None
        # Asked without rich, which takes longer to load than many calls.
        terminal = bool(os.environ.get("FORCE_COLOR")) or sys.stderr.isatty()
        if not (terminal if shown is None else shown):
            return
        try:  # when a bar is shown: most calls show none
            screen = import_module("rich.progress")
        except ImportError:
            if shown is None:
                return
            raise missing("rich", "a progress bar") from None
        keep = not terminal if keep is None else keep
        self._bar = screen.Progress(
            *(_counted(screen) if counted else _fraction(screen)),
            console=import_module("rich.console").Console(stderr=True),
            transient=not keep,
            auto_refresh=False,
            expand=counted,
            get_time=time.monotonic,
        )
        self._total = total
        self._task = self._bar.add_task(
            "", total=total if counted else None, completed=done
        )
        self._drawn = -math.inf

    @property
    def shown(self) -> bool:
        """True if anything is drawn."""
        return self._bar is not None

    def update(self, done: float | None, description: str | None = None) -> None:
        """Set the work that is done, if known, and its description.

        The bar is drawn if it was not drawn a moment ago.
        """
        if self._bar is None:
            return
        total = None if done is None else self._total
        self._bar.update(
            self._task, completed=done, total=total, description=description
        )
        now = time.monotonic()
        if now - self._drawn >= _INTERVAL:
            self._bar.start()
            self._bar.refresh()
            self._drawn = now

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        """Draw the bar a last time, or remove it."""
        if self._bar is not None and self._drawn > -math.inf:
            self._bar.stop()
        self._bar = None


def _counted(screen: Any) -> list[Any]:
    """Return columns for work that is counted; long descriptions are cut."""
    column = import_module("rich.table").Column
    short = column(no_wrap=True, overflow="ellipsis", ratio=1)
    return [
        screen.BarColumn(bar_width=24),
        screen.MofNCompleteColumn(),
        screen.TimeElapsedColumn(),
        screen.TimeRemainingColumn(),
        screen.TextColumn("{task.description}", table_column=short),
    ]


def _fraction(screen: Any) -> list[Any]:
    """Return columns for a fraction of work."""
    return [
        screen.TextColumn("{task.description}"),
        screen.BarColumn(),
        screen.TextColumn("{task.percentage:>3.0f}%"),
        screen.TimeRemainingColumn(),
    ]
