r"""Error against examples and features, where the teacher is a smooth function.

Section 4 of :cite:t:`barkai1995` lets a teacher be the threshold of a smooth function.
Here the function g has few inputs, and the student is the regression of
:mod:`rosenblatt.bayes.cosines` on D features, with targets :math:`\pm 1`. Its theory
needs the eigenvalues :math:`\lambda_i` of the features' covariance, and of the target
the coefficients :math:`c_i` on the eigenfunctions and the mean square :math:`\rho^2` of
the rest. After n examples, with unit noise and prior,

.. math::
    n \kappa = 1 + \kappa \sum_i \frac{\lambda_i}{\lambda_i + \kappa}, \qquad
    \gamma = \frac{1}{n} \sum_i \frac{\lambda_i^2}{(\lambda_i + \kappa)^2}, \qquad
    E = \frac{1}{1 - \gamma} \Big( \rho^2 + \sum_i
        \frac{\kappa^2 c_i^2}{(\lambda_i + \kappa)^2} \Big)   \tag{1}

is the mean square error of the prediction (:cite:t:`simon2023`). Over sets of examples
the prediction has the mean :math:`\bar f = \sum_i \frac{\lambda_i}{\lambda_i +
\kappa} c_i \psi_i`, and the variance :math:`\gamma E`. If it is normal, with one
variance everywhere, the label is wrong with the probability

.. math:: \epsilon = \mathrm{E}_x \Phi\Big(- \frac{\mathrm{sign}(g(x)) \bar f(x)}
    {\sqrt{\gamma E}}\Big).   \tag{2}

Theory takes features as normal. The square error of cosines is larger if examples are
few. With many features the error falls as a power of n. A map that is too small has a
plateau: :math:`\kappa \to 0`, :math:`\gamma \to 0`, and wrong labels are those of the
projection of the target. ``python examples/curved_teachers.py`` prints the verdicts.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from rosenblatt.bayes import cosines
from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Measurement, Paper, settle
from rosenblatt.papers.samples import average, line, points

PAPER = Paper(
    key="barkai1995",
    citation="After N. Barkai, H. S. Seung, H. Sompolinsky: Local and global "
    "convergence of on-line learning. Physical Review Letters 75, 1415 (1995), "
    "section 4.",
)
COLUMNS, SMOOTH, TESTS = 2, 6.0, 10_000
MAPS = 10, 30, 100, 300  # cosines
EXAMPLES = np.array([30, 100, 300, 1000, 3000, 10_000])
LONG = 0  # the length scale that is used, of two


@functools.cache
def rows() -> FloatArray:
    """Return inputs for expectations, within the clip."""
    rng = np.random.default_rng(0)
    return np.clip(rng.standard_normal((TESTS, COLUMNS)), -cosines.CLIP, cosines.CLIP)


def teacher(X: FloatArray) -> FloatArray:
    """Return the sign of a sum of cosines."""
    rng = np.random.default_rng(1)
    turns = rng.standard_normal((COLUMNS, 20)) * math.sqrt(SMOOTH / COLUMNS)
    waves = np.cos(X @ turns + rng.uniform(0.0, 2.0 * math.pi, 20))
    return np.where(waves.sum(axis=1) > 0.0, 1.0, -1.0)


class Spectrum(NamedTuple):
    """Eigenvalues of the features, and the target on their eigenfunctions."""

    eigenvalues: FloatArray
    coefficients: FloatArray
    functions: FloatArray  # at the rows, (rows, functions)
    rest: float  # mean square of the target outside


@functools.cache
def spectrum(size: int) -> Spectrum:
    """Return the spectrum of a map with so many cosines."""
    own, units = start(size)
    own.learn(rows()[:1], np.zeros((1, 1)), np.zeros(1), *units)
    F = own.features(rows(), own.functions)[LONG]
    eigenvalues, vectors = np.linalg.eigh(F.T @ F / TESTS)
    known = eigenvalues > 1e-10 * eigenvalues[-1]
    psi = F @ vectors[:, known] / np.sqrt(eigenvalues[known])
    c = psi.T @ teacher(rows()) / TESTS
    return Spectrum(eigenvalues[known], c, psi, float(1.0 - c @ c))


def start(size: int) -> tuple[cosines.Regression, tuple[FloatArray, FloatArray]]:
    """Return a student with so many cosines, and columns in their own units."""
    own = cosines.start(COLUMNS, 1, cosines=size)
    return own, (np.zeros(COLUMNS), np.ones(COLUMNS))


def theory(size: int, n: float) -> tuple[float, float]:
    """Return the mean square error of eq. (1), and the error of eq. (2)."""
    known = spectrum(size)
    eigenvalues, c = known.eigenvalues, known.coefficients

    def missing(log_kappa: float) -> float:
        kappa = math.exp(log_kappa)
        parts = eigenvalues / (eigenvalues + kappa)
        return n * kappa - 1.0 - kappa * float(parts.sum())

    kappa = math.exp(brentq(missing, -60.0, 20.0))
    parts = eigenvalues / (eigenvalues + kappa)
    gamma = float(parts @ parts) / n
    square = (known.rest + float(((1.0 - parts) * c) @ ((1.0 - parts) * c))) / (
        1.0 - gamma
    )
    mean = known.functions @ (parts * c)
    fields = teacher(rows()) * mean / math.sqrt(gamma * square)
    return square, float(ndtr(-fields).mean())


def plateau(size: int) -> float:
    """Return the error after infinitely many examples."""
    known = spectrum(size)
    projection = known.functions @ known.coefficients
    return float(np.mean(projection * teacher(rows()) <= 0.0))


@functools.cache
def simulated(size: int, n: int, seeds: int = 8) -> FloatArray:
    """Return mean square error and error of students, (students, 2)."""
    found = []
    for seed in range(seeds):
        rng, (own, units) = np.random.default_rng(100 + seed), start(size)
        X = np.clip(rng.standard_normal((n, COLUMNS)), -cosines.CLIP, cosines.CLIP)
        own.learn(X, teacher(X)[:, None], np.ones(n), *units)
        mean, truth = own.predict(rows())[LONG].mean[:, 0], teacher(rows())
        found.append([np.mean((mean - truth) ** 2), np.mean(mean * truth <= 0.0)])
    return np.array(found)


def measured(size: int, n: int, which: int) -> Measurement:
    """Return the mean over students: 0 the mean square error, 1 the error."""
    return average(simulated(size, n)[:, which])


@PAPER.claim(
    "curves/square",
    "eq. (1)",
    expect=lambda: theory(300, 10_000)[0],
    catches=0.02,
    allow=(0.01, "cosines are not normal, as theory takes them to be"),
)
def _square() -> Measurement:
    """Mean square error after 10,000 examples, 300 cosines, against theory."""
    return measured(300, 10_000, 0)


@PAPER.claim(
    "curves/error",
    "eq. (2)",
    expect=lambda: theory(100, 1000)[1],
    catches=0.03,
    allow=(0.01, "the prediction is not normal, and its variance is not constant"),
)
def _error() -> Measurement:
    """Error after 1000 examples, 100 cosines, against theory."""
    return measured(100, 1000, 1)


@PAPER.claim(
    "curves/plateau",
    "eq. (2), n = infinity",
    expect=lambda: plateau(10),
    catches=0.03,
    allow=(0.01, "10,000 examples are not infinitely many"),
)
def _plateau() -> Measurement:
    """Error of a map of 10 cosines after 10,000 examples, against its plateau."""
    return measured(10, 10_000, 1)


def slope(errors: FloatArray) -> float:
    """Return the power of n with which errors fall, from 300 to 10,000 examples."""
    return float(np.polyfit(np.log(EXAMPLES[2:]), np.log(errors[2:]), 1)[0])


@PAPER.claim(
    "curves/power",
    "eqs. (1, 2)",
    expect=lambda: slope(np.array([theory(300, n)[1] for n in EXAMPLES])),
    catches=0.08,
    allow=(0.02, "the prediction is not normal, and its variance is not constant"),
)
def _power() -> Measurement:
    """Power of n with which the error of 300 cosines falls, against theory."""
    each = np.stack([simulated(300, int(n))[:, 1] for n in EXAMPLES])
    return average(np.array([slope(errors) for errors in each.T]))


@PAPER.figure("curves", "a thresholded smooth function")
def figure_errors(*, quick: bool) -> FigureData:
    """Return errors against examples, for maps of several sizes."""
    fine, series = np.geomspace(EXAMPLES[0], 100 * EXAMPLES[-1], 40), []
    shown = EXAMPLES[:-1] if quick else EXAMPLES
    for size in MAPS:
        found = [theory(size, n)[1] for n in fine]
        series.append(line(f"{size} cosines: theory", fine, np.array(found)))
        means = [measured(size, n, 1).value for n in shown]
        series.append(points(f"{size} cosines: simulated", shown, means))
    return FigureData(
        title="Error against examples, for maps of several sizes",
        caption="The teacher is the sign of a smooth function of two normal inputs. "
        "The student is the regression on cosines that curved boundaries use, with its "
        "long length scale. Lines are theory from the eigenvalues of the features. "
        "Points are means of eight students. Small maps have a plateau; larger ones "
        "follow a power of the number of examples.",
        x_label="examples",
        y_label="error",
        x_log=True,
        y_log=True,
        series=tuple(series),
    )


if __name__ == "__main__":
    for statement in PAPER.statements:
        print(statement.id, settle(statement, quick=False).verdict.value)
