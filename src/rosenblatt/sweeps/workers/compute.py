"""One item, wherever it is computed: parameters in, a record or a failure out."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rosenblatt.sweeps.plan.tasks import run
from rosenblatt.sweeps.store.records import record
from rosenblatt.sweeps.store.results import as_result, encode

__all__ = ["Done", "compute"]


class Done(NamedTuple):
    """What became of an item: a record, or what went wrong."""

    item: int
    record: bytes | None
    failure: str
    seconds: float


def _said(failure: Exception) -> str:
    """Return an error in one line, with the place it came from."""
    what = " ".join(f"{type(failure).__name__}: {failure}".split())
    frames = traceback.extract_tb(failure.__traceback__)
    where = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return what + where


def compute(
    function: Callable[..., Any],
    item: int,
    key: bytes,
    parameters: Mapping[str, Any],
    threads: int,
) -> Done:
    """Run one experiment."""
    began = time.monotonic()
    try:
        data = record(key, encode(as_result(run(function, parameters, threads))))
    except Exception as failure:
        return Done(item, None, _said(failure), time.monotonic() - began)
    return Done(item, data, "", time.monotonic() - began)
