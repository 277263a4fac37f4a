"""Names of rich that a progress bar needs, loaded when one is shown."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column

__all__ = [
    "BarColumn",
    "Column",
    "Console",
    "MofNCompleteColumn",
    "Progress",
    "TextColumn",
    "TimeElapsedColumn",
    "TimeRemainingColumn",
]
