"""The labelled result of every engine and of the theory, and its file.

Dimensions are ``replica`` and ``alpha``; variables:

================  ====================================================================
``overlap``       cosine of the angle between student and teacher
``angle``         that angle, which stays accurate where the overlap rounds to 1
``norm``          length of the student over sqrt(N)
``mean_overlap``  ``q = U.W``, overlap with the mean of the inputs (0 without a mean)
``error``         probability that the student's sign is not the label, noise included
``mistakes``      number of mistakes so far (in theory per dimension)
================  ====================================================================

Labels of a likelihood have ``squared_error`` instead of the last two: the mean squared
difference between the fields of student and teacher, for isotropic inputs.
"""

from __future__ import annotations

import functools
import io
import json
import os
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

import lazy_loader
import numpy as np
import pandas as pd
import xarray as xr
from xarray.indexes import PandasIndex

from rosenblatt.core.gaussian import PlaneMean
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.system.atomic_files import write_whole

# h5py is needed for files only
netcdf: Any = lazy_loader.load("rosenblatt.system.netcdf", suppress_warning=True)

_ABOUT = {
    "alpha": "examples per weight",
    "example": "examples",
    "overlap": "cosine of the angle between student and teacher",
    "angle": "angle between student and teacher, in radians",
    "norm": "length of the student over sqrt(N)",
    "mean_overlap": "overlap U.W of the mean input with the student as a unit vector",
    "error": "probability that the student's sign is not the label",
    "mistakes": "mistakes so far",
    "squared_error": "mean squared difference between the fields",
    "weights": "weights of the student",
    "test_error": "share of a test set that the student gets wrong",
    "agreement": "fraction of the weights whose sign is the teacher's",
    "solved": "whether all signs are the teacher's",
    "estimate": "the learner's own estimate of its error",
}


@functools.cache
def installed() -> str:
    """Return the version of this package; to ask for it takes a millisecond."""
    return version("rosenblatt")


def _variable(
    dimensions: tuple[str, ...], values: FloatArray | IntArray, about: str | None
) -> xr.Variable:
    """Return an array with its labels.

    xarray compares the type of the values with types of other packages. It imports dask
    for that, which takes longer than a short simulation.
    """
    attributes = {} if about is None else {"long_name": about}
    return xr.Variable(dimensions, values, attributes, fastpath=True)


def _coordinates(**along: FloatArray | IntArray) -> xr.Coordinates:
    """Return the coordinates of the dimensions, with their indexes."""
    variables: dict[Any, xr.Variable] = {}
    indexes = {}
    for name, values in along.items():
        plain = _variable((name,), values, _ABOUT.get(name))
        indexes[name] = PandasIndex(pd.Index(values, name=name), name)
        variables |= indexes[name].create_variables({name: plain})
    return xr.Coordinates(variables, indexes)


def trace(
    records: FloatArray,
    alpha: FloatArray,
    error_at: Callable[[FloatArray, PlaneMean], FloatArray],
    center: tuple[float, float] | None,
    more: Mapping[str, FloatArray] = MappingProxyType({}),
    **attributes: Any,
) -> xr.Dataset:
    """Build the result from coordinates and mistakes, (replica, alpha, 4).

    ``error_at`` is :meth:`Teacher.error` of a compiled teacher, ``center`` the mean of
    the inputs along and across the teacher; without one there is no ``mean_overlap``.
    ``more`` has other variables, or other values of these.
    """
    along, across, rest, mistakes = np.moveaxis(records, -1, 0)
    side = np.hypot(across, rest)
    norm = np.hypot(along, side)
    nothing = norm == 0
    angle = np.where(nothing, np.pi / 2, np.arctan2(side, along))
    unit_across = np.divide(across, side, out=np.zeros_like(side), where=side > 0)
    first, second = center or (0.0, 0.0)
    error = error_at(angle, PlaneMean(np.full_like(angle, first), second * unit_across))
    length = np.where(nothing, 1.0, norm)
    variables = {
        "overlap": np.where(nothing, 0.0, along / length),
        "angle": angle,
        "norm": norm,
        "mean_overlap": (first * along + second * across) / length,
        "error": np.where(nothing, 0.5, error),  # w = 0 can only guess
        "mistakes": mistakes,
    }
    if center is None:
        del variables["mean_overlap"]
    variables |= more
    return labelled(
        {name: (("replica", "alpha"), values) for name, values in variables.items()},
        {"replica": np.arange(len(along)), "alpha": alpha},
        **attributes,
    )


def field_trace(
    records: FloatArray,
    alpha: FloatArray,
    norm2: FloatArray | float = 1.0,
    **attributes: Any,
) -> xr.Dataset:
    """Build the result for labels of a likelihood, from coordinates as in `trace`.

    ``norm2`` is the teacher's squared length, per dimension.
    """
    found = trace(records, alpha, lambda angle, _: angle, None, **attributes)
    along, across, rest, _ = np.moveaxis(records, -1, 0)
    squared = (along - np.sqrt(norm2)) ** 2 + across**2 + rest**2
    dims, about = ("replica", "alpha"), _ABOUT["squared_error"]
    return found.drop_vars(["error", "mistakes"]).assign(
        squared_error=_variable(dims, squared, about)
    )


def labelled(
    variables: dict[str, tuple[tuple[str, ...], Any]],
    along: dict[str, Any],
    about: Mapping[str, str] = MappingProxyType(_ABOUT),
    *,
    spec: dict[str, Any],
    **attributes: Any,
) -> xr.Dataset:
    """Return a result: dimensions and values, coordinates, words for both, and more."""
    return xr.Dataset(
        {
            name: _variable(dims, values, about.get(name))
            for name, (dims, values) in variables.items()
        },
        coords=_coordinates(**along),
        attrs={**attributes, "version": installed(), "spec": json.dumps(spec)},
    )


def save(result: xr.Dataset, path: str | os.PathLike[str]) -> None:
    """Write a result to a netCDF file, whole or not at all.

    An older file of that name stays as it is until the new one is complete.
    """
    netcdf.check_installed()
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"path must be in an existing folder, got {str(target)!r}"
        )
    write_whole(target, netcdf.content(result))


def load(path: str | os.PathLike[str]) -> xr.Dataset:
    """Read a result, or that of a sweep, that :func:`save` has written.

    Reading runs nothing and opens no other file. Whatever is wrong with the file is a
    ``ValueError`` of one line.
    """
    netcdf.check_installed()
    target = Path(path)
    if not target.is_file():
        kind = "a regular" if target.exists() else "an existing"
        raise FileNotFoundError(f"path must be {kind} file, got {str(target)!r}")
    try:
        content = target.read_bytes()
        netcdf.check(content)
        result = xr.load_dataset(io.BytesIO(content), engine="h5netcdf")
    except Exception as failure:  # damaged files make the libraries raise anything
        reason = " ".join(str(failure).split())
        raise ValueError(f"{str(target)!r} is not a netCDF file: {reason}") from None
    if "spec" not in result.attrs and "sweep" not in result.attrs:
        raise ValueError(f"{str(target)!r} is not a result of rosenblatt")
    return result
