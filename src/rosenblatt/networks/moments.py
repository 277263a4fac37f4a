"""Gaussian averages of an activation: in closed form, or by quadrature."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rosenblatt.core.types import FloatArray
from rosenblatt.networks import erf, relu
from rosenblatt.networks.averages import Averages
from rosenblatt.networks.committee import Committee
from rosenblatt.networks.quadrature import Quadrature
from rosenblatt.rules import Erf, ReLU

__all__ = ["Moments", "moments_of"]


class Moments(NamedTuple):
    """Averages of an activation over Gaussian fields of a given covariance."""

    products: Callable[[FloatArray], FloatArray]  # <g(u_1) g(u_2)> of all pairs
    averages: Callable[[FloatArray, FloatArray, int], Averages]


def moments_of(committee: Committee) -> Moments:
    """Return the averages of a committee's activation.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.rules import Erf
    >>> float(moments_of(Committee(Erf())).products(np.eye(1))[0, 0])  # 1/3
    0.333...
    """
    if isinstance(committee.activation, Erf):
        return Moments(erf.products, erf.averages)
    quadrature = Quadrature(committee)
    if isinstance(committee.activation, ReLU):
        return Moments(relu.products, quadrature.averages)
    return Moments(quadrature.products, quadrature.averages)
