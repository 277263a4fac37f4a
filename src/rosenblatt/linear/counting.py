r"""Counts of the examples of each class, and thresholds from histograms of fields.

Counts are all that binary weights are learned from. A perceptron is positive where
:math:`\sum w_i x_i > r`. With weights -1, 0 and +1 the fields are whole numbers from -n
to n. So one histogram for each label gives the mistakes of every threshold :math:`r`
from :math:`-n - 1` to :math:`n`. Histograms of parts of the examples add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.bits import BITS, Bits, Counts, count, fields, pack
from rosenblatt.core.schema import Array, Flag, Nested, Relation, Schema, Whole, record
from rosenblatt.core.types import IntArray
from rosenblatt.linear.influences import fraction

CLASS_COUNTS = Schema(
    "class-counts",
    {
        "high": Array((("classes", "columns"),), "int64", low=0),
        "rows": Array((("classes",),), "int64", low=0, high=2**53),
    },
    (
        Relation(
            "columns that are high in no more examples than there are",
            lambda tally, _: bool((tally.high <= tally.rows[:, None]).all()),
            values=True,
        ),
        Relation(
            "no more than 2^53 examples",
            lambda tally, _: sum(tally.rows.tolist()) <= 2**53,
            values=True,
        ),
    ),
)


@record(CLASS_COUNTS)
@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of high values of each column in the examples of each class.

    Parameters
    ----------
    high
        Shape ``(classes, columns)``.
    rows
        Number of examples of each class.

    Examples
    --------
    >>> from rosenblatt.bits import pack
    >>> found = tally(pack([[1, 0], [1, 1], [0, 1]]), np.array([0, 0, 1]), 2)
    >>> found.high.tolist(), found.rows.tolist()
    ([[2, 1], [0, 1]], [2, 1])
    >>> found.against_rest(1).influence
    array([-2.,  1.])
    """

    high: IntArray
    rows: IntArray

    def __add__(self, other: object) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(self.high + other.high, self.rows + other.rows)

    @property
    def total(self) -> int:
        """Number of examples."""
        return int(self.rows.sum())

    def against_rest(self, one: int) -> Counts:
        """Return the counts that tell one class, the positive one, from the others."""
        high, rows = self.high[one], int(self.rows[one])
        return Counts(high, self.high.sum(axis=0) - high, rows, self.total - rows)

    def exchanged(self, columns: npt.NDArray[np.bool_]) -> Tally:
        """Return the tally with high and low exchanged in some columns."""
        other = self.rows[:, None] - self.high
        return Tally(np.where(columns, other, self.high), self.rows)

    def weighed(self, factors: list[int]) -> Tally:
        """Return the tally with each class multiplied, in integers of any size."""
        if set(factors) == {1}:
            return self
        times = np.array(factors, dtype=object)
        return Tally(times[:, None] * self.high, times * self.rows)

    def placed(self, places: npt.NDArray[np.intp], classes: int) -> Tally:
        """Return the tally with its classes at these places among more."""
        high = np.zeros((classes, self.high.shape[1]), np.int64)
        rows = np.zeros(classes, np.int64)
        high[places], rows[places] = self.high, self.rows
        return Tally(high, rows)


def tally(
    bits: Bits,
    codes: npt.NDArray[Any],
    classes: int,
    sample_weight: IntArray | None = None,
) -> Tally:
    """Count the examples of each class; every row is looked at once.

    Parameters
    ----------
    bits
        The examples, one a row.
    codes
        The class of each, from 0.
    classes
        Number of classes.
    sample_weight
        How many times each row counts.
    """
    if classes == 2:
        found = count(bits, codes == 1, sample_weight)
        high = np.stack([found.high_negative, found.high_positive])
        return Tally(high, np.array([found.negative, found.positive]))
    parts = []
    for code in range(classes):
        rows = np.flatnonzero(codes == code)
        weights = None if sample_weight is None else sample_weight[rows]
        parts.append(count(bits[rows], np.ones(len(rows), bool), weights))
    return Tally(
        np.stack([part.high_positive for part in parts]),
        np.array([part.positive for part in parts]),
    )


THRESHOLD = Schema(
    "threshold", {"value": Whole(low=-(2**31), high=2**31 - 1), "found": Flag()}
)
PACKED_WEIGHTS = Schema(
    "packed-weights", {"signs": Nested(BITS), "mask": Nested(BITS, optional=True)}
)
NEGATIVE, POSITIVE = range(2)  # rows of a histogram
_ROWS = 2**16  # examples whose fields are kept at a time


@record(THRESHOLD)
class ChosenThreshold(NamedTuple):
    """A threshold, and whether the search succeeded."""

    value: int
    found: bool


@record(PACKED_WEIGHTS)
class PackedWeights(NamedTuple):
    """Weights -1, 0 and +1 of some models, as bits."""

    signs: Bits
    mask: Bits | None  # high where a weight is not zero; None if none is

    def fields(
        self, bits: Bits, threshold: IntArray | None = None
    ) -> npt.NDArray[np.int32]:
        """Return the fields of examples, minus the threshold of each model."""
        return fields(bits, *self, threshold=threshold)


