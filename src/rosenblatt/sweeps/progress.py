"""A bar that says how far a sweep is, without a thread of its own.

A thread would keep processes from being forked, and so is drawn by whoever waits.
"""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

__all__ = ["Bar"]

_EVERY = 0.2  # seconds


class Bar:
    """Progress of one sweep, on the error output."""

    def __init__(self, shown: bool | None) -> None:
        console = Console(stderr=True)
        self._shown = console.is_terminal if shown is None else shown
        self._console = console
        self._progress: Progress | None = None
        self._drawn = -_EVERY
        self._total = 0

    def start(self, total: int, left: int) -> None:
        """Show the bar."""
        self._total = total
        if not self._shown:
            return
        self._progress = Progress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=self._console,
            transient=True,
            auto_refresh=False,
            get_time=time.monotonic,
        )
        self._task = self._progress.add_task("", total=total, completed=total - left)
        self._progress.start()

    def show(self, left: int, workers: int, failed: int) -> None:
        """Draw how far it is, if it was not drawn a moment ago."""
        now = time.monotonic()
        if self._progress is None or now - self._drawn < _EVERY:
            return
        self._drawn = now
        said = f"{workers} at work" + (f", {failed} failed" if failed else "")
        self._progress.update(
            self._task, completed=self._total - left, description=said
        )
        self._progress.refresh()

    def stop(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
