"""All formats by name."""

from __future__ import annotations

from typing import Any

from tests.fuzz import (
    checkpoint,
    command_line,
    estimators,
    model,
    results,
    simulate,
    solve,
    store,
    tables,
)

FORMATS: dict[str, Any] = {
    "model": model,
    "parquet": tables.parquet,
    "arrow": tables.arrow,
    "csv": tables.delimited,
    "svmlight": tables.svmlight,
    "npy": tables.npy,
    "checkpoint": checkpoint,
    "store": store,
    "results": results,
    "estimators": estimators,
    "simulate": simulate,
    "solve": solve,
    "cli": command_line,
}
