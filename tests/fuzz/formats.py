"""All formats by name."""

from __future__ import annotations

from typing import Any

from tests.fuzz import (
    calls,
    checkpoint,
    command_line,
    estimators,
    model,
    results,
    store,
    tables,
)

FORMATS: dict[str, Any] = {
    "model": model,
    "parquet": tables.parquet,
    "arrow": tables.arrow,
    "csv": tables.delimited,
    "svmlight": tables.svmlight,
    "checkpoint": checkpoint,
    "store": store,
    "results": results,
    "estimators": estimators,
    "calls": calls,
    "cli": command_line,
}
