"""The labelled result of a simulation of committees, and of their theory."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from rosenblatt.core.trace import installed
from rosenblatt.core.types import FloatArray

__all__ = ["labelled"]


def labelled(
    found: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
    alpha: FloatArray,
    attributes: dict[str, Any],
    about_error: str = "half the mean squared error, noise excluded",
) -> xr.Dataset:
    """Return R, Q, output weights and errors with names, (replica, alpha, ...).

    Examples
    --------
    >>> shapes = (1, 2, 3, 4), (1, 2, 3, 3), (1, 2, 3), (1, 2)
    >>> result = labelled(tuple(map(np.zeros, shapes)), np.array([0.0, 1.0]), {})
    >>> dict(result.sizes)
    {'replica': 1, 'alpha': 2, 'student': 3, 'teacher': 4, 'other': 3}
    """
    cross, own, outputs, error = found
    each = ("replica", "alpha")
    about = "overlaps {} of the student's units, per dimension"
    return xr.Dataset(
        {
            "R": (
                (*each, "student", "teacher"),
                cross,
                {"long_name": about.format("with those of the teacher")},
            ),
            "Q": (
                (*each, "student", "other"),
                own,
                {"long_name": about.format("with each other")},
            ),
            "outputs": (
                (*each, "student"),
                outputs,
                {"long_name": "output weights of the student"},
            ),
            "error": (each, error, {"long_name": about_error}),
        },
        coords={
            "replica": np.arange(cross.shape[0]),
            "alpha": ("alpha", alpha, {"long_name": "examples per dimension"}),
            "student": np.arange(cross.shape[2]),
            "teacher": np.arange(cross.shape[3]),
            "other": np.arange(cross.shape[2]),
        },
        attrs={**attributes, "version": installed()},
    )
