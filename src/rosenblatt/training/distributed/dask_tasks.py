"""Tasks of pieces on Dask workers, and their results."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rosenblatt.system.dask_client import check_installed, dask, distributed
from rosenblatt.system.parallel import Cluster, Died, completed
from rosenblatt.training.distributed.pieces import Piece

__all__ = ["results"]

Groups = Mapping[int, Sequence[Piece]]

_TOGETHER = 64  # groups that are computed together, without workers


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
        A client of Dask; None for the scheduler in force.
    check
        Called now and then; it may raise an error to end the work.
    """
    check_installed()
    client = _in_force() if client is None else client
    if client is None:  # the threads or processes that Dask would take
        numbers = list(groups)
        for first in range(0, len(numbers), _TOGETHER):
            some = numbers[first : first + _TOGETHER]
            compute = [
                dask.delayed(functools.partial(work, groups[number]), pure=False)(
                    shared, *_waits_for(groups[number])
                )
                for number in some
            ]
            yield from zip(some, dask.compute(*compute), strict=True)
            check()
        return
    # What is shared is a task of its own: Dask computes it again if it was lost with a
    # worker, which it cannot do with data that were scattered.
    sent = client.submit(_itself, shared, pure=False)
    pool = Cluster(client)
    try:
        tasks = (
            (
                number,
                functools.partial(work, pieces),
                sent,
                *client.compute(_waits_for(pieces)),
            )
            for number, pieces in groups.items()
        )
        for number, result in completed(tasks, pool, tick=check):
            if isinstance(result, Died):
                group = groups[number]
                pieces = str(group[0]) + (f" to {group[-1]}" if len(group) > 1 else "")
                raise RuntimeError(
                    f"workers of Dask died again and again while they learned {pieces},"
                    " perhaps for lack of memory"
                )
            yield number, result
    finally:
        pool.close()


def _in_force() -> Any:
    """Return the client that Dask would take; None if it would start threads."""
    owner = getattr(dask.base.get_scheduler(), "__self__", None)
    return owner if isinstance(owner, distributed.Client) else None


def _itself(value: Any) -> Any:
    return value


def _waits_for(pieces: Sequence[Piece]) -> list[Any]:
    return [value for piece in pieces for value in piece.waits_for]
