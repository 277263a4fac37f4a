r"""The best constant rate, weight decay and half-life, where the teacher drifts.

A constant that is too small does not follow the teacher, one that is too large is
noisy. The best one gives the smallest stationary angle
(:mod:`rosenblatt.theory.stationary`).

The Bayesian learner for a teacher that walks at random with strength :math:`D` shrinks
its mean by :math:`D` per unit of alpha, since that is what the overlap does. Its curve
is that of :mod:`rosenblatt.theory.closed.spherical_bayes` with one more term,

.. math:: \frac{dq}{d\alpha} = (1 - q)\, I(q) - 2 D q,   \tag{1}

so that :math:`(1 - q)^{3/2} J(q) = 2 D q` at rest. No on-line learner of isotropic
inputs that keeps one vector has a smaller stationary error (:cite:t:`vicente1998`). For
small :math:`D`, with the limit :math:`J(1) = 2 (1 - 2k) / \pi c` of the noise
:math:`k`, where :math:`c` is :func:`~rosenblatt.theory.online_asymptote`,

.. math::
    \theta \to \left(\frac{2 D}{J(1)}\right)^{1/3}, \qquad
    \text{error} - k = (1 - 2k)\, \theta / \pi.   \tag{2}

A filter whose weights drift with the half-life h loses half of what is known of them,
in squares, in a time h: its mean shrinks by :math:`\ln 2 / 2 h`, and

.. math:: h = \frac{\ln 2}{2 D}.   \tag{3}
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from rosenblatt.core import Drift, Rule, Teacher
from rosenblatt.core.arguments import number, part
from rosenblatt.core.types import FloatArray
from rosenblatt.rules import Decay
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import gather
from rosenblatt.theory.closed.spherical_bayes import sharpness
from rosenblatt.theory.drift import OverlapDrift
from rosenblatt.theory.stationary import Unknowns, settle, summary

__all__ = ["BestConstant", "best_constant_rate", "best_decay", "best_half_life"]

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
    drift: Drift,
) -> BestConstant:
    """Return the constant with the smallest angle; ``made`` returns rule and rate."""
    part("drift", Drift, drift)
    if drift.changes is not None or drift.velocity == 0:
        raise ValueError(f"drift must be steady, and not 0, got {drift!r}")
    known: dict[float, tuple[Unknowns, FloatArray]] = {}

    @functools.cache
    def height(log_value: float) -> float:
        rule, rate = made(math.exp(log_value))
        parts = gather(rule, Constant(rate), teacher, None, None, drift)
        slope = OverlapDrift(parts.rule, parts.teacher, parts.stream, drift)
        unknowns = Unknowns(slope, rate)
        near = min(known, key=lambda other: abs(other - log_value), default=None)
        try:
            at = settle(unknowns, None if near is None else known[near][1])
        except ArithmeticError:  # a constant without a stationary state is no good
            return math.inf
        known[log_value] = unknowns, at
        return float(at[0])  # log tan(angle / 2)

    best = _lowest(height, drift.velocity)
    ends = np.log(_SCAN[max(best - 1, 0)]), np.log(_SCAN[: best + 2][-1])
    rise = max(height(float(end)) for end in ends) - height(math.log(_SCAN[best]))
    if best in (0, len(_SCAN) - 1) or rise < _FLAT:
        raise ValueError(
            f"drift {drift!r} has no best {name} from {_SCAN[0]:g} to {_SCAN[-1]:g}: "
            f"the angle is smallest, or always the same, near {_SCAN[best]:g}"
        )
    found = minimize_scalar(
        height, bounds=ends, method="bounded", options={"xatol": _PRECISION}
    )
    state = summary(*known[float(found.x)])
    return BestConstant(math.exp(found.x), state.angle, state.error)


def best_constant_rate(
    rule: Rule, teacher: Teacher | None = None, *, drift: Drift
) -> BestConstant:
    """Return the constant learning rate with the smallest stationary error.

    Parameters
    ----------
    rule, teacher
        As in :func:`rosenblatt.solve`; inputs are isotropic.
    drift
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
    >>> best_constant_rate(rule, drift=rb.drifts.RandomWalk(1e-3))
    BestConstant(value=0.199..., angle=0.158..., error=0.0503...)
    """
    return _best("rate", lambda rate: (rule, rate), teacher, drift)


def best_decay(
    rule: Rule, teacher: Teacher | None = None, *, drift: Drift, rate: float = 1.0
) -> BestConstant:
    """Return the strength of ``Decay(rule, strength)`` with the smallest error.

    Parameters
    ----------
    rule, teacher, drift
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
    >>> best_decay(rb.rules.Hebb(), drift=rb.drifts.RandomWalk(0.1))
    BestConstant(value=0.3705..., angle=0.7101..., error=0.2260...)
    """
    number("rate", rate, above=0)
    return _best(
        "decay", lambda strength: (Decay(rule, strength), rate), teacher, drift
    )


def best_half_life(strength: float, noise: float = 0.0) -> BestConstant:
    """Return the half-life of the Bayesian learner for a random walk, eq. (3).

    Parameters
    ----------
    strength
        That of :class:`~rosenblatt.drifts.RandomWalk`, above 0.
    noise
        Probability that a label is flipped, known to the learner, below 1/2.

    Returns
    -------
    BestConstant
        The half-life is in units of alpha: multiply it by the number of weights to get
        the ``half_life`` of :class:`~rosenblatt.estimators.BayesPerceptron`. The error
        is the smallest of all, from eq. (1).

    Examples
    --------
    >>> best_half_life(0.01)
    BestConstant(value=34.65..., angle=0.2991..., error=0.0952...)
    """
    number("strength", strength, above=0)
    if number("noise", noise, low=0, high=0.5) == 0.5:
        raise ValueError("noise must be below 0.5, got 0.5")

    def excess(log_sine: float) -> float:
        sine = math.exp(log_sine)
        q = (1 - sine) * (1 + sine)
        return float(sine**3 * sharpness(q, noise) - 2 * strength * q)

    sine = math.exp(float(brentq(excess, -200.0, 0.0, xtol=1e-14)))
    angle = math.asin(sine)
    error = noise + (1 - 2 * noise) * angle / math.pi
    return BestConstant(math.log(2) / (2 * strength), angle, error)
