"""Progress of a run: its bar, interrupts, reading ahead, intervals of checkpoints."""

from __future__ import annotations

import atexit
import math
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Self, TypeVar

from rosenblatt.system.progress import ProgressBar
from rosenblatt.training.record import Record

Item = TypeVar("Item")
_LOOK = 0.1  # seconds between two looks whether to stop
_PATIENCE = 60.0  # seconds that one step of a reader may take at the end


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
        """Show the record after that many rows, and how fast the model forgets."""
        if not self.shown:
            return
        now = time.perf_counter()
        if self._first is None:  # rows before this start are no speed
            self._first = rows, now
        speed = (rows - self._first[0]) / max(now - self._first[1], 1e-9)
        text = f"{before}{rows:,} rows, {speed:,.0f}/s"
        if record.error is not None:
            text += f", error {record.error:.4f}"
        if record.mean_log_loss is not None:
            text += f", log-loss {record.mean_log_loss:.4f}"
        if hasattr(model, "classes_") and hasattr(model, "forgetting_"):
            life = model.forgetting_.current
            text += f", half-life {life:,.0f}" if math.isfinite(life) else ""
        self.update(done, text)


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


def prefetched(
    source: Iterator[Item],
    stopped: Callable[[], bool] = lambda: False,
    endless: bool = False,
    ahead: int = 3,
) -> Iterator[Item]:
    """Yield the items of an iterator that runs in another thread.

    Parameters
    ----------
    source
        Makes the items. Its errors are raised here, after the items before them.
    stopped
        Asked now and then while waiting; if true, the items end.
    endless
        Whether the source may wait for ever, as a pipe does. The end then waits a
        second only for the thread, which ends with the process.
    ahead
        How many items may wait; no more are in memory than these and two.

    Examples
    --------
    >>> list(prefetched(iter(range(5))))
    [0, 1, 2, 3, 4]
    """
    waiting: queue.Queue[tuple[str, Any]] = queue.Queue(ahead)
    over = threading.Event()

    def put(what: str, item: Any) -> None:
        while not over.is_set():
            try:
                waiting.put((what, item), timeout=_LOOK)
                return
            except queue.Full:
                continue

    def read() -> None:
        try:
            for item in source:
                put("item", item)
                if over.is_set():
                    return
            put("end", None)
        except BaseException as failure:
            put("error", failure)

    thread = threading.Thread(target=read, daemon=True, name="reader")

    def end() -> None:
        over.set()
        thread.join(timeout=1.0 if endless else _PATIENCE)

    # A thread inside a library when Python ends would abort the process. An error keeps
    # this generator open as long as its traceback is there.
    atexit.register(end)
    thread.start()
    try:
        while not stopped():
            try:
                what, item = waiting.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if what == "end":
                return
            if what == "error":
                raise item
            yield item
    finally:
        end()
        atexit.unregister(end)


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
        text = str(text)
        try:
            amount = float(text.removesuffix("s"))
        except ValueError:
            amount = 0.0
        if amount < 1 or not amount.is_integer():
            raise ValueError(
                "checkpoint_every must be seconds like 60s or rows like 1e6, "
                f"got {text!r}"
            )
        self._amount, self._timed = amount, text.endswith("s")
        self._last, self._since = time.monotonic(), 0

    def due(self, rows: int) -> bool:
        """Return whether a checkpoint is due after this many more rows."""
        self._since += rows
        passed = time.monotonic() - self._last if self._timed else self._since
        due = passed >= self._amount
        if due:
            self._last, self._since = time.monotonic(), 0
        return due
