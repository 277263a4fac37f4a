"""Reading and parsing in threads, a few batches ahead of learning."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from rosenblatt.system.processes import core_count

__all__ = ["THREADS", "in_order", "prefetched"]

Item = TypeVar("Item")
Made = TypeVar("Made")

THREADS = min(core_count(), 4)  # more than memory can feed are of no use

_LOOK = 0.1  # seconds between two looks whether to stop


def prefetched(
    source: Iterator[Item],
    ahead: int = 3,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Item]:
    """Yield the items of an iterator that runs in another thread.

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


def in_order(make: Callable[[Item], Made], items: Iterator[Item]) -> Iterator[Made]:
    """Apply a function to items in several threads, and yield results in order.

    Examples
    --------
    >>> list(in_order(str, iter(range(3))))
    ['0', '1', '2']
    """
    making: deque[Future[Made]] = deque()
    failure: Exception | None = None
    with ThreadPoolExecutor(THREADS, "parser") as pool:
        while True:
            try:
                item = next(items)
            except StopIteration:
                break
            except Exception as caught:  # what is before it comes first
                failure = caught
                break
            making.append(pool.submit(make, item))
            if len(making) > THREADS:
                yield making.popleft().result()
        while making:
            yield making.popleft().result()
    if failure is not None:
        raise failure
