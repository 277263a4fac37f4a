"""All knowledge of Dask: its collections, and tasks on its workers.

Nothing imports this module before Dask is wanted.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import math
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rosenblatt.core.arguments import whole
from rosenblatt.training.distributed.piece import DataPiece, Piece
from rosenblatt.training.distributed.tree import Join, either, levels

try:
    import dask as dask_package
    import distributed as dask_cluster
except ImportError:
    dask_package = dask_cluster = None  # type: ignore[assignment, unused-ignore]

dask: Any = dask_package
distributed: Any = dask_cluster

__all__ = ["Subgraph", "collection_pieces", "connected", "delayed_piece", "run"]

_CONNECT = 10.0  # seconds to reach a scheduler


def check_installed() -> None:
    """Raise an error that says what is missing."""
    if dask is None:
        raise ImportError(
            "workers, schedulers and Dask's collections need Dask: "
            "install the extra rosenblatt[dask]"
        )


@dataclass(frozen=True)
class Subgraph:
    """What must be computed for a piece, and nothing else.

    It is computed by the one task that learns the piece, so that rows are never sent
    from one worker to another.
    """

    graph: dict[Any, Any]
    keys: tuple[Any, ...]

    @classmethod
    def of(cls, full: dict[Any, Any], keys: Sequence[Any]) -> Subgraph:
        """Return the part of a graph that some keys need."""
        return cls(dict(dask.optimization.cull(full, list(keys))[0]), tuple(keys))

    def __call__(self) -> Any:
        """Return the values; one alone if there is one key."""
        found = dask.get(self.graph, list(self.keys))
        return found[0] if len(found) == 1 else tuple(found)


def _is_lazy(value: Any) -> bool:
    return dask.is_dask_collection(value) or isinstance(value, distributed.Future)


def delayed_piece(number: int, item: Any) -> Piece:
    """Return a piece whose rows, labels or both are yet to be computed."""
    check_installed()
    parts = list(item) if isinstance(item, tuple | list) else [item]
    lazy = [part for part in parts if _is_lazy(part)]
    held = any(isinstance(part, distributed.Future) for part in lazy)
    if held or len(lazy) < len(parts) or distributed.futures_of(lazy):
        return DataPiece(number, None, waiting=tuple(parts))
    graph = {k: v for part in lazy for k, v in dict(part.__dask_graph__()).items()}
    return DataPiece(number, Subgraph.of(graph, [part.key for part in lazy]))


def collection_pieces(X: Any, y: Any, sample_weight: Any) -> list[Piece]:
    """Return the chunks of rows of Dask's arrays, or the partitions of dataframes."""
    check_installed()
    rows = _Blocks.of(X)
    if isinstance(y, str):
        if not hasattr(X, "divisions") or y not in X.columns:
            raise ValueError(f"y must be a column of X, or labels, got {y!r}")
        if sample_weight is not None:
            raise ValueError("sample_weight goes with labels that are not a column")
        return _pieces([rows], _Blocks.of(X[y]), functools.partial(_split, target=y))
    if y is None:
        raise ValueError("y must be given with a collection of Dask, got None")
    parts = [rows]
    for name, other in (("y", y), ("sample_weight", sample_weight)):
        if other is None:
            continue
        if not dask.is_dask_collection(other):
            raise TypeError(
                f"{name} must be a collection of Dask as X is, got {type(other)}"
            )
        sizes = getattr(X, "chunks", ((math.nan,),))[0]
        if hasattr(other, "rechunk") and not any(map(math.isnan, sizes)):
            if other.shape[0] != sum(sizes):
                raise ValueError(
                    f"{name} must have {sum(sizes)} rows as X has, got {other.shape[0]}"
                )
            other = other.rechunk((sizes,))
        parts.append(_Blocks.of(other))
        if len(parts[-1].blocks) != len(rows.blocks):
            raise ValueError(
                f"{name} must have {len(rows.blocks)} chunks as X has, "
                f"got {len(parts[-1].blocks)}"
            )
    # the weights decide which labels count
    return _pieces(parts, parts[1] if len(parts) == 2 else None, None)


