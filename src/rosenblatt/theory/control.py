r"""Control of the rate: the schedule that ends with the least error.

The state of :math:`N \to \infty` obeys :math:`\dot s = f(s, \eta)`. With the adjoint
:math:`\dot\lambda = -(\partial f / \partial s)^T \lambda`, which ends as the gradient
of the logarithm of the error,

.. math:: \frac{\delta \ln \epsilon}{\delta \eta(\alpha)} = \lambda \cdot
    \frac{\partial f}{\partial \eta}.  \tag{1}

The logarithm of the rate is linear in :math:`x = \ln(1 + \alpha)` between some knots.
Its values there descend eq. (1), from the best power of time. Between two knots all is
smooth: the adjoint, which is linear, is found by collocation at the nodes of Gauss.

For a rule that keeps the student's length the angle is the whole state, and the best
rate makes it fall fastest at each time. For the perceptron this is, late,
:math:`\eta = 2 \sqrt{2\pi} / \alpha`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize, minimize_scalar

from rosenblatt.core import Clock, Rule, Teacher, starts
from rosenblatt.core.arguments import number, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.schedules import Constant
from rosenblatt.specification.parts import gather
from rosenblatt.theory.drift import OverlapDrift
from rosenblatt.theory.stationary import Unknowns

_ACCURACY = 1e-11  # of the drift of a rule
_TOLERANCE = 1e-9  # of a step: the error may be small by cancellation
_MOST = 100_000  # evaluations of the drift on one curve: others diverge, or almost
_NODES = 48  # of all intervals together, but from 2 to 6 for each
_RATE = 1e-4  # relative step of a difference in the rate
_LEAST, _LARGEST = math.log(1e-6), math.log(1e3)  # of a rate
_SCAN = math.log(2)  # between the first constants that are tried
_FIRST = range(-4, 4)  # their numbers, counted from the guess
_FALL, _LATE = 16.0, 5.0  # bounds of a power: exponential falls are its limit
_STEPS = 80  # of a descent
_BAD = 50.0  # logarithm of an error that does not exist


def derivatives(
    function: Callable[[FloatArray], FloatArray], at: FloatArray, size: float
) -> FloatArray:
    """Return the matrix of derivatives of a vector function, by central differences.

    Examples
    --------
    >>> derivatives(lambda x: np.array([x @ x]), np.array([1.0, 2.0]), 1e-5).round(6)
    array([[2., 4.]])
    """
    columns = [
        function(at + step) - function(at - step) for step in size * np.eye(at.size)
    ]
    return np.asarray(np.transpose(columns) / (2 * size))


def _collocation(count: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return nodes of Gauss on (0, 1), integrals up to each, and over all.

    Examples
    --------
    >>> nodes, upto, over = _collocation(2)
    >>> (upto @ nodes * 2).round(6), (over @ nodes * 2).round(6)  # integrals of 2 t
    (array([0.044658, 0.622008]), np.float64(1.0))
    """
    nodes = (1 + np.polynomial.legendre.leggauss(count)[0]) / 2
    powers = np.arange(count)
    invert = np.linalg.inv(nodes[:, None] ** powers)
    upto = (nodes[:, None] ** (powers + 1) / (powers + 1)) @ invert
    return nodes, upto, (1 / (powers + 1)) @ invert


def interpolated(logs: FloatArray, end: float) -> Callable[[Clock], float]:
    """Return the rate between knots, which are equidistant in ln(1 + alpha).

    Examples
    --------
    >>> rate = interpolated(np.log([2.0, 8.0]), 3.0)
    >>> round(rate(Clock(1.0, 0.0, 1.0)), 6)  # half of the way from ln 1 to ln 4
    4.0
    """
    last = len(logs) - 1
    scale = last / math.log1p(end)

    def rate(clock: Clock) -> float:
        place = min(math.log1p(max(clock.time, 0.0)) * scale, last - 1e-9)
        j = int(place)
        return math.exp(logs[j] + (place - j) * (logs[j + 1] - logs[j]))

    return rate


class BestSchedule(NamedTuple):
    """The best rate as a function of time, beside the best constant and power."""

    alpha: FloatArray  # knots
    rate: FloatArray  # at the knots
    error: float  # at the end
    constant: float  # best constant rate
    constant_error: float
    power: tuple[float, float, float]  # a, p and t of the best a (1 + alpha / t)^-p
    power_error: float  # of this power

    def schedule(self) -> Callable[[Clock], float]:
        """Return the rate as a function of the clock, which all engines take."""
        return interpolated(np.log(self.rate), float(self.alpha[-1]))


