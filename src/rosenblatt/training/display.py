"""A live bar: how far, how fast, and how well."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from rosenblatt.training.record import Record

__all__ = ["Display", "summary"]


def summary(record: Record) -> str:
    """Return error and log-loss so far.

    Examples
    --------
    >>> summary(Record(rows=10, judged=10, mistakes=3, log_loss=5.0))
    'error 0.3000, log-loss 0.5000'
    """
    if record.error is None:
        return "nothing judged yet"
    text = f"error {record.error:.4f}"
    loss = record.mean_log_loss
    return text if loss is None else f"{text}, log-loss {loss:.4f}"


class Display:
    """The bar, on standard error; without ``shown`` it does nothing."""

    def __init__(self, shown: bool | None) -> None:
        console = Console(stderr=True)
        self._shown = console.is_terminal if shown is None else shown
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeRemainingColumn(),
            console=console,
            transient=False,
            disable=not self._shown,
        )
        self._task = self._bar.add_task("reading", total=None)
        self._began = time.perf_counter()
        self._rows: int | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        failure: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def update(
        self, record: Record, rows: int, done: float | None, where: str = ""
    ) -> None:
        """Show what is known after that many rows."""
        if not self._shown:
            return
        if self._rows is None:  # rows before this start are no speed
            self._rows, self._began = rows, time.perf_counter()
        taken = max(time.perf_counter() - self._began, 1e-9)
        speed = (rows - self._rows) / taken
        self._bar.update(
            self._task,
            description=f"{where}{rows:,} rows, {speed:,.0f}/s, {summary(record)}",
            total=None if done is None else 1.0,
            completed=done or 0.0,
        )