class _Blocks(NamedTuple):
    """The chunks of rows of a collection, which are to be computed yet."""

    blocks: list[Any]
    graph: dict[Any, Any]
    held: bool  # whether workers hold what is computed already

    @classmethod
    def of(cls, collection: Any) -> _Blocks:
        if hasattr(collection, "numblocks"):
            if collection.ndim == 2 and collection.numblocks[1] != 1:
                collection = collection.rechunk({1: -1})
            blocks = list(collection.to_delayed().ravel())
        else:
            blocks = list(collection.to_delayed())
        held = bool(distributed.futures_of(collection))
        return cls(blocks, dict(blocks[0].__dask_graph__()), held)


def _split(source: Any, target: str) -> tuple[Any, Any]:
    """Return rows and labels of a dataframe in which the labels are a column."""
    frame = source() if callable(source) else source
    return frame.drop(columns=target), frame[target]


def _pieces(parts: list[_Blocks], labels: _Blocks | None, split: Any) -> list[Piece]:
    """Return pieces that are computed where they are learned, or lie there."""
    found: list[Piece] = []
    full = {k: v for part in parts for k, v in part.graph.items()}
    for i, blocks in enumerate(zip(*(part.blocks for part in parts), strict=True)):
        if any(part.held for part in parts):
            found.append(DataPiece(i, split, waiting=blocks))
            continue
        data = Subgraph.of(full, [block.key for block in blocks])
        source = data if split is None else functools.partial(split, data)
        only = None
        if labels is not None:
            only = Subgraph.of(labels.graph, [labels.blocks[i].key])
        found.append(DataPiece(i, source, only))
    return found


def _call(task: Any, piece: Piece, shared: Any, *values: Any) -> Any:
    return task(piece.filled(values), shared)


def run(
    task: Callable[[Piece, Any], Any],
    pieces: Sequence[Piece],
    join: Join,
    client: Any,
    shared: Any,
) -> Any:
    """Return the joined results of a task on every piece, computed by Dask.

    Parameters
    ----------
    task
        A function of a piece and of what all tasks share.
    pieces
        The pieces, in their order.
    join
        A function of two results.
    client
        A client of Dask; None for the scheduler that is in force.
    shared
        Sent to each worker once.
    """
    check_installed()
    mark = uuid.uuid4().hex
    sent = dask.delayed(shared, name=f"shared-{mark}", traverse=False)
    results = [
        dask.delayed(functools.partial(_call, task, piece), pure=False)(
            sent, *piece.waits_for, dask_key_name=f"learn-{mark}-{piece.number}"
        )
        for piece in pieces
    ]
    both = dask.delayed(functools.partial(_either, join), pure=False)
    root = levels(results, both)
    return root.compute() if client is None else client.compute(root).result()


def _either(join: Join, first: Any, second: Any) -> Any:
    return either(first, second, join)


@contextlib.contextmanager
def connected(
    workers: int | None = None, scheduler: str | None = None
) -> Iterator[Any]:
    """Start workers on this machine, or reach a scheduler; yield the client."""
    check_installed()
    if (workers is None) == (scheduler is None):
        raise ValueError("workers or scheduler must be given, and not both")
    with contextlib.ExitStack() as own:
        where: Any = scheduler
        if workers is not None:
            where = own.enter_context(
                distributed.LocalCluster(
                    n_workers=whole("workers", workers, low=1),
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",  # None is one certain port
                    silence_logs=logging.CRITICAL,
                )
            )
        try:
            client = distributed.Client(where, timeout=_CONNECT, set_as_default=False)
        except (OSError, TimeoutError) as failure:
            raise ConnectionError(
                "scheduler must be the address of a running Dask scheduler, "
                f"got {scheduler!r}: {failure}"
            ) from None
        yield own.enter_context(client)
