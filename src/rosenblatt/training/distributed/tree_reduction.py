"""Tree reduction: results are joined in pairs, in a fixed order.

Pieces 0 and 1 are joined, 2 and 3, and so on; then these pairs, and so on; what is left
over waits. The shape depends on the number of pieces only. So sums of rounded numbers
have the same bits wherever, and in whatever order, the pieces are learned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

__all__ = ["Join", "group_neighbours", "join_both", "reduce_tree"]

Join = Callable[[Any, Any], Any]
Item = TypeVar("Item")


def reduce_tree(results: Iterable[tuple[int, Any]], count: int, join: Join) -> Any:
    """Return the joined results; each is joined as soon as its neighbour has come.

    Parameters
    ----------
    results
        Numbers from 0 and results, in any order. A result that is None is that of a
        piece without rows.
    count
        Number of results.
    join
        A function of two results.

    Examples
    --------
    >>> pieces = list(enumerate("abcdefg"))
    >>> reduce_tree(pieces, 7, lambda a, b: f"({a}{b})")
    '(((ab)(cd))((ef)g))'
    >>> reduce_tree(reversed(pieces), 7, lambda a, b: f"({a}{b})")
    '(((ab)(cd))((ef)g))'
    """
    waiting: dict[tuple[int, int], Any] = {}  # by how many there are on the level
    root = None
    for number, result in results:
        place, size, now = number, count, result
        while size > 1:
            other = place ^ 1
            if other < size:  # else it is left over, and goes up as it is
                if (size, other) not in waiting:
                    waiting[size, place] = now
                    break
                found = waiting.pop((size, other))
                pair = (found, now) if other < place else (now, found)
                now = join_both(*pair, join)
            place, size = place // 2, (size + 1) // 2
        else:
            root = now
    return root


def join_both(first: Any, second: Any, join: Join) -> Any:
    """Return two results as one; None counts for nothing."""
    if first is None or second is None:
        return second if first is None else first
    return join(first, second)


def group_neighbours(items: Sequence[Item], most: int) -> list[Sequence[Item]]:
    """Return groups of neighbours, at most ``most`` of them.

    Joining all items of each group, then all groups, is the same as joining all items.

    Examples
    --------
    >>> group_neighbours("abcdefg", 4)
    ['ab', 'cd', 'ef', 'g']
    """
    size = 1
    while size * most < len(items):
        size *= 2
    return [items[first : first + size] for first in range(0, len(items), size)]
