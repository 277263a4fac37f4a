"""Generators of random numbers that are given to a classifier."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from rosenblatt.core.arguments import shown, whole

__all__ = ["RandomState", "checked_random_state", "drawing"]

RandomState = int | np.random.RandomState | None
_MOST = 2**32 - 1  # of a seed


def checked_random_state(name: str, value: Any) -> Any:
    """Return a seed, a generator or None.

    Examples
    --------
    >>> checked_random_state("random_state", -1)
    Traceback (most recent call last):
    ValueError: random_state must be None, a whole number from 0 to 2**32 - 1 or a \
RandomState, got -1
    """
    if value is None or value is np.random or isinstance(value, np.random.RandomState):
        return value
    try:
        seed = whole(name, value, low=0)
        if seed <= _MOST:
            return seed
    except (TypeError, ValueError):
        pass
    raise ValueError(
        f"{name} must be None, a whole number from 0 to 2**32 - 1 or a RandomState, "
        f"got {shown(value)}"
    )


@contextmanager
def drawing(given: RandomState) -> Iterator[np.random.RandomState]:
    """Yield the generator; after an error, one that was given is as it was before.

    Examples
    --------
    >>> random = np.random.RandomState(0)
    >>> with drawing(random) as same:
    ...     same is random
    True
    """
    random: np.random.RandomState = check_random_state(given)
    before = random.get_state() if random is given else None
    try:
        yield random
    except BaseException:
        if before is not None:
            random.set_state(before)
        raise