class Control:
    """A drift that a rate controls, its first state and the error at the end.

    Parameters
    ----------
    change
        The drift, a function of a state and a rate.
    error
        The error of a state.
    first
        The state at alpha = 0.
    alpha
        Examples per dimension after which the error counts.
    knots
        Number of intervals between values of the rate.
    accuracy
        Accuracy of the drift, absolute.
    """

    def __init__(
        self,
        change: Callable[[FloatArray, float], FloatArray],
        error: Callable[[FloatArray], float],
        first: FloatArray,
        *,
        alpha: float,
        knots: int,
        accuracy: float,
    ) -> None:
        self._end, knots = number("alpha", alpha, above=0), whole("knots", knots, low=2)
        self._change, self._error, self._first = change, error, first
        self._tolerance = max(_TOLERANCE, 10 * accuracy)
        self._step = accuracy ** (1 / 3)  # rounding and curvature matter alike
        self._width = math.log1p(self._end) / knots
        self.alpha = np.expm1(self._width * np.arange(knots + 1))
        self._rule = _collocation(min(6, max(2, _NODES // knots)))
        places = np.arange(knots)[:, None] + self._rule[0]
        self._times = np.expm1(self._width * places)  # of nodes, (interval, node)

    def _follow(self, rate: Callable[[Clock], float]) -> tuple[FloatArray, FloatArray]:
        """Return the states at all nodes, (interval, node, entry), and the last one."""
        effort = 0

        def change(time: float, state: FloatArray) -> FloatArray:
            nonlocal effort
            effort += 1
            if effort > _MOST:
                raise ArithmeticError("the curve needs too many steps")
            return self._change(state, rate(Clock(time, math.nan, math.inf)))

        rows, state = [], self._first
        for span, times in zip(pairwise(self.alpha), self._times, strict=True):
            found = solve_ivp(
                change, span, state, method="DOP853", t_eval=[*times, span[1]],
                rtol=self._tolerance, atol=1e-3 * self._tolerance
            )  # fmt: skip
            if not (found.success and np.isfinite(found.y).all()):
                raise ArithmeticError(found.message)
            rows.append(found.y.T[:-1])
            state = found.y[:, -1]
        return np.stack(rows), state

    def value(self, logs: FloatArray) -> tuple[float, FloatArray]:
        """Return the logarithm of the last error, and its derivatives, eq. (1)."""
        states, last = self._follow(interpolated(logs, self._end))
        error = max(self._error(last), 1e-300)
        slope = derivatives(lambda s: np.array([self._error(s)]), last, self._step)
        adjoint, gradient = slope[0] / error, np.zeros(len(logs))
        for j in reversed(range(len(states))):
            times, right = self._times[j], self._rule[0]
            etas = np.exp((1 - right) * logs[j] + right * logs[j + 1])
            inner, adjoint = self._back(adjoint, states[j], times, etas)
            for at, over in enumerate(self._rule[2]):
                moved = self._by_rate(states[j, at], etas[at])
                share = self._width * over * (1 + times[at]) * (inner[at] @ moved)
                gradient[j] += share * (1 - right[at])
                gradient[j + 1] += share * right[at]
        return math.log(error), gradient

    def _back(
        self, adjoint: FloatArray, states: FloatArray, times: FloatArray,
        etas: FloatArray
    ) -> tuple[FloatArray, FloatArray]:  # fmt: skip
        """Return the adjoint at the nodes of an interval, and at its beginning."""
        _, upto, over = self._rule
        each = [self._slopes(*pair).T for pair in zip(states, etas, strict=True)]
        slopes = self._width * (1 + times)[:, None, None] * np.stack(each)
        count, size = states.shape
        # lambda_i = lambda(end) + sum_l (over_l - upto_il) M_l lambda_l
        joined = np.einsum("il,lab->ialb", upto - over, slopes)
        system = np.eye(count * size) + joined.reshape(count * size, -1)
        inner = np.linalg.solve(system, np.tile(adjoint, count)).reshape(count, size)
        return inner, adjoint + np.einsum("l,lab,lb->a", over, slopes, inner)

    def _slopes(self, state: FloatArray, eta: float) -> FloatArray:
        """Return the derivatives of the drift by the state."""
        return derivatives(lambda s: self._change(s, eta), state, self._step)

    def _by_rate(self, state: FloatArray, eta: float) -> FloatArray:
        """Return the derivative of the drift by the logarithm of the rate."""
        up, down = (self._change(state, eta * math.exp(x)) for x in (_RATE, -_RATE))
        return (up - down) / (2 * _RATE)

    def _tried(self, rate: Callable[[Clock], float]) -> float:
        """Return the last error of a rate, infinite if the student diverges."""
        try:
            with np.errstate(all="ignore"):
                return max(self._error(self._follow(rate)[1]), 0.0)
        except (ArithmeticError, ValueError):
            return math.inf

    def constant(self, rate: float) -> tuple[float, float]:
        """Return the logarithm of the best constant rate, and its error."""

        def error(log: float) -> float:
            return self._tried(lambda clock: math.exp(log))

        guess = math.log(rate)
        tried = {k: error(guess + _SCAN * k) for k in _FIRST}
        while (best := min(tried, key=tried.__getitem__)) in (min(tried), max(tried)):
            further = best + (1 if best == max(tried) else -1)
            if not _LEAST < guess + _SCAN * further < _LARGEST:
                break
            tried[further] = error(guess + _SCAN * further)
        if not math.isfinite(tried[best]):
            raise ArithmeticError(
                f"no schedule was found: the student diverges at rates near {rate:g}"
            )
        middle = guess + _SCAN * best
        found = minimize_scalar(
            error, bounds=(middle - _SCAN, middle + _SCAN), method="bounded",
            options={"xatol": 1e-4}
        )  # fmt: skip
        return float(found.x), float(found.fun)

    def descend(
        self,
        logs: Callable[[FloatArray], FloatArray],
        begin: list[float],
        bounds: list[tuple[float, float]],
    ) -> tuple[FloatArray, float]:
        """Return the best parameters of a family of rates, and the error."""

        def function(x: FloatArray) -> tuple[float, FloatArray]:
            try:
                with np.errstate(all="ignore"):
                    value, gradient = self.value(logs(x))
            except (ArithmeticError, ValueError):  # the student diverges
                return _BAD, np.zeros(x.size)
            return value, gradient @ derivatives(logs, x, 1e-4)

        found = minimize(
            function, begin, jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": _STEPS, "ftol": 1e-6, "gtol": 1e-5}
        )  # fmt: skip
        return np.asarray(found.x), math.exp(found.fun)

    def best(self, rate: float) -> BestSchedule:
        """Return the best schedule, from a first guess of the rate."""
        number("rate", rate, low=math.exp(_LEAST), high=math.exp(_LARGEST))
        self._change(self._first, rate)  # what it refuses is an error, not divergence
        rates = _LEAST, _LARGEST
        log, constant_error = self.constant(rate)

        def power(p: FloatArray) -> FloatArray:  # first log, fall of it, log of time
            shape = np.log1p(self.alpha * math.exp(-p[2]))
            return np.asarray(np.clip(p[0] - p[1] * shape / shape[-1], *rates))

        late = math.log1p(self._end)
        bounds = [rates, (-_FALL, _FALL), (late - 12.0, late + _LATE)]
        y, _ = self.descend(power, [log, 0.0, 0.0], bounds)
        z, error = self.descend(
            lambda z: z, power(y).tolist(), [rates] * len(self.alpha)
        )
        time = math.exp(y[2])
        fall = float(y[1]) / math.log1p(self._end / time)

        def exact(clock: Clock) -> float:
            return math.exp(y[0] - fall * math.log1p(max(clock.time, 0.0) / time))

        return BestSchedule(
            self.alpha, np.exp(z), error, math.exp(log), constant_error,
            (math.exp(y[0]), fall, time), self._tried(exact)
        )  # fmt: skip


def best_schedule(
    rule: Rule,
    teacher: Teacher | None = None,
    *,
    alpha: float,
    start: starts.Start | None = None,
    rate: float = 1.0,
    knots: int = 32,
) -> BestSchedule:
    """Return the schedule with the least error after ``alpha`` examples per weight.

    Parameters
    ----------
    rule, teacher, start
        As in :func:`rosenblatt.solve`; inputs are isotropic.
    alpha
        Examples per weight after which the error counts.
    rate
        First guess of a constant rate.
    knots
        Number of intervals between values of the rate.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> rule = rb.rules.Normalised(rb.rules.Perceptron())
    >>> best = rb.theory.best_schedule(rule, alpha=10, knots=3)
    >>> best.error < best.power_error < best.constant_error
    True
    """
    parts = gather(rule, Constant(), teacher, None, start)
    drift = OverlapDrift(parts.rule, parts.teacher, parts.stream)
    unknowns = Unknowns(drift, 1.0)
    begun = parts.start.state(drift.setting, np.random.default_rng(0), ())
    along, *others = begun.student
    side, length = float(np.linalg.norm(others)), float(np.linalg.norm(begun.student))
    if length == 0:
        if not parts.rule.normalised:
            raise ValueError(
                f"start must be a student that is not 0, got {parts.start!r}"
            )
        side, length = 1.0, 1.0
    first = np.array(
        [math.log(math.tan(math.atan2(side, along) / 2)), math.log(length), 0.0]
    )[unknowns.free]

    def change(x: FloatArray, eta: float) -> FloatArray:
        unknowns.rate = eta
        return unknowns.derivative(x)

    def error(x: FloatArray) -> float:
        return unknowns.summary(x).error

    control = Control(
        change, error, first, alpha=alpha, knots=knots, accuracy=_ACCURACY
    )
    return control.best(rate)
