"""Pieces of Dask collections: chunks of arrays, partitions of dataframes."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rosenblatt.system.dask_client import check_installed, dask, distributed
from rosenblatt.training.distributed.pieces import DataPiece, Piece

__all__ = ["Subgraph", "collection_pieces", "delayed_piece"]


@dataclass(frozen=True)
class Subgraph:
    """The part of a Dask graph that computes one piece.

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
            raise ValueError(
                "sample_weight cannot be given if y is the name of a column"
            )
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
        other = _flat(name, other)
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


def _flat(name: str, other: Any) -> Any:
    """Return labels or weights, which may be a column of an array."""
    if not hasattr(other, "numblocks") or other.ndim == 1:
        return other
    if other.ndim != 2 or other.shape[1] != 1:
        raise ValueError(f"{name} must be one column, got the shape {other.shape}")
    return other[:, 0]


class _Blocks(NamedTuple):
    """Chunks of rows of a collection, not computed yet."""

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
    """Return pieces that are computed by the worker that learns them."""
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
