"""Reading in a thread of its own, a few batches ahead of learning."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

__all__ = ["prefetched"]

Item = TypeVar("Item")

_LOOK = 0.1  # seconds between two looks whether to stop


def prefetched(
    source: Iterator[Item],
    ahead: int = 3,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Item]:
    """Return what an iterator gives, made in a thread of its own.

    Parameters
    ----------
    source
        Makes the items. Its errors are raised here, after the items before them.
    ahead
        How many items may wait; no more are in memory than these and two.
    stopped
        Asked now and then while waiting; if true, the items end.

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
        over.set()
        thread.join(timeout=1.0)  # it may be waiting for a pipe: it ends with us
