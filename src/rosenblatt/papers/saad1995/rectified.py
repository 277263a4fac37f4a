r"""The symmetric plateau of two rectified units, which differs from that of erf.

Units that are alike but not the same are :math:`w_{1,2} = R (B_1 + B_2) \pm d` with d
across the teacher, so that :math:`Q + C = 4 R^2` and :math:`Q - C = 2 |d|^2`. The error
of this family follows from :math:`\langle u_+ v_+ \rangle` alone, and its minimum is
the plateau for small rates. The error function has d = 0 there; rectified units have
not: they share the field of the mixture and differ across it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from scipy.optimize import minimize

from rosenblatt.committees import Committee, Plateau, plateau
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.saad1995.plateau import NAMES
from rosenblatt.rules import ReLU

__all__ = ["CLAIMS"]

_RATES = 0.02, 0.04  # from which the limit of small rates is extrapolated


def _product(a: float, b: float, c: float) -> float:
    """Return the average of two rectified fields of variances a, b, covariance c."""
    length = math.sqrt(a * b)
    angle = math.acos(max(-1.0, min(1.0, c / length)))
    return (
        length / (2 * math.pi) * (math.sin(angle) + (math.pi - angle) * math.cos(angle))
    )


@functools.cache
def _minimum() -> tuple[float, float, float]:
    """Return R, Q and C of the least error in the family."""

    def error(x: FloatArray, /) -> float:
        r, d = float(x[0]), float(x[1])
        q, c = 2 * r * r + d * d, 2 * r * r - d * d
        teacher = 1 + 1 / math.pi
        return teacher - 8 * _product(q, 1, r) + q + 2 * _product(q, q, c)

    r, d = minimize(error, (0.5, 0.4), tol=1e-12).x
    return float(r), float(2 * r * r + d * d), float(2 * r * r - d * d)


@functools.cache
def _plateau(rate: float) -> Plateau:
    return plateau(Committee(ReLU(), 2, 2), rate)


def _claim(name: str, index: int, read: Callable[[Plateau], float]) -> Claim:
    @claim(f"saad1995/rectified/{name}", "symmetric plateau")
    @expect(lambda quick: _minimum()[index], catches=1e-3)
    @allow(2e-4, "the limit of small rates is extrapolated from two rates")
    @fill(what=NAMES[name])
    def measure(quick: bool) -> Measurement:
        """{what} on the symmetric plateau of two rectified units, for small rates."""
        near, far = (read(_plateau(rate)) for rate in _RATES)
        return Measurement(2 * near - far, 0.0)

    return measure


CLAIMS = (
    _claim("overlap", 0, lambda found: found.R),
    _claim("length", 1, lambda found: found.Q),
    _claim("alike", 2, lambda found: found.C),
)
