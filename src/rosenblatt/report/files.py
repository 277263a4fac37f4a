"""Contents of the files of a report."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.verdicts import Outcome

__all__ = ["claims_json", "stem"]


def stem(name: str) -> str:
    """Return the name of a file for an id.

    Examples
    --------
    >>> stem("barkai1995/fig1")
    'barkai1995-fig1'
    """
    return name.replace("/", "-")


def _finite(number: float | None) -> float | None:
    """Return None for what JSON does not know."""
    if number is None or not math.isfinite(number):
        return None
    return float(number)


def _value(number: Measurement | None) -> float | None:
    return None if number is None else _finite(number.value)


def claims_json(outcomes: Sequence[Outcome]) -> bytes:
    """Return claims and errata as a list of objects; None stands for "no number"."""
    rows: list[dict[str, Any]] = [
        {
            "id": outcome.item.id,
            "paper": outcome.item.paper,
            "where": outcome.item.where,
            "statement": outcome.item.statement,
            "published": _value(outcome.published),
            "expected": _value(outcome.expected),
            "measured": _value(outcome.measured),
            "stderr": _finite(outcome.measured.stderr if outcome.measured else None),
            "kind": outcome.item.kind.value,
            "verdict": outcome.verdict.value,
            "reason": outcome.reason,
            "seconds": round(outcome.seconds, 3),
        }
        for outcome in outcomes
    ]
    return (json.dumps(rows, indent=2, allow_nan=False) + "\n").encode()
