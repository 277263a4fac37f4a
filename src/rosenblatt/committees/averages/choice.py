"""Choice of the averages of an activation: in closed form, or by quadrature."""

from __future__ import annotations

from rosenblatt.committees.averages import erf, relu
from rosenblatt.committees.averages.results import Moments
from rosenblatt.committees.averages.smooth import Smooth
from rosenblatt.committees.committee import Committee
from rosenblatt.rules import Erf, ReLU
from rosenblatt.specification.parts import RefusalError

__all__ = ["moments_of"]

_QUADRATURE = 1e-9  # see the tests of each file


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
        return Moments(erf.products, erf.averages, 1e-13)
    if isinstance(committee.activation, ReLU):
        return Moments(relu.products, relu.averages, _QUADRATURE)
    if committee.activation.kinks:
        raise RefusalError(
            f"activation {committee.activation!r} has kinks; averages are known for "
            "smooth ones, rules.Erf() and rules.ReLU() only"
        )
    quadrature = Smooth(committee)
    return Moments(quadrature.products, quadrature.averages, _QUADRATURE)
