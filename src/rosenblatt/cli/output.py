"""JSON output of commands, for other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Annotated, Any

import typer

__all__ = ["AsJson", "plain", "print_json", "printable"]

AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="Print JSON instead of text.", rich_help_panel="Output"
    ),
]


def plain(value: Any) -> Any:
    """Return a value in the types of JSON; numbers that are not finite become None.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"error": np.array([0.5, np.nan]), "count": np.int64(3)})
    {'error': [0.5, None], 'count': 3}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):  # of NumPy, which help does not load
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def printable(text: str) -> str:
    r"""Return text for a terminal: names from files may hold escape sequences.

    Examples
    --------
    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(
        c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode()
        for c in text
    )


def print_json(value: Any) -> None:
    """Print a value as JSON.

    Examples
    --------
    >>> print_json([1.5, float("inf")])
    [
      1.5,
      null
    ]
    """
    typer.echo(json.dumps(plain(value), indent=2, allow_nan=False))
