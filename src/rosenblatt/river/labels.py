"""Conversion of the labels of a stream to codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rosenblatt.core.arguments import shown
from rosenblatt.estimators.inputs.new_classes import check_like

__all__ = ["Labels"]


class Labels:
    """The classes, given or in the order in which they appear.

    Without classes they are False and True until a label says otherwise.

    Examples
    --------
    >>> labels = Labels.expected(None)
    >>> labels.joined("spam").joined("ham").joined("eggs").classes
    ('spam', 'ham', 'eggs')
    """

    def __init__(
        self, classes: Sequence[Any], *, settled: bool, announced: bool = False
    ) -> None:
        self.classes = tuple(classes)
        self.numbers = {label: code for code, label in enumerate(self.classes)}
        # kernels take codes as arrays
        self.codes = {label: np.array([i]) for i, label in enumerate(self.classes)}
        self._settled, self._announced = settled, announced

    @property
    def models(self) -> int:
        """The number of weight vectors: one for two classes."""
        return len(self.classes) if len(self.classes) > 2 else 1

    @classmethod
    def expected(cls, classes: Sequence[Any] | None) -> Labels:
        """Return the labels before the first example."""
        if classes is None:
            return cls([False, True], settled=False)
        given: list[Any] = [] if isinstance(classes, str | bytes) else _list(classes)
        try:
            different = len(set(given))
        except TypeError:  # labels that cannot be hashed
            different = 0
        if different < max(len(given), 2):
            raise ValueError(
                "classes must be None or two or more different labels, "
                f"got {shown(classes)}"
            )
        return cls(given, settled=True, announced=True)

    def joined(self, label: Any) -> Labels:
        """Return the labels after one more label."""
        if self._settled:
            if label in self.codes:
                return self
            if self._announced:
                raise ValueError(
                    f"y must be among classes {list(self.classes)}, got {label!r}"
                )
            check_like(list(self.classes), label)
            return Labels([*self.classes, label], settled=True)
        if label not in self.codes:
            return Labels([label], settled=True)
        # 0 and 1 equal False and True, but should come back as they are
        classes = [0, 1] if type(label) is int else self.classes
        return Labels(classes, settled=True)


def _list(values: Any) -> list[Any]:
    """Return the entries of a sequence; none of anything else."""
    try:
        return list(values)
    except TypeError:
        return []
