r"""The best half-life of a filter, for a teacher that walks at random.

Labels are :math:`+1` with probability :math:`k + (1 - 2k)\, \Phi(b / \sqrt\Delta)`,
where the teacher's field :math:`b` has variance 1. A filter believes in the same law
with :math:`\Delta'`. Its mean has the overlap :math:`R` and the squared length
:math:`Q`, and each of its weights the variance :math:`v`, which begins at 1. With
:math:`s^2 = v + \Delta'` and the pull :math:`F(u)` of a label, :math:`u = y h / s`,

.. math::
    \dot R &= \tfrac{v}{s} \langle y F b \rangle - (D' + D) R, \\
    \dot Q &= \tfrac{2 v}{s} \langle y F h \rangle + \tfrac{v^2}{s^2} \langle F^2
        \rangle - 2 D' Q, \\
    \dot v &= - \tfrac{v^2}{s^2} \langle F (F + u) \rangle + 2 D' (1 - v).   \tag{1}

A filter whose weights drift with the half-life h loses half of what is known of them,
in squares, in a time h: :math:`D' = \ln 2 / 2 h`. If :math:`\Delta' = \Delta` it is
Bayes' theorem, :math:`R = Q = 1 - v = q`, and the best half-life is

.. math:: h = \frac{\ln 2}{2 D}, \qquad  \frac{(1 - q)^2}{1 - q + \Delta}\,
    I\Big(\frac{q}{1 + \Delta}\Big) = 2 D q,   \tag{2}

with the information I of :mod:`rosenblatt.theory.closed.spherical_bayes`. No on-line
learner of isotropic inputs that keeps one vector has a smaller stationary error
(:cite:t:`vicente1998`). For :math:`\Delta = 0` and small :math:`D`, with the limit
:math:`J(1) = 2 (1 - 2k) / \pi c`, where :math:`c` is
:func:`~rosenblatt.theory.online_asymptote`,

.. math::
    \theta \to \left(\frac{2 D}{J(1)}\right)^{1/3}, \qquad
    \text{error} - k = (1 - 2k)\, \theta / \pi.   \tag{3}

A filter that believes in more noise than there is averages over too many examples. Its
best half-life is shorter.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize_scalar, root
from scipy.special import ndtr

from rosenblatt.core.arguments import number
from rosenblatt.core.gaussian import layer, nodes, normal_density
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import pull
from rosenblatt.theory.closed.spherical_bayes import information
from rosenblatt.theory.drifting.best_constant import BestConstant

__all__ = ["best_half_life"]

_STEP = math.log(2) / 2  # between half-lives on the way to the best one
_MOST = 60  # steps: a factor of 2^30
_PRECISION = 1e-4  # of the half-life, relative; the angle is flat to 1e-8 there
# Strengths; below them the information of almost all is known to fewer digits, and
# above them the overlap.
_WEAKEST, _STRONGEST = 1e-18, 1e9
_REST = 1e-9  # largest relative change per unit of alpha of a state at rest


class _Filter(NamedTuple):
    """Drift, noise and label variance, and the label variance that is believed."""

    strength: float
    noise: float
    variance: float
    believed: float

    def change(self, x: FloatArray, forgetting: float) -> FloatArray:
        """Return the relative changes of R, Q and v, eq. (1).

        ``x`` holds log Q, log tan(angle / 2) and the log odds of v.
        """
        angle = 2 * math.atan(math.exp(x[1]))
        length, v = math.exp(0.5 * x[0]), 1 / (1 + math.exp(-x[2]))
        overlap = length * math.cos(angle)
        s, across2 = math.sqrt(v + self.believed), math.sin(angle) ** 2
        width = math.sqrt(across2 + self.variance)
        z, weight = nodes(
            [*layer(0.0, width / math.cos(angle)), *layer(0.0, s / length)]
        )
        # Both labels contribute the same.
        weight = 2 * weight
        h, along = length * z, math.cos(angle) * z
        clear = 1 - 2 * self.noise
        chance = self.noise + clear * ndtr(along / width)
        teacher = chance * along + clear * across2 / width * normal_density(
            along / width
        )
        force, gain = pull(h / s, self.noise), v / s
        spread = gain**2 * (weight @ (force**2 * chance))
        shrink = gain**2 * (weight @ (force * (force + h / s) * chance))
        towards = gain * (weight @ (force * teacher)) / overlap
        longer = (2 * gain * (weight @ (force * h * chance)) + spread) / length**2
        return np.array(
            [
                towards - forgetting - self.strength,
                longer - 2 * forgetting,
                (2 * forgetting * (1 - v) - shrink) / v,
            ]
        )

    def settle(self, forgetting: float, near: FloatArray) -> FloatArray:
        """Return the state at rest."""
        try:
            with np.errstate(all="ignore"):
                found = root(self.change, near, args=(forgetting,), tol=1e-12)
        except ArithmeticError:  # of an angle or a length that is lost
            found = None
        if found is None or not np.abs(found.fun).max() < _REST * (1 + forgetting):
            raise ArithmeticError(
                "no stationary state was found for a half-life of "
                f"{math.log(2) / (2 * forgetting):.4g}"
            )
        return np.asarray(found.x)

    def matched(self) -> FloatArray:
        """Return the state at rest of the filter that knows the law, eq. (2)."""

        def excess(log_rest: float) -> float:
            rest = math.exp(log_rest)
            q, scale = -math.expm1(log_rest), 1 + self.variance
            told = rest**2 / (rest + self.variance) * information(q / scale, self.noise)
            return told - 2 * self.strength * q

        rest = math.exp(float(brentq(excess, -400.0, -1e-16, xtol=1e-14)))
        angle = math.asin(math.sqrt(rest))
        log_q = math.log1p(-rest)
        return np.array([log_q, math.log(math.tan(angle / 2)), math.log(rest) - log_q])


def _descend(filter: _Filter, log: float, near: FloatArray) -> tuple[float, FloatArray]:
    """Return the logarithm of the best strength of forgetting, and the state with it.

    ``log`` and ``near`` are those of a filter that believes almost the same.
    """
    known = {log: near}

    def height(at: float) -> float:
        closest = min(known, key=lambda other: abs(other - at))
        known[at] = filter.settle(math.exp(at), known[closest])
        return float(known[at][1])

    height(log)
    best = log
    for way in (_STEP, -_STEP):
        for _ in range(_MOST):
            if height(best + way) >= known[best][1]:
                break
            best += way
        else:
            raise ArithmeticError(
                "no best half-life was found up to "
                f"{math.log(2) / 2 / math.exp(best):.3g}"
            )
        if best != log:
            break
    found = minimize_scalar(
        height, bounds=(best - _STEP, best + _STEP), method="bounded",
        options={"xatol": _PRECISION}
    )  # fmt: skip
    return float(found.x), known[float(found.x)]


def _best(filter: _Filter) -> tuple[float, FloatArray]:
    """Return the best strength of forgetting, and the state at rest with it.

    The way there begins with the true law, and changes what is believed in steps.
    """
    log, state = math.log(filter.strength), filter.matched()
    true, wanted = filter.variance, filter.believed
    if wanted == true:
        return filter.strength, state
    small = 0.1 / (1 + math.exp(-state[2]))  # of the variance: as good as none
    ends = np.log([max(true, small), max(wanted, small)])
    count = 2 + int(abs(ends[1] - ends[0]) / _STEP)
    steps = np.exp(np.linspace(ends[0], ends[1], count))
    for believed in [*steps[1:-1], wanted]:
        log, state = _descend(filter._replace(believed=believed), log, state)
    return math.exp(log), state


def best_half_life(
    strength: float,
    noise: float = 0.0,
    *,
    label_variance: float = 0.0,
    believed: float | None = None,
) -> BestConstant:
    """Return the half-life of a Bayesian filter for a random walk, eqs. (1) and (2).

    Parameters
    ----------
    strength
        Strength of :class:`~rosenblatt.motions.RandomWalk`, from 1e-18 to 1e9.
    noise
        Probability that a label is flipped, known to the learner, below 1/2.
    label_variance
        Variance of the noise that is added to the teacher's field before its sign is
        the label, in units of the field's own variance.
    believed
        The same as the filter believes it, by default the true one. A
        :class:`~rosenblatt.estimators.BayesPerceptron` for N columns believes in 1/N.

    Returns
    -------
    BestConstant
        The half-life is in units of alpha: multiply it by the number of weights to get
        the ``half_life`` of :class:`~rosenblatt.estimators.BayesPerceptron`. If the
        filter believes in the true law, the error is the smallest of all learners that
        keep one vector.

    Raises
    ------
    ArithmeticError
        If there is no best half-life. A filter that believes in no noise, where there
        is some, has none.

    Examples
    --------
    >>> best_half_life(0.01)
    BestConstant(value=34.65..., angle=0.2991..., error=0.0952...)
    >>> best_half_life(0.01, believed=0.05).value
    21.98...
    """
    strength = number("strength", strength, low=_WEAKEST, high=_STRONGEST)
    if number("noise", noise, low=0, high=0.5) == 0.5:
        raise ValueError("noise must be below 0.5, got 0.5")
    label_variance = number("label_variance", label_variance, low=0)
    given = label_variance if believed is None else number("believed", believed, low=0)
    forgetting, state = _best(_Filter(strength, noise, label_variance, given))
    angle = 2 * math.atan(math.exp(state[1]))
    differ = math.acos(math.cos(angle) / math.sqrt(1 + label_variance))
    if label_variance == 0:
        differ = angle
    error = noise + (1 - 2 * noise) * differ / math.pi
    return BestConstant(math.log(2) / (2 * forgetting), angle, error)
