r"""Bayesian on-line learning with a wrong noise, for N to infinity.

A learner that assumes the noise :math:`k'` where :math:`k` is true loses the symmetry
between teacher and student. Overlap :math:`R = E w_i B_i` and squared length
:math:`Q = E w_i^2` differ. For binary weights the field of
:mod:`rosenblatt.theory.online`, eq. (2), has a mean :math:`a` and a variance
:math:`b` of its own,

.. math::
    R = E \tanh(a + \sqrt b\, z), \qquad Q = E \tanh^2(a + \sqrt b\, z),

and with :math:`\rho = 1 - Q` and the assumed :math:`F`,

.. math::
    \frac{da}{d\alpha} = \frac{2 (1 - 2k)}{\sqrt{2\pi \rho}}\,
        E\, F(v), \quad v \sim \mathcal N\left(0, \frac{Q - R^2}{\rho}\right),
    \qquad
    \frac{db}{d\alpha} = \frac{1}{\rho} \sum_y E\, p(y|h)\, F^2(y h / \sqrt\rho),
    \tag{1}

where :math:`h \sim \mathcal N(0, Q)` and :math:`p(y|h) = k + (1 - 2k) \Phi(y h R /
\sqrt{Q (Q - R^2)})` is what labels really do. With the true noise :math:`R = Q` and
:math:`a = b`. Since :math:`b` always grows it is the variable of integration, also
where it becomes infinite at a finite alpha. For the spherical prior the general theory
of rules does all this.

With any assumed noise that is not zero, a learner finds a binary teacher, at a somewhat
larger alpha than with the true noise. A learner that assumes no noise, where there is
some, does not. Then :math:`F \approx -u` for wrong labels, so that :math:`b` grows as
:math:`k Q / \rho^2` and :math:`a` not faster than :math:`\sqrt{Q - R^2} / \rho`. The
closer the learner comes, the more the kicks outweigh the drift, and :math:`a^2 / b`
stays finite.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.integrate import OdeSolution, solve_ivp
from scipy.optimize import brentq
from scipy.special import ndtr

from rosenblatt.core.gaussian import layer, nodes
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import pull
from rosenblatt.rules import SphericalBayes
from rosenblatt.schedules import Constant
from rosenblatt.teachers import Sign
from rosenblatt.theory.ode import solve
from rosenblatt.theory.priors import Student, clipped

__all__ = ["assumed_students", "found_at"]

_RELATIVE = 1e-11
_ABSOLUTE = 1e-13
# Without the symmetry no formula is left that stays accurate for ever. Below this rest
# the teacher counts as found: the error is then 4e-6, and alpha within 5e-5 of the end.
_FOUND = 1e-10
_LOST = 1e8  # variance of the field, where a learner that has not found it is given up
# Before this alpha the curve is a straight line to 1e-7, as good as its solution.
_EARLY = 1e-7
_EFFORT = 20_000  # evaluations before giving up; 1e-20 for 0.1 takes 2400
_POINTS, _WEIGHTS = nodes([])


class _Moments(NamedTuple):
    """Moments of t = tanh(a + sqrt(b) z), each accurate in relative terms."""

    overlap: float  # R = E t
    length2: float  # Q = E t^2
    off: float  # 1 - R
    rest: float  # 1 - Q
    across: float  # Q - R^2, the variance of t


def _moments(a: float, b: float) -> _Moments:
    """Return the moments, without differences of nearly equal numbers."""
    spread = math.sqrt(b)
    z, weight = nodes([*layer(-a / spread, 1 / spread)])
    x = np.clip(a + spread * z, -350, 350)  # beyond, nothing changes
    lack = 2 / (1 + np.exp(2 * x))  # 1 - t
    off, rest = float(weight @ lack), float(weight @ np.cosh(x) ** -2.0)
    if max(a, b) > 1:
        across = float(weight @ (lack - off) ** 2)
        return _Moments(1 - off, 1 - rest, off, rest, across)
    # R and Q are small. The mean of t at z and at -z is positive; a sum of t itself
    # would be the rounding error of its terms, which are larger by 1 / sqrt(b).
    even = math.sinh(2 * a) / (math.cosh(2 * a) + np.cosh(2 * spread * z))
    overlap, value = float(weight @ even), np.tanh(x)
    across = float(weight @ (value - overlap) ** 2)
    return _Moments(overlap, float(weight @ value**2), off, rest, across)


def _drift(a: float, b: float, noise: float, assumed: float) -> tuple[float, float]:
    """Return eq. (1)."""
    unit = 2 * (1 - 2 * noise) / math.sqrt(2 * math.pi)
    if b == 0:
        first = float(pull(np.array(0.0), assumed))
        return unit * first, first**2
    overlap, length2, _, rest, across = _moments(a, b)
    v = math.sqrt(across / rest) * _POINTS
    signal = unit * float(_WEIGHTS @ pull(v, assumed)) / math.sqrt(rest)
    spread = math.sqrt(length2 / rest)  # of u = h / sqrt(rest)
    turn = overlap / math.sqrt(length2 * across) * math.sqrt(rest)
    z, weight = nodes(
        [*layer(0.0, 1 / spread), *layer(0.0, 1 / (turn * spread + 1e-300))]
    )
    chance = noise + (1 - 2 * noise) * ndtr(turn * spread * z)
    kicks = 2 * float(weight @ (chance * pull(spread * z, assumed) ** 2)) / rest
    return signal, kicks


def _binary(
    until: float, noise: float, assumed: float
) -> tuple[OdeSolution, float, float]:
    """Return b -> (a, alpha), its end, and the alpha at which it ends."""
    evaluations = 0

    def derivative(b: float, state: FloatArray) -> list[float]:
        nonlocal evaluations
        evaluations += 1
        if evaluations > _EFFORT:
            raise ArithmeticError(
                f"the curve with noise = {noise} and assumed = {assumed} takes too "
                f"many steps at alpha = {state[1]:g}"
            )
        signal, kicks = _drift(float(state[0]), b, noise, assumed)
        return [signal / kicks, 1 / kicks]

    def found(b: float, state: FloatArray) -> float:
        return 1.0 if b == 0 else math.log(_moments(float(state[0]), b).rest / _FOUND)

    def enough(b: float, state: FloatArray) -> float:
        return float(state[1]) - until

    found.terminal = enough.terminal = True  # type: ignore[attr-defined]
    path = solve_ivp(
        derivative,
        (0.0, _LOST),
        [0.0, 0.0],
        method="LSODA",
        rtol=_RELATIVE,
        atol=_ABSOLUTE,
        events=[found, enough],
        dense_output=True,
    )
    if path.status == 0:
        raise ArithmeticError(
            f"the curve with noise = {noise} and assumed = {assumed} could not be "
            f"followed beyond alpha = {path.y[1, -1]:g}, where the variance of the "
            f"fields exceeds {_LOST:g}"
        )
    if path.status < 0:
        raise ArithmeticError(
            f"the curve with noise = {noise} and assumed = {assumed} could not be "
            f"followed beyond alpha = {path.y[1, -1]:g}: {path.message}"
        )
    assert path.sol is not None
    assert path.t_events is not None
    done = path.t_events[0].size > 0
    return path.sol, float(path.t[-1]), float(path.y[1, -1]) if done else math.inf


def _binary_students(
    alpha: FloatArray, noise: float, assumed: float
) -> dict[str, Student]:
    """Return the students of eq. (1)."""
    rows = []
    # a little further, since rounding decides where exactly the solver stops
    until = (1 + 1e-9) * float(alpha[-1])
    path, last, end = _binary(until, noise, assumed)

    def gap(b: float, time: float) -> float:
        return float(path(b)[1]) - time

    for time in alpha:
        if time == 0:
            rows.append((0.0, 0.0, 1.0, 1.0, 0.0, 0.0))
        elif time >= end:
            rows.append((1.0, 1.0, 0.0, 0.0, 0.0, math.inf))
        else:
            if time < _EARLY:
                a, b = (float(time) * speed for speed in _drift(0, 0, noise, assumed))
            else:
                b = float(brentq(gap, 0.0, last, args=(time,), xtol=1e-300, rtol=1e-14))
                a = float(path(b)[0])
            rows.append((*_moments(a, b), a / math.sqrt(b)))
    overlap, length2, off, _, across, signal = np.array(rows).T
    length = np.sqrt(length2)
    unit = np.where(length > 0, length, 1.0)
    angle = np.where(length > 0, np.arctan2(np.sqrt(across), overlap), math.pi / 2)
    gibbs = np.arctan2(np.sqrt(off * (2 - off)), overlap)
    return {
        "gibbs": Student(overlap, gibbs, np.ones_like(overlap)),
        "bayes": Student(overlap / unit, angle, length),
        "clipped": clipped(signal),
    }


def found_at(noise: float, assumed: float) -> float:
    """Return the alpha at which a binary teacher is found, infinite if never.

    Examples
    --------
    >>> round(found_at(0.1, 0.02), 3)
    9.236
    """
    if assumed == 0 < noise or 0.5 in (noise, assumed):
        return math.inf
    return _binary(math.inf, noise, assumed)[2]


def assumed_students(
    alpha: FloatArray, noise: float, assumed: float, prior: str
) -> dict[str, Student]:
    """Return the students of a learner that assumes a wrong noise."""
    if prior == "binary" and assumed < 0.5:
        return _binary_students(alpha, noise, assumed)
    if assumed == 0.5:  # nothing is believed, nothing moves
        none, right = np.zeros_like(alpha), np.full(alpha.shape, math.pi / 2)
        found = {"gibbs": Student(none, right, none + 1)}
        found["bayes"] = Student(none, right, none)
        return found | ({"clipped": found["gibbs"]} if prior == "binary" else {})
    curve = solve(SphericalBayes(assumed), Constant(), Sign(noise), alpha=alpha)
    overlap, angle, norm = (
        curve[name].values[0] for name in ("overlap", "angle", "norm")
    )
    along = overlap * norm
    return {
        "gibbs": Student(along, np.arccos(along), np.ones_like(along)),
        "bayes": Student(overlap, angle, norm),
    }
