"""Names of rich that a progress bar needs, loaded when one is shown."""

from __future__ import annotations

from rosenblatt.system.extras import missing

try:
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
except ImportError as failure:
    raise missing("rich", "a progress bar") from failure

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
