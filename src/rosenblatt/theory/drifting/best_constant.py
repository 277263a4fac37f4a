"""The best constant rate and weight decay, where the teacher moves.

A constant that is too small does not follow the teacher, one that is too large is
noisy. The best one gives the smallest stationary angle
(:mod:`rosenblatt.theory.drifting.stationary`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from rosenblatt.core import Motion, Rule, Teacher
from rosenblatt.core.arguments import number, part
from rosenblatt.core.types import FloatArray
from rosenblatt.rules import Decay
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import gather
from rosenblatt.theory.drift import OverlapDrift
from rosenblatt.theory.drifting.stationary import Unknowns, settle, summary

__all__ = ["BestConstant", "best_constant_rate", "best_decay"]

_SCAN = np.geomspace(1e-8, 1e2, 21)  # constants tried first; two per decade
_PRECISION = 1e-6  # relative; the angle is flat to 1e-12 there
_FLAT = 1e-7  # a smaller change of the angle, relative, is none


class BestConstant(NamedTuple):
    """A constant, and the stationary state that it leads to."""

    value: float
    angle: float  # between student and teacher
    error: float  # probability that the student's sign is not the label


def _lowest(height: Callable[[float], float], near: float) -> int:
    """Return where the scan is lowest, downhill from the value nearest to ``near``."""
    logs = np.log(_SCAN)
    at = int(np.argmin(np.abs(logs - math.log(near))))
    if math.isinf(height(float(logs[at]))):  # look everywhere
        return int(np.argmin([height(float(log)) for log in logs]))
    for step in (1, -1):
        while (
            0 <= at + step < len(logs)
            and height(float(logs[at + step])) < height(float(logs[at])) - _FLAT
        ):
            at += step
    return at


def _best(
    name: str,
    made: Callable[[float], tuple[Rule, float]],
    teacher: Teacher | None,
    motion: Motion,
) -> BestConstant:
    """Return the constant with the smallest angle; ``made`` returns rule and rate."""
    part("motion", Motion, motion)
    if motion.changes is not None or motion.velocity == 0:
        raise ValueError(f"motion must be steady, and not 0, got {motion!r}")
    known: dict[float, tuple[Unknowns, FloatArray]] = {}

    @functools.cache
    def height(log_value: float) -> float:
        rule, rate = made(math.exp(log_value))
        parts = gather(rule, Constant(rate), teacher, None, None, motion)
        slope = OverlapDrift(parts.rule, parts.teacher, parts.stream, motion)
        unknowns = Unknowns(slope, rate)
        near = min(known, key=lambda other: abs(other - log_value), default=None)
        try:
            at = settle(unknowns, None if near is None else known[near][1])
        except ArithmeticError:  # a constant without a stationary state is no good
            return math.inf
        known[log_value] = unknowns, at
        return float(at[0])  # log tan(angle / 2)

    best = _lowest(height, motion.velocity)
    ends = np.log(_SCAN[max(best - 1, 0)]), np.log(_SCAN[: best + 2][-1])
    rise = max(height(float(end)) for end in ends) - height(math.log(_SCAN[best]))
    if best in (0, len(_SCAN) - 1) or rise < _FLAT:
        raise ValueError(
            f"motion {motion!r} has no best {name} from {_SCAN[0]:g} to {_SCAN[-1]:g}: "
            f"the angle is smallest, or always the same, near {_SCAN[best]:g}"
        )
    found = minimize_scalar(
        height, bounds=ends, method="bounded", options={"xatol": _PRECISION}
    )
    state = summary(*known[float(found.x)])
    return BestConstant(math.exp(found.x), state.angle, state.error)


def best_constant_rate(
    rule: Rule, teacher: Teacher | None = None, *, motion: Motion
) -> BestConstant:
    """Return the constant learning rate with the smallest stationary error.

    Parameters
    ----------
    rule, teacher
        As in :func:`rosenblatt.solve`; inputs are isotropic.
    motion
        A steady motion of the teacher.

    Raises
    ------
    ValueError
        If there is none from 1e-8 to 100. A rule whose length adapts to the rate, such
        as the plain perceptron, has none.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> rule = rb.rules.Normalised(rb.rules.Perceptron())
    >>> best_constant_rate(rule, motion=rb.motions.RandomWalk(1e-3))
    BestConstant(value=0.199..., angle=0.158..., error=0.0503...)
    """
    return _best("rate", lambda rate: (rule, rate), teacher, motion)


def best_decay(
    rule: Rule, teacher: Teacher | None = None, *, motion: Motion, rate: float = 1.0
) -> BestConstant:
    """Return the strength of ``Decay(rule, strength)`` with the smallest error.

    Parameters
    ----------
    rule, teacher, motion
        As in :func:`best_constant_rate`.
    rate
        The constant learning rate. For rules that are proportional to it, such as
        Hebb's, it changes the length of the student only.

    Raises
    ------
    ValueError
        If there is none from 1e-8 to 100.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> best_decay(rb.rules.Hebb(), motion=rb.motions.RandomWalk(0.1))
    BestConstant(value=0.3705..., angle=0.7101..., error=0.2260...)
    """
    rate = number("rate", rate, above=0)
    return _best(
        "decay", lambda strength: (Decay(rule, strength), rate), teacher, motion
    )
