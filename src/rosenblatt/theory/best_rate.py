"""The best scale of a power schedule, for any rule, found numerically."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar

from rosenblatt.core import Rule, Stream, Teacher, starts
from rosenblatt.core.arguments import number
from rosenblatt.schedules import Power
from rosenblatt.specification.parts import Parts, gather
from rosenblatt.system.progress import ProgressBar
from rosenblatt.theory.ode import states

__all__ = ["best_rate"]

_SCAN = np.geomspace(1e-2, 1e2, 9)  # scales tried first; two per decade
_SOON = 1e2  # alpha for the scan, from whose minimum the search sets out
# Tolerances of a step: for the scan, to come near the minimum, and at the minimum.
_ROUGH, _NEAR, _CLOSE = 1e-4, 1e-5, 1e-8
_FLAT = 1e-5  # of the logarithm of the angle; a rule that changes it less has no best
_DEEP = 1.0  # fall of the logarithm of the angle at a minimum that ends the scan
_INTERVAL = 0.03  # length of the last interval; a parabola then finds the minimum
_SPACING = 2e-3  # of the three points of the last parabola
_SHORT = 1e-5  # length of weights below which the tolerance is too large
_PATIENCE = 2  # curves that fail before any is followed up to alpha
_STEPS = 20  # curves that are solved, about

LogAngle = Callable[[float, float, float], float]  # of log scale, alpha and tolerance


def best_rate(
    rule: Rule,
    teacher: Teacher | None = None,
    stream: Stream | None = None,
    *,
    exponent: float = 1.0,
    offset: float = 1.0,
    alpha: float = 1e8,
    start: starts.Start | None = None,
    progress: bool | None = None,
) -> float:
    """Return the scale of ``Power(scale, exponent, offset)`` that ends up closest.

    That is the scale for which the angle between student and teacher is smallest at
    ``alpha``, for N to infinity. With the default alpha this is the asymptotic optimum.

    Parameters
    ----------
    rule, teacher, stream, start
        As in :func:`rosenblatt.solve`.
    exponent, offset
        The other parameters of the schedule. The offset does not change what is best
        in the long run, but keeps the first rates finite.
    alpha
        Examples per weight at which the angle is compared.
    progress
        Whether to show a progress bar after a second; None if standard error is a
        terminal.

    Raises
    ------
    ValueError
        If the angle has no minimum between 0.01 and 100.
    ArithmeticError
        If no curve can be followed up to alpha, as if weights shrink without end.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> rb.theory.best_rate(rb.rules.Normalised(rb.rules.Perceptron()))
    5.013...
    """
    alpha = number("alpha", alpha, above=0)
    tried: list[tuple[float, float]] = []  # logarithms of scale and angle
    followed: list[float] = []  # alphas that curves reached
    failed: list[float] = []  # and did not

    def log_angle(log_scale: float, at: float, tolerance: float) -> float:
        bar.update(len(tried) / _STEPS, "best rate")
        schedule = Power(math.exp(log_scale), exponent, offset)
        parts = gather(rule, schedule, teacher, stream, start)
        angle = math.pi
        try:
            angle = _angle(parts, at, tolerance)
            followed.append(at)
        except ArithmeticError:  # a scale at which the rule diverges is no good
            failed.append(at)
            if failed.count(alpha) == _PATIENCE and alpha not in followed:
                raise
        tried.append((log_scale, math.log(angle)))
        return math.log(angle)

    with ProgressBar(1.0, shown=progress, counted=False, delay=1.0) as bar:
        soon = min(alpha, _SOON)
        scan: list[float] = []
        for scale in _SCAN:
            scan.append(log_angle(math.log(scale), soon, _ROUGH))
            # Beyond the minimum rules diverge, and their curves take longest.
            if scan[-1] > min(scan) and scan[0] - min(scan) > _DEEP:
                break
        best = int(np.argmin(scan))
        if np.ptp(scan) < _FLAT:
            raise ValueError(
                f"rule {rule!r} has no best scale: the angle is always the same"
            )
        before = len(tried)
        at, side = _search(log_angle, alpha, best)
        if side != 0:  # the minimum has moved since the scan: follow it
            best = _downhill(log_angle, alpha, best, side)
            before = len(tried)
            at, side = _search(log_angle, alpha, best)
        if side == 0:
            middle = _vertex(tried[before:])
            for place in (-_SPACING, 0.0, _SPACING):
                log_angle(middle + place, alpha, _CLOSE)
    if side != 0:
        raise ValueError(
            f"rule {rule!r} has no best scale from {_SCAN[0]:g} to {_SCAN[-1]:g} at "
            f"alpha = {alpha:g}: the angle falls all the way to {math.exp(at):.2g}"
        )
    return math.exp(_vertex(tried[-3:]))


def _angle(parts: Parts, alpha: float, tolerance: float) -> float:
    """Return the angle between student and teacher at alpha."""
    ((along, side2, *_),) = states(parts, np.array([alpha]), tolerance)
    if math.hypot(along, math.sqrt(max(side2, 0.0))) < _SHORT:
        raise ArithmeticError(
            f"the weights of {parts.rule!r} shrink without end; Normalised(rule) keeps "
            "their length"
        )
    return math.atan2(math.sqrt(side2), along)


def _search(log_angle: LogAngle, alpha: float, best: int) -> tuple[float, int]:
    """Return the lowest point between the neighbours of a scale of the scan.

    The second number is the side on which the angle goes on falling, or 0.
    """
    low, high = math.log(_SCAN[max(best - 1, 0)]), math.log(_SCAN[: best + 2][-1])
    found = minimize_scalar(
        log_angle,
        bounds=(low, high),
        args=(alpha, _NEAR),
        method="bounded",
        options={"xatol": _INTERVAL},
    )
    at = float(found.x)
    below, above = at - low, high - at
    if min(below, above) > _INTERVAL:
        return at, 0
    return at, -1 if below < above else 1


def _downhill(log_angle: LogAngle, alpha: float, best: int, side: int) -> int:
    """Return the scale of the scan where the angle, falling to a side, rises again."""
    lowest = math.inf
    while 0 <= best + side < len(_SCAN):
        angle = log_angle(math.log(_SCAN[best + side]), alpha, _NEAR)
        if angle > lowest:
            break
        best, lowest = best + side, angle
    return best


def _vertex(points: list[tuple[float, float]]) -> float:
    """Return the minimum of the parabola through the three lowest points.

    Examples
    --------
    >>> round(_vertex([(x, (x - 1) ** 2) for x in (-3, 0, 2, 3)]), 9)
    1.0
    """
    x, y = np.array(sorted(points, key=lambda point: point[1])[:3]).T
    curvature, slope, _ = np.polyfit(x - x[0], y, 2)
    return float(x[0] - 0.5 * slope / curvature)
