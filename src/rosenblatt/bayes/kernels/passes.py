"""Passes over the columns of rows, in vector registers.

Equations are those of :mod:`rosenblatt.bayes.kernels.independent`.
"""

from __future__ import annotations

from typing import Any

from rosenblatt.compiling.vector.loops import sweep

__all__ = [
    "add_row",
    "add_rows",
    "copy_row",
    "diagonal_pass",
    "dot",
    "moments",
    "move_mean",
    "spherical_pass",
    "standardise",
    "turn_rows",
]


def _standardised(x: Any, center: Any, scale: Any, clip: Any, none: Any) -> Any:
    """Return eq. (1) of :mod:`rosenblatt.bayes.standardisation`; ``none`` is 0."""
    return ((x - center) * scale).clip(none - clip, clip)


def _moved(m: Any, v: Any, z: Any, slope: Any, curvature: Any) -> Any:
    """Return eq. (2)."""
    step = v * z
    return m + step * slope, v - step * step * curvature


def _spherical(
    x: Any, y: Any, before: Any, last: Any, center: Any, scale: Any, m: Any,
    p: Any, q: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Move the mean by two rows; find fields, product and lengths of the next two."""
    m = m + _standardised(before, center, scale, clip, none) * p
    m = m + _standardised(last, center, scale, clip, none) * q
    s = _standardised(x, center, scale, clip, none)
    t = _standardised(y, center, scale, clip, none)
    return (m,), (m * s, m * t, s * t, s * s, t * t, x * none, y * none)


def _diagonal(
    x: Any, y: Any, before: Any, last: Any, center: Any, scale: Any, m: Any, v: Any,
    g: Any, c: Any, slope: Any, curvature: Any, clip: Any, none: Any
) -> Any:  # fmt: skip
    """Learn two rows; find what the fields of the next two are made of, eq. (3)."""
    m, v = _moved(m, v, _standardised(before, center, scale, clip, none), g, c)
    z = _standardised(last, center, scale, clip, none)
    m, v = _moved(m, v, z, slope, curvature)
    s = _standardised(x, center, scale, clip, none)
    t = _standardised(y, center, scale, clip, none)
    q = v * s * t
    sums = (m * s, v * s * s, m * t, v * t * t, q, q * q, x * none, y * none)
    return (m, v), sums


def _add(
    x: Any, y: Any, center: Any, scale: Any, first: Any, second: Any,
    often: Any, again: Any, reach: Any, none: Any
) -> Any:  # fmt: skip
    """Add two rows to the sums of deviations and of their squares."""
    for entry, times in ((x, often), (y, again)):
        far = _standardised(entry, center, scale, reach, none)
        first, second = first + far * times, second + far * far * times
    return (first, second), ()


def _add_row(
    x: Any, center: Any, scale: Any, first: Any, second: Any, reach: Any, none: Any
) -> Any:
    """Add a row to the sums of deviations and of their squares."""
    far = _standardised(x, center, scale, reach, none)
    return (first + far, second + far * far), ()


spherical_pass = sweep(_spherical, reads=7, writes=1, sums=7, streamed=2)
diagonal_pass = sweep(_diagonal, reads=8, writes=2, sums=8, streamed=2)
add_rows = sweep(_add, reads=6, writes=2, sums=0)
add_row = sweep(_add_row, reads=5, writes=2, sums=0)


def _standardise(x: Any, center: Any, scale: Any, clip: Any, none: Any) -> Any:
    """Standardise a row; the sum is NaN if an entry is NaN or infinite."""
    return (_standardised(x, center, scale, clip, none),), (x * none,)


standardise = sweep(_standardise, reads=3, writes=1, sums=1)


def _moments(m: Any, u: Any, z: Any, none: Any) -> Any:
    """Find mean and variance of a field, with the product u of covariance and row."""
    return (), (m * z, u * z)


def _move_mean(m: Any, u: Any, slope: Any, shrink: Any, root: Any) -> Any:
    """Move the mean by a label, and scale what the covariance moves by."""
    return ((m + u * slope) * shrink, u * root), ()


moments = sweep(_moments, reads=3, writes=0, sums=2)
move_mean = sweep(_move_mean, reads=2, writes=2, sums=0)


def _copy(x: Any, none: Any) -> Any:
    """Copy a row."""
    return (x,), ()


def _dot(x: Any, y: Any, none: Any) -> Any:
    """Find the product of two vectors."""
    return (), (x * y,)


def _turn(
    v: Any, w: Any, turn: Any, u: Any, e: Any, by: Any, more: Any, less: Any,
    next_by: Any, next_more: Any, next_less: Any
) -> Any:  # fmt: skip
    """Scale two rows of a covariance, and add a product and subtract another."""
    first = v * (turn * by) + u * more - e * less
    return (first, w * (turn * next_by) + u * next_more - e * next_less), ()


copy_row = sweep(_copy, reads=1, writes=1, sums=0)
dot = sweep(_dot, reads=2, writes=0, sums=1)
turn_rows = sweep(_turn, reads=5, writes=2, sums=0)
