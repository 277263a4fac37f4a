"""The labelled result of the engine for beliefs."""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr

from rosenblatt.compiling.jit import mapped
from rosenblatt.core.trace import trace
from rosenblatt.core.types import FloatArray
from rosenblatt.simulation.coordinate.task import GAUSSIANS, BeliefTask

__all__ = ["labelled"]

_ABOUT = {
    "agreement": "fraction of the weights whose sign is the teacher's",
    "solved": "whether all signs are the teacher's",
    "estimate": "the learner's own estimate of its error",
}


def labelled(task: BeliefTask, records: FloatArray) -> xr.Dataset:
    """Label the records."""
    along, rest, norm2, total, agreeing, mistakes, tested = np.moveaxis(records, -1, 0)
    scale = math.sqrt(task.run.dim)
    along, rest = along / scale, rest / scale
    result = trace(
        np.stack([along, np.zeros_like(along), rest, mistakes], axis=-1),
        task.run.alpha,
        functools.partial(task.teacher.error, mapped(task.teacher)),
        (0.0, 0.0),
        engine="coordinate",
        dim=task.run.dim,
        spec=task.describe(),
    ).drop_vars("mean_overlap")
    exact = task.law == GAUSSIANS
    # winther1997, eq. (8): cos^2 = <w>.<w> / <w.w>
    angle = np.arctan2(np.sqrt(total), np.sqrt(norm2))
    noise = task.rule.noise
    variables = {
        "agreement": agreeing / task.run.dim,
        "solved": agreeing == task.run.dim,
        "estimate": noise + (1 - 2 * noise) * angle / np.pi,
    }
    found = {
        name: (("replica", "alpha"), values, {"long_name": _ABOUT[name]})
        for name, values in variables.items()
    }
    if not exact:
        found["error"] = (("replica", "alpha"), tested, result.error.attrs)
    result = result.assign(found)  # all at once: each time takes half a millisecond
    result.attrs["exact"] = int(exact)
    return result
