"""Progress of a run: its bar, interrupts, reading ahead, intervals of checkpoints."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self, TypeVar

from rosenblatt.system.progress import ProgressBar
from rosenblatt.training.record import Record

Item = TypeVar("Item")


class TrainingBar(ProgressBar):
    """Progress bar of training; ``shown`` is None for terminals only."""

    def __init__(self, shown: bool | None) -> None:
        super().__init__(1.0, shown=shown, counted=False, keep=True)
        self._first: tuple[int, float] | None = None  # rows and time at the start

    def update_record(
        self,
        record: Record,
        rows: int,
        done: float | None,
        before: str = "",
        model: Any = None,
    ) -> None:
        """Show error and AUC of the next row and of later ones, after some rows."""
        if not self.shown:
            return
        now = time.perf_counter()
        if self._first is None:  # rows before this start are no speed
            self._first = rows, now
        speed = (rows - self._first[0]) / max(now - self._first[1], 1e-9)
        text = f"{before}{rows:,} rows, {speed:,.0f}/s"
        known = [("next row", record.error, record.metrics.auc)]
        later = getattr(model, "later_", None) if hasattr(model, "classes_") else None
        if later is not None and later.rows:
            known.append(("10% ahead", later.error, later.auc))
        for what, error, auc in known:
            if error is not None:
                text += f"; {what}: error {error:.4f}"
                text += "" if auc is None or math.isnan(auc) else f", AUC {auc:.4f}"
        self.update(done, text)


class TrainingInterrupted(KeyboardInterrupt):
    """Error of training that was interrupted; the message says how to resume."""


class Interrupts:
    """Context in which Ctrl-C and SIGTERM raise KeyboardInterrupt, or have to wait.

    Only the main thread can do this; elsewhere it does nothing.
    """

    def __init__(self) -> None:
        self._held = self._asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if not self._held or self._asked:
            raise KeyboardInterrupt
        self._asked = True

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the first interrupt wait for the end of a block; the second one acts."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._asked:
            raise KeyboardInterrupt


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items of an iterator; a thread makes the next one meanwhile.

    Examples
    --------
    >>> list(ahead(iter(range(5))))
    [0, 1, 2, 3, 4]
    """
    with ThreadPoolExecutor(1, "reader") as pool:
        coming = pool.submit(next, items, None)
        while (item := coming.result()) is not None:
            coming = pool.submit(next, items, None)
            yield item


class Interval:
    """Interval of checkpoints, in seconds or rows.

    Examples
    --------
    >>> Interval("1e3").due(1000)
    True
    >>> Interval("often")
    Traceback (most recent call last):
    ValueError: checkpoint_every must be seconds like 60s or rows like 1e6, got 'often'
    """

    def __init__(self, text: str) -> None:
        try:
            self._left = self._amount = float(str(text).removesuffix("s"))
        except ValueError:
            self._amount = 0.0
        if self._amount < 1 or not self._amount.is_integer():
            raise ValueError(
                "checkpoint_every must be seconds like 60s or rows like 1e6, "
                f"got {str(text)!r}"
            )
        self._timed, self._last = str(text).endswith("s"), time.monotonic()

    def due(self, rows: int) -> bool:
        """Return whether a checkpoint is due after this many more rows."""
        now = time.monotonic()
        self._left -= now - self._last if self._timed else rows
        self._last = now
        if self._left > 0:
            return False
        self._left = self._amount
        return True
