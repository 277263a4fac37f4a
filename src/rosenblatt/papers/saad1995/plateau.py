r"""Claims on the symmetric plateau of K = M units, and on the critical rate of one.

On the plateau the students are alike, so that Q = C, and the error is that of one unit
of output weight K: :math:`\epsilon = (K/\pi) [K \arcsin\frac{Q}{1+Q} - 2K \arcsin
\frac{R}{\sqrt{2 (1 + Q)}} + \pi/6]`. Its gradient vanishes at :math:`Q = 1/(2K-1)` and
:math:`R = 1/\sqrt{K (2K-1)}`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from scipy.optimize import brentq

from rosenblatt.committees import Committee, Plateau, plateau, solve
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.rules import Erf
from rosenblatt.schedules import Constant

__all__ = ["CLAIMS", "NAMES"]

_ROUNDING = 1e-6  # the fixed point is a double root, found to sqrt(rounding)
NAMES = {
    "length": "The squared length Q of a student",
    "alike": "The overlap C of two students",
    "overlap": "The overlap R of a student with a teacher",
    "error": "The error",
    "escape": "The largest eigenvalue of the drift per rate",
}


@functools.cache
def _found(units: int) -> Plateau:
    return plateau(Committee(Erf(), units, units))


def _claim(
    name: str, units: int, expected: float, read: Callable[[Plateau], float]
) -> Claim:
    @claim(f"saad1995/plateau/{name}-{units}", "symmetric plateau")
    @expect(expected, catches=1e-4)
    @allow(_ROUNDING, "a double root is found to the square root of rounding")
    @fill(what=NAMES[name], units=units)
    def measure(quick: bool) -> Measurement:
        """{what} on the symmetric plateau of K = M = {units} units, for small rates."""
        return Measurement(read(_found(units)), 0.0)

    return measure


def _of(units: int) -> tuple[Claim, ...]:
    k = units
    error = k / math.pi * (math.pi / 6 - k * math.asin(1 / (2 * k)))
    escape = 2 * k / (math.pi * math.sqrt(2 * k - 1) * (2 * k + 1) ** 1.5)
    return (
        _claim("length", k, 1 / (2 * k - 1), lambda found: found.Q),
        _claim("alike", k, 1 / (2 * k - 1), lambda found: found.C),
        _claim("overlap", k, 1 / math.sqrt(k * (2 * k - 1)), lambda found: found.R),
        _claim("error", k, error, lambda found: found.error),
        _claim("escape", k, escape, lambda found: float(found.eigenvalues[0].real)),
    )


@claim("saad1995/critical-rate", "convergence of one unit")
@expect(math.pi * math.sqrt(5 / 3), catches=5e-3)
@allow(1e-3, "the growth is measured at a distance of 1e-3, not 0")
def _critical(quick: bool) -> Measurement:
    """A student with K = M = 1 converges to its teacher for rates below pi sqrt(5/3),
    near 4.06.
    """
    committee = Committee(Erf(), 1, 1)
    near = [[1 - 1e-6]], [[1.0]]

    def growth(rate: float) -> float:
        curve = solve(committee, Constant(rate), alpha=[5, 10], start=near)
        first, later = (float(error) for error in curve["error"][0])
        return math.log(later / first)

    return Measurement(brentq(growth, 3.5, 4.5, xtol=1e-6), 0.0)


CLAIMS = (*(claim for units in (2, 3, 6, 12) for claim in _of(units)), _critical)
