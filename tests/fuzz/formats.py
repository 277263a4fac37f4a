"""All formats by name."""

from __future__ import annotations

from tests.fuzz import (
    model,
)
from tests.fuzz.cases import Format

__all__ = ["FORMATS"]

FORMATS: dict[str, Format] = {
    "model": model,
}
