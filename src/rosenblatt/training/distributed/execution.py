"""Execution of tasks on pieces: by this process, or by Dask workers."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import lazy_loader

from rosenblatt.training.distributed.pieces import Piece
from rosenblatt.training.distributed.tree_reduction import (
    Join,
    group_neighbours,
    reduce_tree,
)

__all__ = ["Execution", "Observer"]

dask_tasks: Any = lazy_loader.load(
    "rosenblatt.training.distributed.dask_tasks", suppress_warning=True
)
_GROUPS = 4096  # results, at most, that come back to the process that joins them


class Observer:
    """Base of observers of results; it does nothing."""

    def known(self, step: str, sizes: Sequence[int]) -> Iterable[tuple[int, Any]]:
        """Return the groups that have a result before a step begins, each with it.

        Parameters
        ----------
        step
            The name of the step.
        sizes
            The number of pieces of each group.
        """
        return ()

    def add(self, step: str, group: int, result: Any) -> None:
        """Receive the result of a group."""

    def end(self, step: str, result: Any) -> None:
        """Receive the result of a complete step."""

    def check(self) -> None:
        """Raise an error if the work is to end."""


@dataclass(frozen=True)
class Execution:
    """The way to run tasks: in this process, one after the other, or on Dask."""

    dask: bool = False
    client: Any = None  # None: the scheduler of Dask that is in force
    observer: Observer = field(default_factory=Observer)

    def run(
        self,
        step: str,
        task: Callable[[Piece, Any], Any],
        pieces: Sequence[Piece],
        join: Join,
        shared: Any = None,
    ) -> Any:
        """Return the joined results of a task on every piece.

        Parameters
        ----------
        step
            The name of the step, for the observer.
        task
            A function of a piece and of what all tasks share.
        pieces
            The pieces, in their order.
        join
            A function of two results.
        shared
            Sent to each worker once.
        """
        # a piece that waits for rows is alone, lest those of others are sent to it
        waits = any(piece.waits_for for piece in pieces)
        groups = group_neighbours(pieces, len(pieces) if waits else _GROUPS)
        work = functools.partial(_work, task=task, join=join)

        def results() -> Generator[tuple[int, Any]]:
            left = dict(enumerate(groups))
            for number, result in self.observer.known(step, [len(g) for g in groups]):
                del left[number]
                yield number, result
            for number, result in self._results(work, left, shared):
                self.observer.add(step, number, result)
                yield number, result

        with contextlib.closing(results()) as numbered:
            found = reduce_tree(numbered, len(groups), join)
        self.observer.end(step, found)
        return found

    def _results(
        self,
        work: Callable[..., Any],
        groups: Mapping[int, Sequence[Piece]],
        shared: Any,
    ) -> Iterator[tuple[int, Any]]:
        if self.dask:
            yield from dask_tasks.results(
                work, groups, shared, self.client, self.observer.check
            )
            return
        for number, group in groups.items():
            yield number, work(group, shared)
            self.observer.check()


def _work(
    pieces: Sequence[Piece], shared: Any, *values: Any, task: Any, join: Join
) -> Any:
    """Return the joined results of a group; values are what its one piece waits for."""
    if values:
        pieces = [pieces[0].filled(values)]
    found = ((i, task(piece, shared)) for i, piece in enumerate(pieces))
    return reduce_tree(found, len(pieces), join)
