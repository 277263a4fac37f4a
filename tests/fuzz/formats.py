"""All formats by name."""

from __future__ import annotations

from typing import Any

from tests.fuzz import (
    bits_data,
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

__all__ = ["FORMATS"]

FORMATS: dict[str, Any] = {
    "model": model,
    "bits-data": bits_data,
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