def packed_weights(weights: npt.NDArray[Any]) -> PackedWeights:
    """Pack weights -1, 0 and +1, one model a row.

    Examples
    --------
    >>> weights = packed_weights(np.array([[1, -1, 0], [1, 1, 1]]))
    >>> weights.fields(pack([[1, 1, 0]]))
    array([[0, 1]], dtype=int32)
    """
    known = weights != 0
    return PackedWeights(pack(weights > 0), None if known.all() else pack(known))


def histogram(
    bits: Bits,
    codes: npt.NDArray[Any],
    classes: int,
    weights: npt.NDArray[Any],
    sample_weight: IntArray | None = None,
) -> IntArray:
    """Count examples by class and field.

    Parameters
    ----------
    bits, codes, classes, sample_weight
        As in :func:`~rosenblatt.linear.counting.tally`.
    weights
        -1, 0 or +1, shape ``(models, columns)``.

    Returns
    -------
    array
        Shape ``(models, classes, 2 * columns + 1)``: model, class, and field, from
        ``-columns``.

    Examples
    --------
    >>> inputs, codes = pack([[1, 1], [1, 0]]), np.array([1, 0])
    >>> histogram(inputs, codes, 2, np.array([[1, 1]]))[0]
    array([[0, 0, 1, 0, 0],
           [0, 0, 0, 0, 1]])
    """
    models, columns = weights.shape
    size = 2 * columns + 1
    packed = packed_weights(weights)
    found = np.zeros((models, classes * size), np.int64)
    for first in range(0, len(bits), _ROWS):
        part = slice(first, first + _ROWS)
        values = packed.fields(bits[part]).T + (columns + size * codes[part])
        for model, places in enumerate(values):
            if sample_weight is None:
                found[model] += np.bincount(places, minlength=classes * size)
            else:
                np.add.at(found[model], places, sample_weight[part])
    return found.reshape(models, classes, size)


def against_rest(
    fields: IntArray, positive_classes: Sequence[int], factors: list[int]
) -> npt.NDArray[Any]:
    """Return histograms of one class and of all others, from those of each class.

    Parameters
    ----------
    fields
        Histograms as above.
    positive_classes
        The class that is positive, for each model.
    factors
        How often an example of each class counts.

    Returns
    -------
    array
        Shape ``(models, 2, fields)``, negative examples first; integers of any size
        where factors are not 1.

    Examples
    --------
    >>> against_rest(np.array([[[1, 0], [2, 1], [0, 5]]]), [1], [1, 10, 1])
    array([[[1, 5],
            [20, 10]]], dtype=object)
    """
    if set(factors) != {1}:
        fields = fields * np.array(factors, dtype=object)[:, None]
    models = np.arange(len(fields))
    positive = fields[models, list(positive_classes)]
    return np.stack([fields.sum(axis=1) - positive, positive], axis=1)


def _above(counts: IntArray) -> IntArray:
    """Return how many fields are above r, for r from -n - 1 to n."""
    sums = np.cumsum(counts[::-1])[::-1]
    return np.append(sums, 0)


def printed_threshold(counts: IntArray, eps: float) -> ChosenThreshold:
    """Search as :cite:t:`golea1993` do in step 7 of their figure 1.

    The threshold is the least r for which more than ``1 - eps/4`` of the examples with
    a field above r are positive. The test fails if no field is above r. If it fails for
    every r, the search as printed never ends. This one stops at r = n, the largest
    possible field, and reports the failure.

    Parameters
    ----------
    counts
        A histogram of one model, negative examples first.
    eps
        The accuracy asked for.

    Examples
    --------
    >>> printed_threshold(np.array([[2, 1, 0], [0, 3, 4]]), eps=0.5)
    ChosenThreshold(value=0, found=True)
    >>> printed_threshold(np.array([[2, 1, 1], [0, 3, 0]]), eps=0.5)
    ChosenThreshold(value=1, found=False)
    """
    wanted = 1 - fraction("eps", eps) / 4
    right = _above(counts[POSITIVE]).astype(object)  # integers of any size
    all_ = right + _above(counts[NEGATIVE])
    good = (right * wanted.denominator > all_ * wanted.numerator).astype(bool)
    place = int(good.argmax()) if good.any() else good.size - 1
    return ChosenThreshold(place - good.size // 2, bool(good.any()))


def least_error_threshold(counts: IntArray) -> ChosenThreshold:
    """Return the least threshold among those with the fewest wrong examples.

    Examples
    --------
    >>> least_error_threshold(np.array([[2, 1, 1], [0, 3, 0]]))
    ChosenThreshold(value=-1, found=True)
    """
    wrong = counts[POSITIVE].sum() - _above(counts[POSITIVE]) + _above(counts[NEGATIVE])
    return ChosenThreshold(int(wrong.argmin()) - wrong.size // 2, True)
