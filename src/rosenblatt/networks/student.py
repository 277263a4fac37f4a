"""Students as vectors, which give their output for real rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from rosenblatt.core import Activation
from rosenblatt.core.arguments import numbers, part, shown, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.networks.committee import Committee
from rosenblatt.specification.records import build, read

__all__ = ["Student", "student_of"]


@dataclass(frozen=True, eq=False)
class Student:
    """A student with known weights.

    Parameters
    ----------
    activation
        The output of a unit, as in :class:`Committee`.
    weights
        Weights of its units, (K, N). Rows of data have a squared length near 1.
    outputs
        Output weights, (K,).

    Examples
    --------
    >>> from rosenblatt.rules import ReLU
    >>> absolute = Student(ReLU(), [[1.0], [-1.0]], [1.0, 1.0])
    >>> absolute.predict([[-2.0], [3.0]])
    array([2., 3.])
    """

    activation: Activation
    weights: FloatArray
    outputs: FloatArray

    def __post_init__(self) -> None:
        part("activation", Activation, self.activation)
        weights, outputs = (
            numbers(name, getattr(self, name)) for name in ("weights", "outputs")
        )
        if weights.ndim != 2 or not weights.size or not np.isfinite(weights).all():
            raise ValueError(
                "weights must be finite numbers, a row for each unit, got shape "
                f"{weights.shape}"
            )
        if outputs.shape != weights.shape[:1] or not np.isfinite(outputs).all():
            raise ValueError(
                f"outputs must be {len(weights)} finite numbers, one for each unit, "
                f"got {shown(self.outputs)}"
            )
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "outputs", outputs)

    def predict(self, rows: npt.ArrayLike) -> FloatArray:
        """Return the output for each row, (rows,); its sign is the decision."""
        given = numbers("rows", rows)
        wanted = self.weights.shape[1]
        if given.ndim != 2 or given.shape[1] != wanted:
            raise ValueError(
                f"rows must have {wanted} columns, as the weights have, got shape "
                f"{given.shape}"
            )
        if not np.isfinite(given).all():
            raise ValueError("rows must be finite numbers")
        units = Committee(self.activation, len(self.weights), 1)
        return np.asarray(units.evaluate(given @ self.weights.T)[0] @ self.outputs)


def student_of(
    result: xr.Dataset,
    replica: int = 0,
    *,
    parts: Mapping[str, Any] = MappingProxyType({}),
) -> Student:
    """Return the last student of a simulation, to predict real rows.

    Parameters
    ----------
    result
        A result of :func:`rosenblatt.networks.simulate` with ``weights=True``. The
        teacher's units are combinations of the first M inputs.
    replica
        Number of the replica.
    parts
        Your own activation by name, if the result was made with one.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> one = rb.networks.Committee(rb.rules.Erf(), students=1, teachers=1)
    >>> run = rb.networks.simulate(
    ...     one, 1.0, dim=20, alpha=[50], engine="full", weights=True)
    >>> row = np.zeros((1, 20))
    >>> row[0, 0] = 1 / np.sqrt(20)  # the teacher's field is 1
    >>> rb.networks.student_of(run).predict(row).round(2)
    array([0.68])
    """
    part("result", xr.Dataset, result)
    if "weights" not in result or "spec" not in result.attrs:
        raise ValueError(
            "result must come from rosenblatt.networks.simulate with weights=True"
        )
    at = whole("replica", replica, low=0)
    if at >= result.sizes["replica"]:
        raise ValueError(
            f"replica must be below {result.sizes['replica']}, got {replica}"
        )
    activation = build(read(result.attrs["spec"])["activation"], parts)
    outputs = result["outputs"].values[at, -1]
    return Student(activation, result["weights"].values[at], outputs)
