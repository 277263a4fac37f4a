"""Images of digits: scikit-learn's, or any in files of the idx format.

Pixels are divided by the root of the mean squared length of the training images.
"""

from __future__ import annotations

import functools
import os
from typing import Any, NamedTuple

import lazy_loader
import numpy as np

from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["Digits", "bundled", "from_files"]

datasets: Any = lazy_loader.load("sklearn.datasets", suppress_warning=True)
tables: Any = lazy_loader.load("rosenblatt.tables", suppress_warning=True)

_EVERY = 4  # one image in four is for testing, if there are no others


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


Path = str | os.PathLike[str]


def _read(images: Path, labels: Path) -> tuple[FloatArray, IntArray, tuple[int, int]]:
    pixels, classes = tables.idx.read_idx(images), tables.idx.read_idx(labels)
    if pixels.ndim != 3:
        raise ValueError(
            f"{images} must have three dimensions, images, rows and columns, got shape "
            f"{pixels.shape}"
        )
    if classes.ndim != 1 or not np.issubdtype(classes.dtype, np.integer):
        raise ValueError(
            f"{labels} must have one whole number per image, got shape {classes.shape} "
            f"of {classes.dtype}"
        )
    if len(pixels) != len(classes) or not pixels.size:
        raise ValueError(
            f"{images} and {labels} must belong together, got {len(pixels)} images of "
            f"{pixels.shape[1]} by {pixels.shape[2]} pixels and {len(classes)} labels"
        )
    rows, columns = pixels.shape[1:]
    flat = pixels.reshape(len(pixels), -1).astype(np.float64)
    return flat, classes.astype(np.int64), (rows, columns)


def from_files(
    images: Path,
    labels: Path,
    test_images: Path | None = None,
    test_labels: Path | None = None,
) -> Digits:
    """Return images and labels from files of the idx format, plain or gzip.

    Without files to test with, every fourth image is for that.
    """
    if (test_images is None) != (test_labels is None):
        raise ValueError("test images and test labels must be given both or not at all")
    train, train_labels, shape = _read(images, labels)
    if len(np.unique(train_labels)) < 2:
        raise ValueError(f"{labels} must have more than one class")
    if test_images is None or test_labels is None:
        return _split(train, train_labels, shape)
    test, classes, tested = _read(test_images, test_labels)
    if tested != shape:
        raise ValueError(
            f"{test_images} must have images of {shape} pixels as {images} has, "
            f"got {tested}"
        )
    return _made(train, train_labels, test, classes, shape)
