"""Interrupts that take effect after the current batch; intervals of checkpoints."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType
from typing import Any, Self

from rosenblatt.spelling.values import whole

__all__ = ["Interrupts", "Interval", "TrainingInterrupted"]


class TrainingInterrupted(KeyboardInterrupt):
    """Error of training that was interrupted; the message says how to resume."""


class Interrupts:
    """Context in which the first Ctrl-C or SIGTERM is noted, and the second one acts.

    Only the main thread can do this; elsewhere it does nothing.
    """

    def __init__(self) -> None:
        self.asked = False
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
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


class Interval:
    """Interval of checkpoints, in seconds or rows."""

    def __init__(self, text: str) -> None:
        text = str(text)
        self._seconds = self._rows = None
        if text.endswith("s"):
            self._seconds = whole("checkpoint_every", text[:-1])
        else:
            self._rows = whole("checkpoint_every", text)
        if (self._seconds or self._rows or 0) < 1:
            raise ValueError(
                "checkpoint_every must be seconds like 60s or rows like 1e6, "
                f"got {text!r}"
            )
        self._last, self._since = time.monotonic(), 0

    def due(self, rows: int) -> bool:
        """Return whether it is time, after that many rows more."""
        self._since += rows
        if self._seconds is not None:
            due = time.monotonic() - self._last >= self._seconds
        else:
            due = self._since >= (self._rows or 1)
        if due:
            self._last, self._since = time.monotonic(), 0
        return due
