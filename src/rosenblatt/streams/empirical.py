r"""Rows of a table, drawn with replacement.

.. math:: P(s = s_k) = 1/M, \quad k = 1, \dots, M.  \tag{1}
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rosenblatt.core import VectorStream
from rosenblatt.core.arguments import numbers
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import uniform

__all__ = ["Empirical"]

_MOST = 10**6  # numbers of a table, which is compiled into the stream


@dataclass(frozen=True)
class Empirical(VectorStream):
    """The empirical distribution of a table: each row is as likely as any other.

    Parameters
    ----------
    rows
        The table, a row for each input; at most a million numbers. Columns of about
        mean 0 and unit variance have the scale of the other streams.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import scale
    >>> table = Empirical(scale(load_breast_cancer().data))
    >>> run = rb.simulate(
    ...     rb.rules.Perceptron(), rb.schedules.Constant(1.0), stream=table,
    ...     dim=table.dim, alpha=[1, 100], replicas=10)
    >>> bool(run.error.mean("replica")[1] < 0.1)
    True
    """

    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        table = numbers("rows", self.rows, (None, None)).tolist()
        given = tuple(map(tuple, table))
        if len(given) * len(given[0]) > _MOST:
            raise ValueError(
                f"rows must be at most {_MOST} numbers, got {len(given)} rows of "
                f"{len(given[0])}"
            )
        object.__setattr__(self, "rows", given)

    @property
    def dim(self) -> int:
        """Number of components."""
        return len(self.rows[0])

    def bind(self) -> Callable[[Words, FloatArray], None]:
        """Return eq. (1)."""
        table = np.array(self.rows)

        def fill(rng: Words, s: FloatArray) -> None:
            row = int(uniform(rng) * len(table))
            for i in range(s.size):
                s[i] = table[row, i]

        return fill
