"""Contents of the files of a report."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from rosenblatt.papers.claims import Measurement, Outcome

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


def _row(outcome: Outcome) -> dict[str, Any]:
    item = outcome.item
    return {
        "id": item.id,
        "paper": item.paper,
        "where": item.where,
        "quote": item.quote,
        "kind": item.kind.value,
        "statement": item.statement,
        "evidence": item.evidence,
        "published": _value(outcome.published),
        "printed_formula_gives": _value(outcome.formula),
        "expected": _value(outcome.expected),
        "measured": _value(outcome.measured),
        "stderr": _finite(outcome.measured.stderr if outcome.measured else None),
        "window": outcome.window and [_finite(end) for end in outcome.window],
        "verdict": outcome.verdict.value,
        "reason": outcome.reason,
        "known_reason": item.fails,
        "seconds": round(outcome.seconds, 3),
    }


def claims_json(outcomes: Sequence[Outcome]) -> bytes:
    """Return statements as a list of objects; None stands for "no number"."""
    rows = [_row(outcome) for outcome in outcomes]
    return (json.dumps(rows, indent=2, allow_nan=False) + "\n").encode()
