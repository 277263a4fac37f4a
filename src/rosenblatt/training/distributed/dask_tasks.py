"""Tasks of pieces on Dask workers, and their results."""

from __future__ import annotations

import functools
import pickle
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rosenblatt.system.code import code_digest
from rosenblatt.system.dask import supervision
from rosenblatt.system.dask.connection import (
    Connection,
    check_installed,
    dask,
    distributed,
)
from rosenblatt.system.dask.supervision import Supervisor, run_same_code
from rosenblatt.training.distributed.pieces import Piece

__all__ = ["results"]

Groups = Mapping[int, Sequence[Piece]]

_TOGETHER = 64  # groups that are computed together, without workers
_POLL = 1.0  # seconds between two checks for an interrupt
_LOSSES = 3  # of a task, after which it is sent again
# Errors of a process that cannot load a task.
_UNREADABLE = (ImportError, AttributeError, pickle.UnpicklingError)


def results(
    work: Callable[..., Any],
    groups: Groups,
    shared: Any,
    client: Any,
    check: Callable[[], None],
) -> Iterator[tuple[int, Any]]:
    """Yield the numbers of groups of pieces and their results, in any order.

    Parameters
    ----------
    work
        A function of a group, of what all groups share, and of what a piece that is
        alone in its group waits for.
    groups
        The pieces, in groups by number.
    shared
        Sent to each worker once.
    client
        A client of Dask, or a connection; None for the scheduler in force.
    check
        Called now and then; it may raise an error to end the work.
    """
    check_installed()
    tasks_of = functools.partial(_tasks, work, shared)
    client = _in_force() if client is None else client
    if client is not None:
        found = client if isinstance(client, Connection) else Connection(client)
        yield from _supervised(tasks_of, groups, found, check)
        return
    numbers = list(groups)
    for first in range(0, len(numbers), _TOGETHER):
        some = {i: groups[i] for i in numbers[first : first + _TOGETHER]}
        yield from zip(some, dask.compute(*tasks_of(some)), strict=True)
        check()


def _supervised(
    tasks_of: Callable[[Groups], list[Any]],
    groups: Groups,
    connection: Connection,
    check: Callable[[], None],
) -> Iterator[tuple[int, Any]]:
    """Yield results of workers; tasks that are lost are sent again."""
    tasks = Supervisor(connection)
    waiting, losses = dict(groups), Counter[int]()
    try:
        while waiting or tasks.running:
            check()
            if waiting and connection.open:
                futures = connection.client.compute(
                    tasks_of(waiting), workers=tasks.allowed()
                )
                tasks.watch(dict(zip(futures, waiting, strict=True)))
                waiting.clear()
            for event in tasks.events(_POLL):
                if isinstance(event, supervision.Finished):
                    yield event.task, event.value
                    continue
                if not isinstance(event, supervision.Lost):
                    raise _error(event, groups[event.task])
                losses[event.task] += not event.refused
                if losses[event.task] > _LOSSES:
                    raise RuntimeError(
                        f"Dask has lost the same task {losses[event.task]} times, "
                        "without an error: see the logs of its scheduler and workers"
                    )
                waiting[event.task] = groups[event.task]
    finally:
        tasks.cancel()


def _error(
    event: supervision.Killed | supervision.Failed, group: Sequence[Any]
) -> BaseException:
    """Return the error of a task that cannot be done."""
    if isinstance(event, supervision.Killed):
        pieces = str(group[0]) if len(group) == 1 else f"{group[0]} to {group[-1]}"
        return RuntimeError(
            f"workers of Dask died again and again while they learned {pieces}, "
            f"perhaps for lack of memory; the last one was {event.worker}"
        )
    if isinstance(event.error, _UNREADABLE):
        return RuntimeError(
            f"workers of Dask cannot run this: {event.error}. They and the scheduler "
            "need rosenblatt in the same version, and whatever pieces import"
        )
    return event.error


def _in_force() -> Any:
    """Return the client that Dask would take; None if it would start threads."""
    owner = getattr(dask.base.get_scheduler(), "__self__", None)
    return owner if isinstance(owner, distributed.Client) else None


def _tasks(work: Callable[..., Any], shared: Any, groups: Groups) -> list[Any]:
    # What is shared is a task of its own: Dask computes it again if it was lost with a
    # worker, which it cannot do with data that were scattered.
    mark, code = uuid.uuid4().hex, code_digest()
    sent = dask.delayed(shared, name=f"shared-{mark}", traverse=False)
    return [
        dask.delayed(functools.partial(run_same_code, code, work, pieces), pure=False)(
            sent,
            *(value for piece in pieces for value in piece.waits_for),
            dask_key_name=f"learn-{mark}-{number}",
        )
        for number, pieces in groups.items()
    ]
