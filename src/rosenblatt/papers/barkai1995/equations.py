r"""Equations of section 2, and their consequences at finite N.

The student is normalised after every step, so its angle :math:`\theta` with the teacher
says all: :math:`R = \cos\theta` and, by eq. (3), :math:`\epsilon_g = \theta / \pi`. The
paper's rate :math:`\eta` is ours. Eq. (4) for the angle is

.. math::
    \frac{d\theta}{d\alpha} = -\frac{\eta \sin\theta}{\sqrt{2\pi}}
        + \frac{\eta^2}{2\pi} \frac{\theta \cos\theta}{\sin\theta}
    \;\approx\; -\frac{\eta\theta}{\sqrt{2\pi}} + \frac{\eta^2}{2\pi},   \tag{1}

linear for small angles. With :math:`\eta = \eta_0 \sqrt{2\pi}\, \alpha^{-z}` it gives
eq. (5), the prefactor of eq. (6), and :math:`\theta = \eta_0 \alpha^{-z} + z / \alpha`
up to smaller terms if :math:`z < 1`.

At finite N write :math:`W = W_0 + \delta` and let :math:`u` be the component of an
input along :math:`\delta`, :math:`|\delta| = \theta \ll 1`. It is a mistake with
probability :math:`\theta |u| / \sqrt{2\pi}`, and then :math:`\delta` loses
:math:`(\eta / N) S\, \mathrm{sgn}\, u`. Since
:math:`\langle |u|\, |S|^2 \rangle = \sqrt{2/\pi}\, N` in the N - 1 dimensions of
:math:`\delta`,

.. math::
    \frac{d \langle\theta^2\rangle}{d\alpha} = -\frac{2\eta}{\sqrt{2\pi}}
        \langle\theta^2\rangle + \frac{\eta^2}{\pi} \langle\theta\rangle   \tag{2}

without a term of order 1/N: what eqs. (5) and (6) say about :math:`\theta` holds for
:math:`\langle\theta^2\rangle / \langle\theta\rangle` at every N. The mean is smaller by
:math:`1 + v`, with :math:`v` the variance over the squared mean. To leading order in
1/N the jumps of :math:`\theta^2` give, for :math:`z = 1` and
:math:`k = (\eta_0 - 1) / \eta_0`,

.. math:: v = (2 - \pi k + \pi k^2 / 2) / N,   \tag{3}

which is :math:`(2 - 3\pi/8) / N` at :math:`\eta_0 = 2`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.core.types import FloatArray
from rosenblatt.rules import Normalised, Perceptron
from rosenblatt.schedules import Power
from rosenblatt.simulation import simulate, simulate_machine
from rosenblatt.theory.closed import perceptron

__all__ = [
    "RULE",
    "SEED",
    "adiabatic_error",
    "angles",
    "optimal_errors",
    "prefactor",
    "residual_error",
    "schedule",
    "scheduled_angles",
    "simulated",
    "simulated_machine",
    "spread2",
]

RULE = Normalised(Perceptron())  # eq. (2) as it is meant
SEED = 1995  # of all simulations of this paper; the year, fixed before the first run
_UNIT = math.sqrt(2 * math.pi)

simulated = functools.partial(simulate, seed=SEED, progress=False)
simulated_machine = functools.partial(simulate_machine, seed=SEED, progress=False)


def schedule(scale: float, exponent: float = 1.0, offset: float = 0.0) -> Power:
    """Return the rate ``eta0 sqrt(2 pi) (alpha + offset)^-z``."""
    return Power(scale * _UNIT, exponent, offset)


def optimal_errors(dim: int, alpha: float | FloatArray, replicas: int) -> xr.DataArray:
    """Return simulated errors on the optimal schedule, eta0 = 2 and z = 1."""
    run = simulated(
        RULE,
        schedule(2.0),
        dim=dim,
        alpha=alpha,
        replicas=replicas,
    )
    return run["error"]


def angles(
    rate: Callable[[float], float], start: float, alpha: Sequence[float]
) -> FloatArray:
    """Return the angles that eq. (4) leads to from a first one at time 0.

    ``rate`` is a function of alpha, finite at 0.
    """
    found = solve_ivp(
        lambda time, state: [perceptron.drift(float(state[0]), rate(time))],
        (0.0, alpha[-1]),
        [start],
        t_eval=alpha,
        rtol=1e-10,
        atol=1e-14,
    )
    return np.asarray(found.y[0])


def scheduled_angles(
    scale: float, alpha: Sequence[float], *, first: float, start: float = 0.5 * math.pi
) -> FloatArray:
    """Return the angles that eq. (4) leads to at z = 1, from one at alpha = ``first``.

    In the logarithm of alpha, eq. (1) is smooth up to any time; with a small ``first``
    it is stiff at the beginning, which it forgets at once.

    Examples
    --------
    >>> late = scheduled_angles(2.0, [1e6], first=0.001)
    >>> round(float(late[0]) / math.pi * 1e6, 5)
    1.27324
    """

    def derivative(log_alpha: float, state: FloatArray) -> list[float]:
        # of alpha times the angle, which tends to a constant or grows slowly
        now, scaled = math.exp(log_alpha), float(state[0])
        turn = perceptron.drift(scaled / now, scale * _UNIT / now)
        return [scaled + now**2 * turn]

    times = np.log(alpha)
    found = solve_ivp(
        derivative,
        (math.log(first), times[-1]),
        [start * first],
        t_eval=times,
        method="LSODA",
        rtol=1e-11,
        atol=1e-14,
    )
    return np.asarray(found.y[0] / alpha)


def residual_error(rate: float) -> float:
    """Return eq. (5), the error at a constant small rate.

    Examples
    --------
    >>> round(residual_error(0.01), 7)
    0.0012699
    """
    return rate / math.sqrt(2 * math.pi**3)


def prefactor(scale: float) -> float:
    """Return the factor of 1/alpha in eq. (6), first line.

    Examples
    --------
    >>> round(prefactor(2.0), 4)
    1.2732
    """
    return perceptron.asymptote(scale * _UNIT)


def adiabatic_error(scale: float, exponent: float, alpha: float) -> float:
    """Return the error at z < 1, with the first correction to the paper's."""
    return (scale * math.pow(alpha, -exponent) + exponent / alpha) / math.pi


def spread2(scale: float) -> float:
    """Return N times the relative variance of the error at z = 1: eq. (3) above."""
    k = (scale - 1) / scale
    return 2 - math.pi * k + 0.5 * math.pi * k**2
