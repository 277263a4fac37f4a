"""Loops over components, compiled into the machines that use them."""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling.jit import inlined
from rosenblatt.core.types import FloatArray

_LINE = 64  # bytes of the cache that are read together, as many as a register has


@inlined
def dot(a: FloatArray, b: FloatArray) -> float:
    """Return a.b, in any order that is fast."""
    total = 0.0
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@inlined
def scale(a: FloatArray, factor: float, out: FloatArray) -> None:
    """Write factor * a into ``out``."""
    for i in range(a.size):
        out[i] = factor * a[i]


@inlined
def normalise(w: FloatArray, groups: int) -> None:
    """Rescale each of ``groups`` equal parts of a vector to length 1; 0: none."""
    if groups == 0:
        return
    size = w.size // groups
    for first in range(0, groups * size, size):
        group = w[first : first + size]
        scale(group, 1.0 / math.sqrt(dot(group, group)), group)


def normalised(weights: FloatArray, groups: int, name: str = "weights") -> FloatArray:
    """Return weights, one student a row, with all groups of length 1.

    ``name`` is what an error calls them.

    Examples
    --------
    >>> normalised(np.array([[3.0, 4.0, 0.0, 2.0]]), 2)
    array([[0.6, 0.8, 0. , 1. ]])
    """
    if groups == 0:
        return weights
    parts = weights.reshape(len(weights), groups, -1)
    lengths = np.linalg.norm(parts, axis=2, keepdims=True)
    if not lengths.all():
        raise ValueError(
            f"{name} must not be zero in a whole group that is kept at length 1, "
            f"got {weights[(lengths == 0).any(axis=(1, 2))][0]} with {groups} groups"
        )
    return np.asarray((parts / lengths).reshape(weights.shape))


def _aligned(size: int, like: FloatArray) -> FloatArray:
    """Return an array of zeros that is aligned to a cache line, of a given precision.

    Other arrays begin anywhere, and each register is then read from two lines. Measured
    at 100 columns: a quarter of the time.

    Examples
    --------
    >>> zeros = _aligned(5, np.ones(1, np.float32))
    >>> zeros, zeros.ctypes.data % 64
    (array([0., 0., 0., 0., 0.], dtype=float32), 0)
    """
    room = np.zeros(size + _LINE // like.itemsize, like.dtype)
    first = -room.ctypes.data % _LINE // like.itemsize
    return room[first : first + size]


aligned_zeros = inlined(_aligned)  # in kernels


def aligned_table(*shape: int) -> FloatArray:
    """Return a table of zeros that is aligned to a cache line.

    Examples
    --------
    >>> aligned_table(2, 3).shape
    (2, 3)
    """
    zeros: FloatArray = _aligned(math.prod(shape), np.zeros(0)).reshape(shape)
    return zeros


def aligned_copy(array: FloatArray) -> FloatArray:
    """Return a copy of an array of doubles that is aligned to a cache line."""
    copied = aligned_table(*array.shape)
    copied[...] = array
    return copied
