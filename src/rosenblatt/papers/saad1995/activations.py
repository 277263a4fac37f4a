r"""Committees with other activations than the error function.

For K = M = 1 a small deviation from the teacher, of squared length D, obeys
:math:`\dot D = (\eta^2 \langle g'^4 \rangle - 2 \eta \langle g'^2 \rangle) D`. For
ReLU both averages are 1/2; for the hyperbolic tangent they are integrals over one
Gaussian.

For K = M = 2 the units leave the symmetric plateau along :math:`R_{11} - R_{12} -
R_{21} + R_{22}`. Two students that see the same examples, and begin on either side of
the plateau, differ in it by :math:`e^{\eta \lambda \alpha}`. Here :math:`\lambda` is
the largest eigenvalue of their own activation.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from scipy.integrate import quad

from rosenblatt.committees import Committee, Plateau, plateau, simulate
from rosenblatt.core import Activation
from rosenblatt.core.figures import FigureData
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, figure, fill
from rosenblatt.papers.series import line
from rosenblatt.rules import Erf, ReLU, Tanh

__all__ = ["CLAIMS", "figure_activations"]

_RATE, _DIM = 1.0, 2000
_DISTANCE = 1e-6  # first squared distance from the teacher, across it
_SLOW, _LARGE = 0.5, 10_000  # rate and N on the plateau
_SIDE = 0.02  # first distance from the plateau, along the direction of escape
_LATER = 10.0  # alpha at which that distance is measured
_ESCAPE = np.array([[1.0, -1.0], [-1.0, 1.0]]) / 2


@figure("saad1995/activations", "convergence of one unit")
def figure_activations(*, quick: bool = False) -> FigureData:
    """Return learning curves of several activations on the same tasks."""
    alpha, replicas = np.linspace(0, 300, 61), 16 if quick else 32
    series = []
    for activation in (Erf(), Tanh(), ReLU()):
        run = simulate(
            Committee(activation, 3, 3), 0.5, dim=500, alpha=alpha, replicas=replicas
        )
        error = run.error.mean("replica") / run.error.mean("replica")[0]
        series.append(line(type(activation).__name__, alpha, error, "simulation"))
    return FigureData(
        title="Three activations",
        caption=(
            f"Mean error of {replicas} students over its first value, K = M = 3, "
            "N = 500, rate 0.5, random starts."
        ),
        x_label=r"examples per dimension, $\alpha$",
        y_label="error over first error",
        series=tuple(series),
        y_log=True,
    )


def _growth(activation: Activation, quick: bool) -> Measurement:
    """Return the growth of the mean squared distance in a unit of alpha."""
    near = [[1.0]], [[1.0 + _DISTANCE]]
    run = simulate(
        Committee(activation, 1, 1), _RATE, dim=_DIM, alpha=[1], start=near,
        replicas=256 if quick else 4096
    )  # fmt: skip
    distance = (run.Q[:, 0, 0, 0] - 2 * run.R[:, 0, 0, 0] + 1).values
    mean, spread = distance.mean(), distance.std() / math.sqrt(distance.size)
    return Measurement(math.log(mean / _DISTANCE), float(spread / mean))


def _moment(power: int) -> float:
    """Return the average of a power of the slope of tanh."""

    def density(h: float) -> float:
        return math.cosh(h) ** (-2 * power) * math.exp(-0.5 * h * h)

    return float(quad(density, -12, 12)[0] / math.sqrt(2 * math.pi))


def _claim(activation: Activation, second: float, fourth: float) -> Claim:
    name = type(activation).__name__

    @claim(f"saad1995/distance/{name.lower()}", "convergence of one unit")
    @expect(fourth - 2 * second, catches=0.05)
    @allow(5 / _DIM, "corrections of order 1/N")
    @fill(name=name)
    def measure(quick: bool) -> Measurement:
        """Near its teacher, at rate 1, a student with one unit {name} has its squared
        distance multiplied by exp(m4 - 2 m2) in a unit of alpha. Here m4 and m2
        are the means of the fourth and second power of the activation's slope.
        """
        return _growth(activation, quick)

    return measure


@functools.cache
def _plateau(activation: Activation) -> Plateau:
    return plateau(Committee(activation, 2, 2), _SLOW)


def _escape(activation: Activation, quick: bool) -> Measurement:
    """Return the growth of the distance of two students, per unit of alpha."""
    found = _plateau(activation)
    own = found.C + (found.Q - found.C) * np.eye(2)
    up, down = (
        simulate(
            Committee(activation, 2, 2), _SLOW, dim=_LARGE, alpha=[_LATER],
            start=(found.R + side * _ESCAPE, own), replicas=64 if quick else 256
        ).R.values[:, 0]
        for side in (_SIDE, -_SIDE)
    )  # fmt: skip
    distance = ((up - down) * _ESCAPE).sum(axis=(1, 2)) / (2 * _SIDE)
    mean, spread = distance.mean(), distance.std() / math.sqrt(distance.size)
    return Measurement(math.log(mean) / _LATER, float(spread / mean / _LATER))


def _leaving(activation: Activation) -> Claim:
    name = type(activation).__name__

    @claim(f"saad1995/escape/{name.lower()}", "escape from the plateau")
    @expect(
        lambda quick: float(_SLOW * _plateau(activation).eigenvalues[0].real),
        catches=0.006,
    )
    @allow(5 / _LARGE, "corrections of order 1/N, and cubic ones of the distance")
    @fill(name=name)
    def measure(quick: bool) -> Measurement:
        """Two units {name} leave their plateau as exp(eta lambda alpha), with the
        largest eigenvalue of the drift there, at rate 0.5.
        """
        return _escape(activation, quick)

    return measure


CLAIMS = (
    _claim(ReLU(), 0.5, 0.5),
    _claim(Tanh(), _moment(2), _moment(4)),
    _leaving(ReLU()),
    _leaving(Tanh()),
)
