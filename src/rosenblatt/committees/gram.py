"""Gram matrices of students and teachers, their factors, and first students."""

from __future__ import annotations

from numbers import Real
from typing import Any, cast

import numpy as np

from rosenblatt.core.arguments import number, numbers, shown
from rosenblatt.core.types import FloatArray

__all__ = [
    "Start",
    "factor",
    "first_students",
    "random_students",
    "shortfall",
    "starting",
    "triangular",
]

_ROUNDING = 1e-10  # relative: an eigenvalue below zero by less is rounding
_SMALL = 1e-13  # relative: a pivot below it is zero, its unit depends on earlier ones
Start = float | tuple[FloatArray, FloatArray]  # a length, or overlaps R and Q


def factor(name: str, gram: FloatArray) -> FloatArray:
    """Return a lower triangular factor of a Gram matrix, which may be singular.

    Examples
    --------
    >>> factor("teachers", np.array([[1.0, 2.0], [2.0, 1.0]]))
    Traceback (most recent call last):
    ValueError: teachers must be a Gram matrix, without negative eigenvalues, got -1
    """
    if gram.ndim != 2 or gram.shape[0] != gram.shape[1] or gram.size == 0:
        raise ValueError(f"{name} must be a square matrix, got shape {gram.shape}")
    if not np.isfinite(gram).all():
        raise ValueError(f"{name} must be finite numbers, got {gram.tolist()}")
    scale = float(np.abs(gram).max())
    if np.abs(gram - gram.T).max() > _ROUNDING * scale:
        raise ValueError(f"{name} must be symmetric, got {gram.tolist()}")
    least = float(np.linalg.eigvalsh(gram)[0])
    if least < -_ROUNDING * scale:
        raise ValueError(
            f"{name} must be a Gram matrix, without negative eigenvalues, got "
            f"{least:.4g}"
        )
    return triangular(gram)


def triangular(gram: FloatArray) -> FloatArray:
    """Return the factor of a matrix that is known to be a Gram matrix.

    Examples
    --------
    >>> triangular(np.array([[4.0, 2.0], [2.0, 1.0]])).tolist()
    [[2.0, 0.0], [1.0, 0.0]]
    """
    scale, result = float(np.abs(gram).max()), np.zeros_like(gram)
    for j in range(len(gram)):
        rest = gram[j:, j] - result[j:, :j] @ result[j, :j]
        if rest[0] > _SMALL * scale:
            result[j:, j] = rest / np.sqrt(rest[0])
    return result


def shortfall(gram: FloatArray) -> float:
    """Return the number to add to the diagonal for a Gram matrix; 0 if it is one.

    Errors of integration leave such matrices, once a student is almost its teacher.

    Examples
    --------
    >>> shortfall(np.eye(2)), round(shortfall(np.array([[1.0, 1.1], [1.1, 1.0]])), 6)
    (0.0, 0.1)
    """
    least = float(np.linalg.eigvalsh(gram)[0])
    return -least if least < -_ROUNDING * float(np.abs(gram).max()) else 0.0


def starting(start: Any, teachers: FloatArray, students: int) -> Start:
    """Return a checked start: a length, or overlaps R (K, M) and Q (K, K)."""
    if isinstance(start, Real):
        return number("start", cast(float, start), low=0)
    if not (isinstance(start, tuple | list) and len(start) == 2):
        raise TypeError(
            f"start must be a length or a pair of overlaps R and Q, got {shown(start)}"
        )
    first, second = start
    cross, own = numbers("start", first), numbers("start", second)
    wanted = (students, len(teachers)), (students, students)
    if (cross.shape, own.shape) != wanted:
        raise ValueError(
            f"start must be overlaps of shapes {wanted[0]} and {wanted[1]}, got "
            f"{cross.shape} and {own.shape}"
        )
    factor("start", np.block([[teachers, cross.T], [cross, own]]))
    return cross, own


def first_students(
    start: tuple[FloatArray, FloatArray], teachers: FloatArray
) -> FloatArray:
    """Return students of given overlaps as rows in the frame, (K, M + K).

    The first M directions of the frame span the teachers, the others the rest of the
    students.
    """
    cross, own = start
    joint = np.block([[teachers, cross.T], [cross, own]])
    return factor("start", joint)[len(teachers) :]


def random_students(
    length: float, shape: tuple[int, int], dim: int, rng: np.random.Generator
) -> FloatArray:
    """Return K students with independent normal weights as rows in the frame.

    ``shape`` is (K, M). Lengths outside of the teachers' span follow the law of
    Bartlett.
    """
    students, teachers = shape
    result = np.tril(rng.standard_normal((students, teachers + students)), teachers)
    own = np.arange(students)
    freedom = np.maximum(dim - teachers - own, 0)
    result[own, teachers + own] = np.sqrt(2 * rng.standard_gamma(freedom / 2))
    return np.asarray(length / np.sqrt(dim) * result)
