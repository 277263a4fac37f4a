r"""Real examples through the binary learner: what ``BinaryBayesPerceptron`` does.

With n features, :math:`z` those of a row after standardising, :math:`x = z / \sqrt n`
and an intercept :math:`\theta` of prior :math:`\mathcal N(0, 1)`, the field of an
example is believed to be

.. math::
    \mathcal N\Bigl(\sum_i m_i x_i + \bar\theta,\;
    \sum_i x_i^2 (1 - m_i^2) + \operatorname{var}\theta\Bigr),   \tag{1}

its variance at least ``floor / n``. Weights then follow
:mod:`rosenblatt.rules.binary_bayes`, eq. (1), and the intercept
:mod:`rosenblatt.rules.diagonal_bayes`, eq. (1), for a constant input 1.

Features are standardised by the mean and the variance of all rows so far, the current
one included; one that has not varied yet counts as 0. If the label noise :math:`k` is
not known, it is the average probability that a label was wrong, in the light of what
was believed when it came,

.. math::
    r = \frac{k\, \Phi(-u)}{k + (1 - 2k)\, \Phi(u)}, \qquad
    k = \frac{1/2 + \sum r}{2 + \text{rows}},   \tag{2}

which starts at 1/4, the middle of what is possible.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types

from rosenblatt.core import Belief, Signal, inlined, kernel
from rosenblatt.core.evidence import evidence
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.dataset import repeats
from rosenblatt.rules.binary_bayes import move

__all__ = ["BinaryLearner", "learn_binary", "noise_of"]

EXAMPLES, MISTAKES, WRONG, INTERCEPT, DOUBT = range(5)  # entries of ``numbers``
_f = types.float64
_rows = types.Array(_f, 2, "C", readonly=True)
_given = types.Array(_f, 1, "C", readonly=True)
_moved = inlined(move)
_SMALL, _LARGE = 1e-280, 1e300  # between them squares are as exact as numbers


class BinaryLearner(NamedTuple):
    """All that learning goes on from."""

    state: FloatArray  # artanh of the means
    mean: FloatArray
    variance: FloatArray
    center: FloatArray  # means of the features
    spread: FloatArray  # roots of the sums of their squared deviations
    numbers: FloatArray  # examples, mistakes, wrong labels, intercept, its variance

    @classmethod
    def prior(cls, features: int, intercept: bool) -> BinaryLearner:
        """Return the learner that has seen nothing."""
        zeros = np.zeros((4, features))
        numbers = np.array([0.0, 0.0, 0.0, 0.0, float(intercept)])
        return cls(zeros[0], zeros[1], np.ones(features), zeros[2], zeros[3], numbers)

    @property
    def scale(self) -> FloatArray:
        """Standard deviations of the features."""
        return np.asarray(self.spread / math.sqrt(max(self.numbers[EXAMPLES], 1.0)))


@inlined
def _noise(wrong: float, examples: float) -> float:
    return (0.5 + wrong) / (2.0 + examples)  # eq. (2)


def noise_of(learner: BinaryLearner, noise: float | None) -> float:
    """Return the noise that a learner assumes."""
    if noise is not None:
        return noise
    return float(_noise(learner.numbers[WRONG], learner.numbers[EXAMPLES]))


@inlined
def _root(a: float, b: float) -> float:
    """Return the root of the sum of two squares, which may be too large or small."""
    square = a * a + b * b
    if _SMALL < square < _LARGE:
        return math.sqrt(square)
    return math.hypot(a, b)


@inlined
def _prepare(
    row: FloatArray,
    center: FloatArray,
    spread: FloatArray,
    examples: float,
    standardise: bool,
    x: FloatArray,
) -> None:
    """Write the scaled features of a row, after learning their moments from it."""
    n = row.size
    scale = 1.0 / math.sqrt(float(n))
    if not standardise:
        for i in range(n):
            x[i] = row[i] * scale
        return
    share, scale = 1.0 / examples, scale * math.sqrt(examples)
    rest = math.sqrt(1.0 - share)
    for i in range(n):
        before = row[i] - center[i]
        center[i] += before * share
        spread[i] = _root(spread[i], before * rest)
        after = row[i] - center[i]
        x[i] = after / spread[i] * scale if spread[i] > 0.0 else 0.0


@inlined
def _field(
    x: FloatArray, mean: FloatArray, variance: FloatArray
) -> tuple[float, float]:
    h, spread = 0.0, 0.0
    for i in range(x.size):
        h += mean[i] * x[i]
        spread += variance[i] * x[i] * x[i]
    return h, spread


@inlined
def _move_all(
    state: FloatArray,
    mean: FloatArray,
    variance: FloatArray,
    x: FloatArray,
    signal: Signal,
) -> None:
    for i in range(x.size):
        known = Belief(state[i], mean[i], variance[i])
        state[i], mean[i], variance[i] = _moved(known, x[i], signal)


@kernel(
    types.void,
    _rows,
    _given,
    types.Array(types.int64, 1, "C", readonly=True),
    types.boolean,
    _f,
    _f,
    _f[::1],
    _f[::1],
    _f[::1],
    _f[::1],
    _f[::1],
    _f[::1],
)
def _present(
    X: FloatArray,
    labels: FloatArray,
    times: IntArray,
    standardise: bool,
    noise: float,
    floor: float,
    state: FloatArray,
    mean: FloatArray,
    variance: FloatArray,
    center: FloatArray,
    spread: FloatArray,
    numbers: FloatArray,
) -> None:
    """Present rows; a negative noise is estimated."""
    x = np.empty(X.shape[1])
    for row in range(len(X)):
        for _ in range(times[row]):
            k = noise
            if noise < 0.0:
                k = _noise(numbers[WRONG], numbers[EXAMPLES])
            numbers[EXAMPLES] += 1.0
            _prepare(X[row], center, spread, numbers[EXAMPLES], standardise, x)
            h, variance_of_h = _field(x, mean, variance)
            h += numbers[INTERCEPT]
            rho = max(variance_of_h + numbers[DOUBT], floor / x.size)
            if labels[row] * h <= 0.0:
                numbers[MISTAKES] += 1.0
            told = evidence(h, rho, labels[row], k)
            if noise < 0.0:
                u = labels[row] * h / math.sqrt(rho)
                against = 0.5 * math.erfc(u * math.sqrt(0.5))
                numbers[WRONG] += k * against / math.exp(told.log_probability)
            _move_all(state, mean, variance, x, Signal(told.slope, told.curvature))
            numbers[INTERCEPT] += numbers[DOUBT] * told.slope
            numbers[DOUBT] *= 1.0 - numbers[DOUBT] * told.curvature


def learn_binary(
    learner: BinaryLearner,
    X: FloatArray,
    labels: FloatArray,
    *,
    noise: float | None,
    floor: float,
    standardise: bool,
    sample_weight: FloatArray | None = None,
) -> BinaryLearner:
    """Present examples to a learner and return what it becomes; it stays as it is.

    Parameters
    ----------
    learner
        Where to begin.
    X
        One example a row, of finite numbers.
    labels
        -1 or +1 for each row.
    noise
        Probability of a wrong label, or None if it is to be estimated.
    floor
        The least variance of a field, in open weights.
    standardise
        Whether features are standardised.
    sample_weight
        How many times in succession a row is presented.

    Examples
    --------
    >>> X, labels = np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([1.0, -1.0])
    >>> found = learn_binary(
    ...     BinaryLearner.prior(2, False), X, labels, noise=0.0, floor=1.0,
    ...     standardise=True)
    >>> found.mean.round(2)
    array([-0.51,  0.51])
    """
    weights = np.ones(len(X)) if sample_weight is None else sample_weight
    result = BinaryLearner(*(part.copy() for part in learner))
    given = (np.require(a, np.float64, ["C", "A"]) for a in (X, labels))
    with np.errstate(all="ignore"):  # only plain Python would warn
        _present(
            *given,
            repeats(weights),
            standardise,
            -1.0 if noise is None else noise,
            floor,
            *result,
        )
    for column in np.flatnonzero(~np.isfinite(result.spread + result.state)):
        raise ValueError(
            f"X must have numbers whose differences are finite, got {X[:, column]} in "
            f"column {column}"
        )
    return result
