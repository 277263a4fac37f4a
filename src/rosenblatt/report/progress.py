"""One bar that says how far the work is, and what is running."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column

__all__ = ["Bar"]


class Bar:
    """A bar on the terminal; it has no thread of its own, which would forbid forks.

    Examples
    --------
    >>> with Bar(2, shown=False) as bar:
    ...     bar.begin("barkai1995/fig1")
    ...     bar.running
    'barkai1995/fig1'
    """

    def __init__(self, total: int, *, shown: bool) -> None:
        self._names: list[str] = []
        self._progress = Progress(
            SpinnerColumn(),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn(
                "{task.description}",
                table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1),
            ),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
            expand=True,
            disable=not shown,
        )
        self._task = self._progress.add_task("", total=total)

    @property
    def running(self) -> str:
        """The items that are being computed, the one that began first in front."""
        return ", ".join(self._names)

    def begin(self, name: str) -> None:
        """Say that an item is being computed now."""
        self._names.append(name)
        self._progress.update(self._task, description=self.running, refresh=True)

    def end(self, name: str) -> None:
        """Say that it is not any more."""
        if name in self._names:
            self._names.remove(name)
        self._progress.update(self._task, advance=1, description=self.running)

    def tick(self) -> None:
        """Let the clock of the bar go on."""
        self._progress.refresh()

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()
