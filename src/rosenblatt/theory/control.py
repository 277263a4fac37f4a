r"""Control of the rate: the schedule that ends with the least error.

The state of :math:`N \to \infty` obeys :math:`\dot s = f(s, \eta)`. With the adjoint
:math:`\dot\lambda = -(\partial f / \partial s)^T \lambda`, which ends as the gradient
of the logarithm of the error,

.. math:: \frac{\delta \ln \epsilon}{\delta \eta(\alpha)} = \lambda \cdot
    \frac{\partial f}{\partial \eta}.  \tag{1}

The logarithm of the rate is linear in :math:`\ln(1 + \alpha)` between some knots. Its
values there descend eq. (1), from the best power of time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from rosenblatt.core import Clock
from rosenblatt.core.types import FloatArray

__all__ = ["BestSchedule", "Control", "derivatives"]

_TOLERANCE = 1e-9  # of a step: the error may be small by cancellation
_BACK = 1e-5  # of the adjoint
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)  # between two knots
_RATE = 1e-4  # relative step of a difference in the rate
_LEAST, _LARGEST = math.log(1e-6), math.log(1e3)  # of a rate
_SCAN = np.log(2) * np.arange(-4, 4)  # first constants, over the guess
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


class BestSchedule(NamedTuple):
    """The best rate as a function of time, beside the best constant and power."""

    alpha: FloatArray  # knots
    rate: FloatArray  # at the knots
    error: float  # at the end
    constant: float  # best constant rate
    constant_error: float
    power: tuple[float, float, float]  # best scale, exponent and offset of a power
    power_error: float

    def schedule(self) -> Callable[[Clock], float]:
        """Return the rate as a function of the clock, which all engines take."""
        logs, last = np.log(self.rate), len(self.rate) - 1
        scale = last / math.log1p(self.alpha[-1])

        def rate(clock: Clock) -> float:
            place = min(math.log1p(clock.time) * scale, last - 1e-9)
            j = int(place)
            return math.exp(logs[j] + (place - j) * (logs[j + 1] - logs[j]))

        return rate


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
    end
        The alpha at which the error counts.
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
        end: float,
        knots: int,
        accuracy: float,
    ) -> None:
        self._change, self._error, self._first = change, error, first
        self._end, self._accuracy = end, accuracy
        self._step = accuracy ** (1 / 3)  # rounding and curvature matter alike
        self._width = math.log1p(end) / knots
        self.alpha = np.expm1(self._width * np.arange(knots + 1))

    def _rate(self, logs: FloatArray, time: float) -> float:
        place = min(math.log1p(max(time, 0.0)) / self._width, len(logs) - 1 - 1e-9)
        j = int(place)
        return math.exp(logs[j] + (place - j) * (logs[j + 1] - logs[j]))

    def _follow(self, logs: FloatArray) -> Callable[[float], FloatArray]:
        """Return the state as a function of time."""
        tolerance = max(_TOLERANCE, 10 * self._accuracy)
        found = solve_ivp(
            lambda time, s: self._change(s, self._rate(logs, time)),
            (0.0, self._end), self._first, method="LSODA", dense_output=True,
            rtol=tolerance, atol=1e-3 * tolerance
        )  # fmt: skip
        if found.sol is None or not (found.success and np.isfinite(found.y).all()):
            raise ArithmeticError(found.message)
        return found.sol

    def value(self, logs: FloatArray) -> tuple[float, FloatArray]:
        """Return the logarithm of the last error, and its derivatives, eq. (1)."""
        state = self._follow(logs)
        last = state(self._end)
        error = max(self._error(last), 1e-300)

        def back(time: float, adjoint: FloatArray) -> FloatArray:
            eta = self._rate(logs, time)
            slope = derivatives(lambda s: self._change(s, eta), state(time), self._step)
            return -slope.T @ adjoint

        end = derivatives(lambda s: np.array([self._error(s)]), last, self._step)[0]
        adjoint = solve_ivp(
            back, (self._end, 0.0), end / error, method="LSODA",
            dense_output=True, rtol=_BACK, atol=1e-3 * _BACK
        ).sol  # fmt: skip
        if adjoint is None:
            raise ArithmeticError("the adjoint could not be followed")
        gradient = np.zeros(len(logs))
        for j in range(len(logs) - 1):
            for node, weight in zip(_NODES, _WEIGHTS, strict=True):
                right = (1 + node) / 2
                time = math.expm1(self._width * (j + float(right)))
                share = 0.5 * weight * self._width * (1 + time)
                share *= float(adjoint(time) @ self._by_rate(state(time), logs, time))
                gradient[j] += share * (1 - right)
                gradient[j + 1] += share * right
        return math.log(error), gradient

    def _by_rate(self, s: FloatArray, logs: FloatArray, time: float) -> FloatArray:
        """Return the derivative of the drift by the logarithm of the rate."""
        eta = self._rate(logs, time)
        up, down = (self._change(s, eta * math.exp(x)) for x in (_RATE, -_RATE))
        return (up - down) / (2 * _RATE)

    def _tried(self, logs: FloatArray) -> float:
        """Return the last error of a rate, infinite if the student diverges."""
        try:
            with np.errstate(all="ignore"):
                return max(self._error(self._follow(logs)(self._end)), 0.0)
        except (ArithmeticError, ValueError):
            return math.inf

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
            options={"maxiter": _STEPS, "ftol": 1e-7, "gtol": 1e-5}
        )  # fmt: skip
        if not found.fun < _BAD:
            raise ArithmeticError(
                "no schedule was found: the student diverges at the first rates"
            )
        return np.asarray(found.x), math.exp(found.fun)

    def best(self, rate: float) -> BestSchedule:
        """Return the best schedule, from a first guess of the rate."""
        self._change(self._first, rate)  # what it refuses is an error, not divergence
        size, rates = len(self.alpha), (_LEAST, _LARGEST)
        scan = math.log(rate) + _SCAN
        errors = [self._tried(np.full(size, log)) for log in scan]
        x, constant_error = self.descend(
            lambda x: np.full(size, x[0]), [scan[int(np.argmin(errors))]], [rates]
        )

        def power(p: FloatArray) -> FloatArray:
            logs = p[0] - p[1] * np.log(self.alpha + math.exp(p[2]))
            return np.asarray(np.clip(logs, *rates))

        y, power_error = self.descend(
            power, [float(x[0]), 0.0, 0.0], [rates, (-1.0, 4.0), (-3.0, 8.0)]
        )
        z, error = self.descend(lambda z: z, power(y).tolist(), [rates] * size)
        best = math.exp(y[0]), float(y[1]), math.exp(y[2])
        return BestSchedule(
            self.alpha, np.exp(z), error, math.exp(x[0]), constant_error, best,
            power_error
        )  # fmt: skip
