"""Results of pieces, joined two at a time in an order that nothing changes.

Pieces 0 and 1 are joined, 2 and 3, and so on; then these pairs, and so on; what is left
over waits. The shape depends on the number of pieces only. So sums of rounded numbers
have the same bits wherever, and in whatever order, the pieces are learned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = ["Join", "joined", "levels"]

Join = Callable[[Any, Any], Any]


def joined(results: Iterable[Any], join: Join) -> Any:
    """Return all results as one, holding few of them at a time.

    A result that is None is that of a piece without rows.

    Examples
    --------
    >>> joined("abcdefg", lambda a, b: f"({a}{b})")
    '(((ab)(cd))((ef)g))'
    """
    waiting: list[tuple[int, Any]] = []  # how many pieces, and their result
    for result in results:
        size, now = 1, result
        while waiting and waiting[-1][0] == size:
            now = either(waiting.pop()[1], now, join)
            size *= 2
        waiting.append((size, now))
    last = waiting.pop()[1] if waiting else None
    while waiting:
        last = either(waiting.pop()[1], last, join)
    return last


def either(first: Any, second: Any, join: Join) -> Any:
    """Return two results as one; None counts for nothing."""
    if first is None or second is None:
        return second if first is None else first
    return join(first, second)


def levels(results: Sequence[Any], join: Join) -> Any:
    """Return the same as ``joined``, a level at a time: for results yet to be computed.

    Examples
    --------
    >>> levels("abcdefg", lambda a, b: f"({a}{b})")
    '(((ab)(cd))((ef)g))'
    """
    now = list(results)
    while len(now) > 1:
        pairs = [join(a, b) for a, b in zip(now[::2], now[1::2], strict=False)]
        now = pairs + (now[-1:] if len(now) % 2 else [])
    return now[0]
