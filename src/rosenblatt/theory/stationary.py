r"""Stationary states of learning from a teacher that moves, and the best constants.

At a constant rate the drift of the overlaps vanishes in the end. The unknowns are the
angle :math:`\theta` between student and teacher, and the student's length. If the
teacher rotates, the share of the sideward direction that lags behind is another. They
are found by following the curve for a long time, coarsely, and then by Newton's method.

A constant that is too small does not follow the teacher, one that is too large is
noisy. The best one gives the smallest angle: at a late time for the scale of a schedule
(:func:`best_rate`), and at rest for a teacher that moves.

**The half-life of a filter**, for a teacher that walks at random with strength D.
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

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar, root
from scipy.special import ndtr

from rosenblatt.core import Heading, Motion, Rule, Stream, Teacher, starts
from rosenblatt.core.arguments import below_half, number, part
from rosenblatt.core.gaussian import PlaneMean, layer, nodes, normal_density
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import pull
from rosenblatt.rules import Decay
from rosenblatt.schedules import Constant, Power
from rosenblatt.specification.parts import Parts, gather
from rosenblatt.theory.closed.spherical_bayes import information
from rosenblatt.theory.drift import OverlapDrift, State
from rosenblatt.theory.ode import states

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


_SCALES = np.geomspace(1e-2, 1e2, 5)  # of schedules, tried first
# Tolerances of a step: for these, to come near the minimum, and at the minimum.
_ROUGH, _NEAR, _CLOSE = 1e-4, 1e-5, 1e-9
_SPACING = 2e-3  # of the three points of the last parabola
_SHORT = 1e-5  # length of weights below which the tolerance is too large
_CONSTANTS = np.geomspace(1e-8, 1e2, 21)  # tried first where the teacher moves
_FORGETTINGS = np.geomspace(1e-6, 1e6, 13)  # likewise, over the strength of the walk
_PRECISION = 1e-6  # of a logarithm; the angle is flat to 1e-12 there
_FLAT = 1e-7  # a smaller change of the angle, relative, is none
# Strengths of walks; below them the information of almost all is known to fewer digits,
# and above them the overlap.
_WEAKEST, _STRONGEST = 1e-18, 1e9


class BestConstant(NamedTuple):
    """A constant, and the stationary state that it leads to."""

    value: float
    angle: float  # between student and teacher
    error: float  # probability that the student's sign is not the label


def _search(
    what: str,
    height: Callable[[float], float],
    scan: FloatArray,
    heights: list[float],
    precision: float,
) -> float:
    """Return the logarithm at which ``height`` is lowest, next to the best of a scan.

    ``what`` begins the message of the error if there is no such point.
    """
    logs, best = np.log(scan), int(np.argmin(heights))
    ends = float(logs[max(best - 1, 0)]), float(logs[min(best + 1, len(logs) - 1)])
    found = minimize_scalar(
        height, bounds=ends, method="bounded", options={"xatol": precision}
    )
    at = float(found.x)
    finite = [each for each in heights if math.isfinite(each)]
    inside = logs[0] + 3 * precision < at < logs[-1] - 3 * precision
    if not (inside and max(finite) - min(finite) > _FLAT):
        raise ValueError(
            f"{what} from {scan[0]:g} to {scan[-1]:g}: the angle is smallest, or "
            f"always the same, near {math.exp(at):.3g}"
        )
    return at


def best_rate(
    rule: Rule,
    teacher: Teacher | None = None,
    stream: Stream | None = None,
    *,
    exponent: float = 1.0,
    offset: float = 1.0,
    alpha: float = 1e8,
    start: starts.Start | None = None,
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

    def height(log_scale: float, tolerance: float) -> float:
        schedule = Power(math.exp(log_scale), exponent, offset)
        parts = gather(rule, schedule, teacher, stream, start)
        return _log_angle(parts, alpha, tolerance)

    heights: list[float] = []
    for scale in _SCALES:
        try:
            heights.append(height(math.log(scale), _ROUGH))
        except ArithmeticError:  # beyond the minimum rules diverge
            if len(heights) == 0:
                raise
            heights.append(math.inf)
            break
    what = f"rule {rule!r} has no best scale at alpha = {alpha:g}"
    at = _search(what, lambda log: height(log, _NEAR), _SCALES, heights, _SPACING)
    below, here, above = (
        height(at + shift, _CLOSE) for shift in (-_SPACING, 0.0, _SPACING)
    )
    curvature = below - 2 * here + above
    return math.exp(at + 0.5 * _SPACING * (below - above) / curvature)


def _log_angle(parts: Parts, alpha: float, tolerance: float) -> float:
    """Return the logarithm of the angle between student and teacher at alpha."""
    ((along, side2, *_),) = states(parts, np.array([alpha]), tolerance)
    side = math.sqrt(max(side2, 0.0))
    if math.hypot(along, side) < _SHORT:
        raise ArithmeticError(
            f"the weights of {parts.rule!r} shrink without end; Normalised(rule) keeps "
            "their length"
        )
    return math.log(math.atan2(side, along))


def _lowest(
    what: str,
    at_rest: Callable[[float, FloatArray | None], FloatArray | None],
    scan: FloatArray,
) -> tuple[float, FloatArray]:
    """Return the constant with the smallest angle at rest, and its state.

    ``at_rest`` returns the state of a constant, whose first entry is
    log tan(angle / 2), from a guess of it.
    """
    known: dict[float, FloatArray] = {}

    @functools.cache
    def height(log: float) -> float:
        near = min(known, key=lambda other: abs(other - log), default=math.nan)
        found = at_rest(math.exp(log), known.get(near))
        if found is None:  # a constant without a stationary state is no good
            return math.inf
        known[log] = found
        return float(found[0])

    heights = [height(float(log)) for log in np.log(scan)]
    at = _search(what, height, scan, heights, _PRECISION)
    return math.exp(at), known[at]


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

    def unknowns(value: float) -> Unknowns:
        rule, rate = made(value)
        parts = gather(rule, Constant(rate), teacher, None, None, motion)
        return Unknowns(
            OverlapDrift(parts.rule, parts.teacher, parts.stream, motion), rate
        )

    value, state = _lowest(
        f"motion {motion!r} has no best {name}",
        lambda value, near: unknowns(value).settled(near),
        _CONSTANTS,
    )
    found = unknowns(value).summary(state)
    return BestConstant(value, found.angle, found.error)


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


class _Filter(NamedTuple):
    """Drift, noise and label variance, and the label variance that is believed."""

    strength: float
    noise: float
    variance: float
    believed: float

    def derivative(self, x: FloatArray, forgetting: float) -> FloatArray:
        """Return the derivatives by alpha of what ``x`` holds, eq. (1).

        That is log tan(angle / 2), log Q and the log odds of v.
        """
        angle, v = 2 * math.atan(math.exp(x[0])), 1 / (1 + math.exp(-x[2]))
        cosine, across2 = math.cos(angle), math.sin(angle) ** 2
        length, s = math.exp(0.5 * x[1]), math.sqrt(v + self.believed)
        width = math.sqrt(across2 + self.variance)
        z, weight = nodes([*layer(0.0, width / cosine), *layer(0.0, s / length)])
        # Both labels contribute the same.
        weight = 2 * weight
        clear, b = 1 - 2 * self.noise, cosine / width * z
        chance = self.noise + clear * ndtr(b)
        force, gain = pull(length * z / s, self.noise), v / s
        spread = gain**2 * (weight @ (force**2 * chance)) / length**2
        along = gain * (weight @ (force * z * chance)) / length
        # of the teacher's field, what is not along h: eq. (1) for the angle has no
        # difference of R and Q
        across = gain * clear * (weight @ (force * normal_density(b))) / width / length
        shrink = gain**2 * (weight @ (force * (force + length * z / s) * chance))
        return np.array(
            [
                (self.strength + 0.5 * spread) * cosine / across2 - across,
                2 * along + spread - 2 * forgetting,
                2 * forgetting / v - shrink / v * (1 + math.exp(x[2])),
            ]
        )

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
        return np.array([math.log(math.tan(angle / 2)), log_q, math.log(rest) - log_q])

    def best(self) -> tuple[float, FloatArray]:
        """Return the best strength of forgetting, and the state at rest with it."""
        begin = self.matched()
        if self.believed == self.variance:
            return self.strength, begin

        def at_rest(forgetting: float, near: FloatArray | None) -> FloatArray | None:
            return settle(  # in units of the time that is remembered
                lambda x: self.derivative(x, forgetting) / forgetting, begin, near
            )

        what = f"a filter that believes in label_variance {self.believed:g} has no best"
        return _lowest(
            f"{what} strength of forgetting", at_rest, self.strength * _FORGETTINGS
        )


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
    ValueError
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
    noise = below_half("noise", noise)
    label_variance = number("label_variance", label_variance, low=0)
    given = label_variance if believed is None else number("believed", believed, low=0)
    forgetting, state = _Filter(strength, noise, label_variance, given).best()
    angle = 2 * math.atan(math.exp(state[0]))
    differ = math.atan2(
        math.hypot(math.sin(angle), label_variance**0.5), math.cos(angle)
    )
    error = noise + (1 - 2 * noise) * differ / math.pi
    return BestConstant(math.log(2) / (2 * forgetting), angle, error)
