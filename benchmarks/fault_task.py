"""Sweep that runs while faults happen, and a process that runs it.

``python -m benchmarks.fault_task STORE LOG COUNT PAUSE [OPTION...]`` runs a sweep of
``COUNT`` items; each writes a line to ``LOG`` when it is computed. Options are
``clock`` (the time of day jumps), ``read-only`` (writing fails after a while) and an
address of Dask's scheduler.
"""

from __future__ import annotations

import errno
import itertools
import os
import random
import sys
import time
from typing import Any

import rosenblatt as rb


def root(x: int, log: str, pause: float) -> dict[str, float]:
    """Return a number, slowly, and leave a trace of it."""
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{x}\n".encode())
    os.close(handle)
    time.sleep(pause)
    return {"root": x**0.5}


def jumping_clock() -> None:
    """Let the time of day be anything, from now on."""
    dice = random.Random(0)
    time.time = lambda: dice.uniform(-1e9, 4e9)


def read_only_after(writes: int) -> None:
    """Let writing to files fail after so many times."""
    count, write = itertools.count(), os.write

    def failing(handle: int, data: Any) -> int:
        if len(data) > 16 and next(count) >= writes:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return write(handle, data)

    os.write = failing


def main() -> None:
    """Run a sweep."""
    store, log, count, pause, *options = sys.argv[1:]
    where: dict[str, Any] = {"cores": 2}
    for option in options:
        if option == "clock":
            jumping_clock()
        elif option == "read-only":
            read_only_after(5)
        else:
            where = {"scheduler": option}
    try:
        rb.sweep(
            root,
            {"log": log, "pause": float(pause)},
            axes={"x": range(int(count))},
            store=store,
            **where,
        )
    except OSError as failure:
        sys.exit(f"{type(failure).__name__}: {failure}")


if __name__ == "__main__":
    main()
