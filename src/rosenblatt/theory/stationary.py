r"""Stationary states of learning from a teacher that moves.

At a constant rate the drift of the overlaps vanishes in the end. The unknowns are the
angle :math:`\theta` between student and teacher, and the student's length. If the
teacher rotates, the share of the sideward direction that lags behind is another. They
are found by following the curve for a long time, coarsely, and then by Newton's method.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

from rosenblatt.core import Heading, Motion, Rule, Teacher
from rosenblatt.core.arguments import number
from rosenblatt.core.gaussian import PlaneMean
from rosenblatt.core.types import FloatArray
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import gather
from rosenblatt.theory.drift import OverlapDrift, State

_LONG = 1e9  # alpha up to which a curve is followed
_COARSE = 1e-4  # tolerance on the way
_EFFORT = 800  # evaluations before giving up; a few hundred are enough as a rule
_FINE = 1e-13  # of Newton's method
_FAR = 1.0  # from a guess: a solution so far away is another one
_LIMIT = 100.0  # of the logarithms of angle and length: a student beyond has no end
_STEP = 1e-6  # a solution is taken if it is a thousand times closer


class Stationary(NamedTuple):
    """A student that has settled, for N to infinity.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> rule = rb.rules.Normalised(rb.rules.Perceptron())
    >>> rb.theory.stationary(rule, 0.1, motion=rb.motions.RandomWalk(0.001)).error
    0.0569...
    """

    angle: float  # between student and teacher
    norm: float  # length of the student over sqrt(N)
    error: float  # probability that the student's sign is not the label


def settle(
    derivative: Callable[[FloatArray], FloatArray],
    begin: FloatArray,
    near: FloatArray | None = None,
) -> FloatArray | None:
    """Return the state at which a derivative vanishes, or None if none is found.

    Newton's method begins at the state ``near``, which saves most of the work, and
    then at the end of the curve that begins at ``begin``.
    """
    effort = 0

    def counted(x: FloatArray) -> FloatArray:
        nonlocal effort
        effort += 1
        if effort > _EFFORT:
            raise ArithmeticError("too many steps")
        return derivative(x)

    def late() -> FloatArray:
        found = solve_ivp(
            lambda _, x: counted(x), (0.0, _LONG), begin, method="LSODA", rtol=_COARSE,
            atol=_COARSE
        )  # fmt: skip
        return np.asarray(found.y[:, -1])

    for guess in [late] if near is None else [lambda: near, late]:
        try:
            with np.errstate(all="ignore"):
                first = guess()
                found = root(counted, first, tol=_FINE)
                nearby = counted(found.x + _STEP)
        except (ValueError, ArithmeticError):
            continue
        rest = np.abs(found.fun).max() <= 1e-3 * np.abs(nearby).max()
        if rest and np.abs(found.x - first).max() < _FAR:
            return np.asarray(found.x)
    return None


class Unknowns:
    """The unknowns of one stationary state, and their derivatives.

    They are log tan(angle / 2), the logarithm of the length, and the ratio of the
    student's parts across the teacher, along its velocity and the rest. All may take
    any value. Rules that normalise fix the length; only a rotation has the ratio.
    """

    def __init__(self, drift: OverlapDrift, rate: float) -> None:
        self.drift, self.rate = drift, rate
        self.free = [True, not drift.rule.normalised, drift.heading == Heading.PLANE]
        # a student that is shorter than the teacher
        self.begin = np.array([0.0, math.log(0.5), 0.0])[self.free]

    def whole(self, x: FloatArray) -> tuple[float, float, float]:
        """Return angle, length and ratio."""
        given = np.zeros(3)
        given[self.free] = x
        given[:2] = np.clip(given[:2], -_LIMIT, _LIMIT)  # steps that are too long
        return 2 * math.atan(math.exp(given[0])), math.exp(given[1]), float(given[2])

    def derivative(self, x: FloatArray) -> FloatArray:
        """Return the derivatives with respect to alpha."""
        angle, length, ratio = self.whole(x)
        cosine, sine = math.cos(angle), math.sin(angle)
        tilt = ratio / math.hypot(1.0, ratio)
        state = State(length * cosine, (length * sine) ** 2, tilt, 0.0, 0.0)
        along, side2, tilted = self.drift(state, self.rate, 1.0)[:3]
        side = side2 / (2 * length * sine)
        turned = (cosine * side - sine * along) / (length * sine)
        grown = (cosine * along + sine * side) / length
        return np.array([turned, grown, tilted * math.hypot(1.0, ratio) ** 3])[
            self.free
        ]

    def settled(self, near: FloatArray | None = None) -> FloatArray | None:
        """Return the unknowns at rest; None if none are found, or they have no end."""
        found = settle(self.derivative, self.begin, near)
        ends = found is None or np.abs(found[: sum(self.free[:2])]).max() >= _LIMIT
        return None if ends else found

    def summary(self, x: FloatArray) -> Stationary:
        """Return angle, length and error."""
        angle, norm, _ = self.whole(x)
        drift, nothing = self.drift, np.zeros(1)
        error = drift.teacher.error(
            drift.positive, np.array([angle]), PlaneMean(nothing, nothing)
        )
        return Stationary(angle, norm, float(error[0]))


def stationary(
    rule: Rule,
    rate: float = 1.0,
    teacher: Teacher | None = None,
    *,
    motion: Motion | None = None,
) -> Stationary:
    """Return the state in which learning at a constant rate ends, for N to infinity.

    Parameters
    ----------
    rule, teacher, motion
        The parts; inputs are isotropic. Without a motion the state is that of the
        constant rate alone.
    rate
        The learning rate.

    Raises
    ------
    ArithmeticError
        If none is found. There is none if the student's length grows without end,
        say. A state must be reached by alpha = 1e9, so rates must not be much below
        1e-7.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> rule = rb.rules.Normalised(rb.rules.Perceptron())
    >>> rb.theory.stationary(rule, 1e-3).angle * math.sqrt(2 * math.pi)
    0.00099999...
    """
    rate = number("rate", rate, above=0)
    parts = gather(rule, Constant(rate), teacher, None, None, motion)
    if motion is not None and motion.changes is not None:
        raise ValueError(f"motion must be steady, got {motion!r}")
    slope = OverlapDrift(parts.rule, parts.teacher, parts.stream, motion)
    unknowns = Unknowns(slope, rate)
    found = unknowns.settled()
    if found is None:
        raise ArithmeticError(
            f"no stationary state of rule {rule!r} at rate {rate:g} was found with "
            f"the motion {motion!r}; there is none if the student's length or angle "
            f"goes on changing, and one that takes longer than alpha = {_LONG:g} is "
            "not found"
        )
    return unknowns.summary(found)
