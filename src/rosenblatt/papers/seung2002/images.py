"""Images of digits that come with scikit-learn.

Pixels are divided by the root of the mean squared length of the training images.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import lazy_loader
import numpy as np

from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["Digits", "bundled"]

datasets: Any = lazy_loader.load("sklearn.datasets", suppress_warning=True)

_EVERY = 4  # one image in four is for testing


class Digits(NamedTuple):
    """Images in rows, with their labels, to learn from and to test with."""

    train: FloatArray
    train_labels: IntArray
    test: FloatArray
    test_labels: IntArray
    shape: tuple[int, int]


def _made(
    train: FloatArray,
    train_labels: IntArray,
    test: FloatArray,
    test_labels: IntArray,
    shape: tuple[int, int],
) -> Digits:
    """Scale images, in double precision."""
    length = np.sqrt(np.mean(np.einsum("ij,ij->i", train, train, dtype=np.float64)))
    scale = 1 / length if length > 0 else 1.0
    return Digits(train * scale, train_labels, test * scale, test_labels, shape)


def _split(images: FloatArray, labels: IntArray, shape: tuple[int, int]) -> Digits:
    tested = np.arange(len(images)) % _EVERY == 0
    return _made(
        images[~tested], labels[~tested], images[tested], labels[tested], shape
    )


@functools.lru_cache(maxsize=1)
def bundled() -> Digits:
    """Return scikit-learn's images; every fourth is for testing.

    Examples
    --------
    >>> bundled().train.shape, bundled().shape
    ((1347, 64), (8, 8))
    """
    images, labels = datasets.load_digits(return_X_y=True)
    return _split(images, labels, (8, 8))
