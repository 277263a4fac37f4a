r"""Learning of real rows with binary weights, for ``BinaryBayesPerceptron``.

Let :math:`z` be the n standardised features of a row, and :math:`x = z / \sqrt n`. With
an intercept :math:`\theta` of prior :math:`\mathcal N(0, 1)`, the belief about the
field of an example is

.. math::
    \mathcal N\Bigl(\sum_i m_i x_i + \bar\theta,\;
    \sum_i x_i^2 (1 - m_i^2) + \operatorname{var}\theta\Bigr),   \tag{1}

its variance at least ``floor / n``. Weights then follow
:mod:`rosenblatt.rules.beliefs.binary_bayes`, eq. (1), and the intercept
:mod:`rosenblatt.rules.beliefs.diagonal_bayes`, eq. (1), for a constant input 1.

A row of weight w, at most 1, counts w times in all sums of this page, and with w times
the slope and the curvature: the gain of natural parameters is linear in both. The
exact posterior of a power of the likelihood is this in the limit of small gains.

Features are standardised by the mean and the variance of all rows so far, the current
one included. One that has not varied yet counts as 0. If the label noise :math:`k` is
not known, it is estimated. The estimate is the average probability that a label was
wrong, given the belief when it came,

.. math::
    r = \frac{k\, \Phi(-u)}{k + (1 - 2k)\, \Phi(u)}, \qquad
    k = \frac{1/2 + \sum r}{2 + \text{rows}},   \tag{2}

which starts at 1/4, the middle of what is possible.

Several models learn to tell one class each from the rest; features are theirs together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from rosenblatt.bits import Bits, unpack
from rosenblatt.compiling import force_inlined, inlined, kernel, types
from rosenblatt.core import Belief, Signal
from rosenblatt.core.schema import Array, Relation, Schema, record
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.errors import check
from rosenblatt.numerics.evidence import evidence
from rosenblatt.rules.beliefs.binary_bayes import move
from rosenblatt.system.threads import MANY_ROWS, interruptible

EXAMPLES, MISTAKES, WRONG, INTERCEPT, DOUBT = range(5)  # columns of ``numbers``
_ROUNDING = 1 + 1e-9  # of a sum of probabilities


def _possible(numbers: FloatArray) -> bool:
    """Return whether labels can have led to such numbers: few are more than all."""
    least = numbers[:, [EXAMPLES, MISTAKES, WRONG, DOUBT]] >= 0.0
    most = numbers[:, [MISTAKES, WRONG]] <= _ROUNDING * numbers[:, [EXAMPLES]]
    exact = numbers[:, EXAMPLES] <= 2**53  # beyond, the noise would round to 1
    return bool(least.all() and most.all() and exact.all())


BINARY_LEARNER = Schema(
    "binary-belief",
    {
        "state": Array((("models", "columns"),)),
        "mean": Array((("models", "columns"),), low=-1.0, high=1.0),
        "variance": Array((("models", "columns"),), low=0.0, high=1.0),
        "center": Array((("columns",),)),
        "spread": Array((("columns",),), low=0.0),
        "numbers": Array((("models", 5),)),
    },
    (
        Relation("a model", lambda _, sizes: sizes["models"] >= 1),
        Relation(
            "numbers of examples, of mistakes and of wrong labels, and the variance of "
            "the intercept, at least 0",
            lambda learner, _: _possible(learner.numbers),
            values=True,
        ),
    ),
)


@record(BINARY_LEARNER)
class BinaryLearner(NamedTuple):
    """State of the binary learner: one model for two classes, else one for each."""

    state: types.Matrix  # (models, features), artanh of the means
    mean: types.Matrix
    variance: types.Matrix
    center: types.Vector  # (features,), their means
    spread: types.Vector  # roots of the sums of their squared deviations
    # (models, 5): examples, mistakes, wrong labels, intercept and its variance
    numbers: types.Matrix

    @classmethod
    def prior(cls, features: int, intercept: bool, models: int = 1) -> BinaryLearner:
        """Return the learner before any example."""
        shape = (models, features)
        numbers = np.zeros((models, 5))
        numbers[:, DOUBT] = float(intercept)
        return cls(
            np.zeros(shape),
            np.zeros(shape),
            np.ones(shape),
            np.zeros(features),
            np.zeros(features),
            numbers,
        )

    @property
    def examples(self) -> float:
        """Number of examples seen, an integer unless they had other weights."""
        seen = float(self.numbers[0, EXAMPLES])
        return int(seen) if seen.is_integer() else seen

    @property
    def scale(self) -> FloatArray:
        """Standard deviations of the features."""
        return np.asarray(self.spread / math.sqrt(self.examples or 1))


@inlined
def estimated_noise(wrong: Any, examples: Any) -> Any:
    """Return k of :mod:`rosenblatt.linear.binary`, eq. (2)."""
    return (0.5 + wrong) / (2.0 + examples)


def noise_of(learner: BinaryLearner, noise: float | str) -> FloatArray:
    """Return the noise that each model assumes."""
    if noise != "auto":
        return np.full(len(learner.numbers), float(noise))
    wrong, examples = learner.numbers[:, WRONG], learner.numbers[:, EXAMPLES]
    return np.asarray(estimated_noise(wrong, examples))


_ENTRIES = 2**16  # of a table that are copied at a time


def dense_blocks(X: Any) -> Iterator[tuple[slice, FloatArray]]:
    """Yield rows as double precision, without copying the whole table.

    Packed bits become -1 and +1, and sparse rows get their zeros.

    Examples
    --------
    >>> list(dense_blocks(np.array([[1, 0]], np.float32)))
    [(slice(0, 1, None), array([[1., 0.]]))]
    """
    rows, columns = X.shape
    sparse = issparse(X)
    size = max(1, _ENTRIES // columns)
    for first in range(0, rows, size):
        part = slice(first, min(first + size, rows))
        if isinstance(X, Bits):
            yield part, unpack(X[part], np.float64)
        elif sparse:
            yield part, X[part].toarray().astype(np.float64, copy=False)
        else:
            yield part, np.ascontiguousarray(X[part], dtype=np.float64)


_moved = inlined(move)
_SMALL, _LARGE = 1e-280, 1e300  # between them squares are as exact as numbers


@inlined
def _spread_slowly(spread: FloatArray, x: FloatArray) -> None:
    """Replace spreads by roots of sums of squares that may be too large or small."""
    for i in range(x.size):
        spread[i] = math.hypot(spread[i], x[i])


@force_inlined
def _prepare(
    row: FloatArray,
    center: FloatArray,
    spread: FloatArray,
    examples: float,
    weight: float,
    standardise: bool,
    x: FloatArray,
) -> None:
    """Write the scaled features of a row, after learning their moments from it.

    ``examples`` is the sum of all weights, with that of this row.
    """
    n = row.size
    scale = 1.0 / math.sqrt(float(n))
    if not standardise:
        for i in range(n):
            x[i] = row[i] * scale
        return
    share, scale = weight / examples, scale * math.sqrt(examples)
    rest = math.sqrt(weight * (1.0 - share))
    # Loops without branches become vector instructions.
    odd = 0.0
    for i in range(n):
        before = row[i] - center[i]
        center[i] += before * share
        x[i] = before * rest
        square = spread[i] * spread[i] + x[i] * x[i]
        same = abs(x[i]) + spread[i] == 0.0
        odd += 0.0 if (square > _SMALL and square < _LARGE) or same else 1.0
    if odd == 0.0:
        for i in range(n):
            spread[i] = math.sqrt(spread[i] * spread[i] + x[i] * x[i])
    else:
        _spread_slowly(spread, x)
    for i in range(n):
        ratio = (row[i] - center[i]) / spread[i] * scale
        x[i] = ratio if spread[i] > 0.0 else 0.0


@force_inlined
def _field(
    x: FloatArray, mean: FloatArray, variance: FloatArray
) -> tuple[float, float]:
    h, spread = 0.0, 0.0
    for i in range(x.size):
        h += mean[i] * x[i]
        spread += variance[i] * x[i] * x[i]
    return h, spread


@force_inlined
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


@kernel(allocates=True)
def _learn(
    X: types.ReadMatrix,
    codes: types.ReadWholes,
    times: types.ReadVector,
    standardise: bool,
    noise: float,
    floor: float,
    learner: BinaryLearner,
) -> None:
    """Learn rows; estimate the label noise if it is given as a negative number."""
    state, mean, variance, center, spread, numbers = learner
    x = np.empty(X.shape[1])
    models = len(state)
    for row in range(len(X)):
        left = times[row] if times.size else 1.0
        while left > 0.0:
            weight = min(left, 1.0)
            left -= weight
            total = numbers[0, EXAMPLES] + weight
            _prepare(X[row], center, spread, total, weight, standardise, x)
            for m in range(models):
                mine = numbers[m]
                label = 1.0 if codes[row] == (1 if models == 1 else m) else -1.0
                k = noise
                if noise < 0.0:
                    k = estimated_noise(mine[WRONG], mine[EXAMPLES])
                mine[EXAMPLES] += weight
                h, variance_of_h = _field(x, mean[m], variance[m])
                h += mine[INTERCEPT]
                rho = max(variance_of_h + mine[DOUBT], floor / x.size)
                if label * h <= 0.0:
                    mine[MISTAKES] += weight
                found = evidence(h, rho, label, k)
                if noise < 0.0:
                    z = math.exp(found.log_probability)
                    # Phi(-u) = (1 - k - z) / (1 - 2 k), by eq. (1) of core.evidence
                    wrong = k * max(1.0 - k - z, 0.0) / ((1.0 - 2.0 * k) * z)
                    mine[WRONG] += weight * wrong
                signal = Signal(weight * found.slope, weight * found.curvature)
                _move_all(state[m], mean[m], variance[m], x, signal)
                mine[INTERCEPT] += mine[DOUBT] * signal.slope
                mine[DOUBT] *= 1.0 - mine[DOUBT] * signal.curvature


_ONCE = np.zeros(0)


def learn_binary(
    learner: BinaryLearner,
    X: Any,
    codes: IntArray,
    *,
    noise: float | str,
    floor: float,
    standardise: bool,
    repeats: FloatArray | None = None,
) -> BinaryLearner:
    """Return a new learner that has learned these examples; the given one is unchanged.

    Parameters
    ----------
    learner
        Learner to start from.
    X
        One example a row: an array, a CSR matrix, or packed bits.
    codes
        The number of each row's class. With one model 1 is the label +1, 0 is -1.
    noise
        Probability of a wrong label, or ``"auto"`` to estimate it.
    floor
        The least variance of a field, in open weights.
    standardise
        Whether features are standardised.
    repeats
        How many times in succession a row is presented, the last time with the rest.

    Examples
    --------
    >>> X, codes = np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([1, 0])
    >>> found = learn_binary(
    ...     BinaryLearner.prior(2, False), X, codes, noise=0.0, floor=1.0,
    ...     standardise=True)
    >>> found.mean.round(2)
    array([[-0.51,  0.51]])
    """
    result = BinaryLearner(*(part.copy() for part in learner))
    codes = np.ascontiguousarray(codes, dtype=np.int64)
    times = None if repeats is None else np.ascontiguousarray(repeats, np.float64)

    def work() -> None:
        with np.errstate(all="ignore"):  # only plain Python would warn
            for part, block in dense_blocks(X):
                _learn(
                    block,
                    codes[part],
                    _ONCE if times is None else times[part],
                    standardise,
                    -1.0 if noise == "auto" else float(noise),
                    float(floor),
                    result,
                )

    presented = len(codes) if times is None else times.sum()
    interruptible(work, long=presented > MANY_ROWS)
    for column in np.flatnonzero(
        ~np.isfinite(result.spread + result.state.sum(axis=0))
    ):
        if not isinstance(X, Bits):
            check(X)
        raise ValueError(
            "X must have numbers whose differences are finite, got column "
            f"{column} where they are not"
        )
    return result
