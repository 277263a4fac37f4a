"""Migrations of model files of older versions."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["covariances_of_factors"]


def covariances_of_factors(tensors: dict[str, Any]) -> dict[str, Any]:
    """Return the arrays of version 3 from those of version 2.

    Version 2 holds a full covariance :math:`V = L^T D L` by its factors: a lower
    triangular L with ones on its diagonal, in whose place D is. Version 3 holds V.

    Examples
    --------
    >>> covariances_of_factors({"filters.0.belief": np.array([[[2.0, 0], [0.5, 4]]])})
    {'filters.0.belief': array([[[3., 2.],
            [2., 4.]]])}
    """
    found = dict(tensors)
    for name, factors in tensors.items():
        if name.endswith(".belief") and factors.ndim == 3:
            shares = np.diagonal(factors, axis1=1, axis2=2)
            units = np.tril(factors, -1) + np.eye(factors.shape[1])
            covariances = units.transpose(0, 2, 1) @ (shares[:, :, None] * units)
            found[name] = 0.5 * (covariances + covariances.transpose(0, 2, 1))
    return found
