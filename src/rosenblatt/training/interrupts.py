"""Interrupts that take effect after the current batch."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any, Self

__all__ = ["Interrupts", "TrainingInterrupted"]


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
