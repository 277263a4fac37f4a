r"""Calibration layers on the log-odds of several filters, and the mixture of them all.

A layer is a conditional logit with weights a, shared by the classes. Of more than two
classes class k has one feature, its log-odds; of two the second has the log-odds o, and
in another layer :math:`(o, 1, |o|)`, the first none. With prior mean
:math:`(1, 0, 0)`, prior precision :math:`\Lambda_0`, features :math:`\phi_k` with mean
:math:`\bar\phi` under the layer's probabilities p, and y the class,

.. math::
    \Lambda \leftarrow \frac{t}{t + 1} \Lambda
      + \sum_k p_k (\phi_k - \bar\phi)(\phi_k - \bar\phi)^T, \qquad
    a \leftarrow a + (\Lambda_0 + \Lambda)^{-1} (\phi_y - \bar\phi).   \tag{1}

What a layer corrects changes while its filter learns; row s of t counts s / t. The
prediction is the mean of all E layers with weights that follow their evidence,

.. math::
    w_e \leftarrow \Big(1 - \frac{1}{t + 2}\Big) \frac{w_e p_{e y}}{\sum w p_{\cdot y}}
      + \frac{1}{t + 2} \frac{1}{E},   \tag{2}

so that what was worse may become better. With a half-life t counts what is not
forgotten, and stops growing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numba import types

from rosenblatt.core import inlined, kernel
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.filter_row import CODES, MATRIX, VECTOR

__all__ = ["Mixture", "learn", "merge", "predict", "start"]

_PRECISION = 16.0  # a layer's weight has a prior standard deviation of 1/4
_FARTHEST = 300.0  # log-odds beyond this are as good as certain, and exp overflows
_LEAST = 1e-15  # a layer that called the label impossible may have been unlucky
_TINY = 1e-300  # probabilities have no smaller logarithm
_AGE, _LOG_EVIDENCE, _MISTAKES = range(3)  # entries of the tally

_f = types.float64
_ODDS = types.Array(_f, 3, "C", readonly=True)


@dataclass
class Mixture:
    """What layers and their mixture have learned."""

    weights: FloatArray  # (filters, layers), sum 1
    slopes: FloatArray  # a, (filters, layers, features)
    evidence: FloatArray  # Lambda, (filters, layers, features, features)
    tally: FloatArray  # t, log evidence and mistakes of the mixed predictions
    keep: float  # what is left of t after one more row

    def copy(self) -> Mixture:
        """Return a mixture that shares nothing with this one."""
        return replace(
            self,
            weights=np.array(self.weights),
            slopes=np.array(self.slopes),
            evidence=np.array(self.evidence),
            tally=np.array(self.tally),
        )

    @property
    def shares(self) -> FloatArray:
        """The weight of each filter."""
        return np.asarray(self.weights.sum(axis=1))

    @property
    def log_evidence(self) -> float:
        """The logarithm of the probability of all labels, each before it was seen."""
        return float(self.tally[_LOG_EVIDENCE])

    @property
    def mistakes(self) -> int:
        """How many labels were not the likeliest."""
        return int(self.tally[_MISTAKES])


def start(filters: int, models: int, half_life: float | None = None) -> Mixture:
    """Return the mixture that has seen nothing: the mean of the filters.

    Examples
    --------
    >>> mixture = start(filters=2, models=1)
    >>> odds = np.array([[[2.0]], [[0.0]]])  # of two filters, for one row
    >>> predict(mixture, odds).round(3)
    array([[0.31, 0.69]])
    >>> learn(mixture, odds, np.array([1]), np.array([1])).round(3)
    array([[0.31, 0.69]])
    >>> mixture.shares.round(3)
    array([0.569, 0.431])
    """
    layers, features = (2, 3) if models == 1 else (1, 1)
    slopes = np.zeros((filters, layers, features))
    slopes[:, :, 0] = 1.0
    return Mixture(
        weights=np.full((filters, layers), 1.0 / (filters * layers)),
        slopes=slopes,
        evidence=np.zeros((filters, layers, features, features)),
        tally=np.zeros(3),
        keep=1.0 if half_life is None else float(0.5 ** (1.0 / half_life)),
    )


def learn(
    mixture: Mixture, odds: FloatArray, codes: IntArray, times: IntArray
) -> FloatArray:
    """Predict and learn row by row, in place; return each row's probabilities.

    Parameters
    ----------
    mixture
        Where to begin; it changes.
    odds
        The log-odds that filters gave to rows before they learned them, of the shape
        (filters, rows, models).
    codes
        The class of each row.
    times
        1 for rows to learn, 0 for those to predict only.
    """
    models = odds.shape[2]
    shares = np.empty((odds.shape[1], models if models > 1 else 2))
    _advance(
        odds,
        codes,
        times,
        mixture.keep,
        mixture.weights,
        mixture.slopes,
        mixture.evidence,
        mixture.tally,
        shares,
    )
    return shares


def predict(mixture: Mixture, odds: FloatArray) -> FloatArray:
    """Return the probabilities of each class; nothing is learned."""
    none = np.zeros(odds.shape[1], np.int64)
    return learn(mixture.copy(), np.ascontiguousarray(odds), none, none)


def merge(first: Mixture, second: Mixture) -> Mixture:
    """Return the mixture for filters that are merged.

    What layers and weights have learned is about filters that knew one part of the
    examples each; the merged filter knows more, and is surer by itself. So what both
    said is averaged, each part with its number of examples: the layers' natural
    parameters, and the logarithms of the weights. Sums, which are right for beliefs
    about what does not change, would correct twice. The evidence is that of the
    predictions made, by each part for itself.
    """
    ages = np.array([first.tally[_AGE], second.tally[_AGE]])
    if not ages.all():
        return (first if ages[0] else second).copy()
    parts = list(zip(ages / ages.sum(), (first, second), strict=True))
    size = first.slopes.shape[2]
    prior, mean = _PRECISION * np.eye(size), np.eye(size)[0]
    result = first.copy()
    result.evidence = np.sum([c * part.evidence for c, part in parts], axis=0)
    moved = np.sum(
        [
            c * (prior + part.evidence) @ (part.slopes - mean)[..., None]
            for c, part in parts
        ],
        axis=0,
    )
    steps = np.linalg.solve(prior + result.evidence, moved)
    result.slopes = mean + steps[..., 0]
    weights = np.exp(np.sum([c * np.log(part.weights) for c, part in parts], axis=0))
    result.weights = weights / weights.sum()
    result.tally = first.tally + second.tally
    return result


@inlined
def _softmax(logits: FloatArray, slope: float, p: FloatArray) -> None:
    """Write the probability of each class."""
    top = -math.inf
    for k in range(p.size):
        top = max(top, slope * logits[k])
    total = 0.0
    for k in range(p.size):
        p[k] = math.exp(slope * logits[k] - top)
        total += p[k]
    for k in range(p.size):
        p[k] /= total


@inlined
def _correct(
    logits: FloatArray,
    p: FloatArray,
    code: int,
    fade: float,
    a: FloatArray,
    evidence: FloatArray,
) -> None:
    """Learn one label, eq. (1), in a layer with one weight."""
    mean = told = 0.0
    for k in range(p.size):
        mean += p[k] * logits[k]
    for k in range(p.size):
        told += p[k] * (logits[k] - mean) ** 2
    evidence[0, 0] = fade * evidence[0, 0] + told
    a[0] += (logits[code] - mean) / (_PRECISION + evidence[0, 0])


@inlined
def _correct_bent(
    o: float,
    p: FloatArray,
    code: int,
    fade: float,
    a: FloatArray,
    evidence: FloatArray,
) -> None:
    """Learn one label, eq. (1), in a layer of two classes with three weights.

    With features x of the second class the step is (code - p) x, and what is added
    to the evidence p (1 - p) x x^T. The equations are solved by elimination.
    """
    x = (o, 1.0, abs(o))
    told = p[0] * p[1]
    for i in range(3):
        for j in range(3):
            evidence[i, j] = fade * evidence[i, j] + told * x[i] * x[j]
    slope = p[0] if code == 1 else -p[1]
    first = _PRECISION + evidence[0, 0]
    f1, f2 = evidence[1, 0] / first, evidence[2, 0] / first
    second = _PRECISION + evidence[1, 1] - f1 * evidence[1, 0]
    rest = evidence[2, 1] - f2 * evidence[1, 0]
    g2 = rest / second
    third = _PRECISION + evidence[2, 2] - f2 * evidence[2, 0] - g2 * rest
    r0 = slope * x[0]
    r1 = slope * x[1] - f1 * r0
    r2 = slope * x[2] - f2 * r0 - g2 * r1
    s2 = r2 / third
    s1 = r1 / second - g2 * s2
    a[0] += r0 / first - f1 * s1 - f2 * s2
    a[1] += s1
    a[2] += s2


@kernel(
    types.void,
    _ODDS,
    CODES,
    CODES,
    _f,
    MATRIX,
    _f[:, :, ::1],
    _f[:, :, :, ::1],
    VECTOR,
    MATRIX,
)
def _advance(
    odds: FloatArray,
    codes: IntArray,
    times: IntArray,
    keep: float,
    weights: FloatArray,
    slopes: FloatArray,
    evidence: FloatArray,
    tally: FloatArray,
    shares: FloatArray,
) -> None:
    """Predict each row, and learn those that are presented."""
    filters, layers = weights.shape
    models, classes = odds.shape[2], shares.shape[1]
    logits, p = np.zeros(classes), np.empty(classes)
    for row in range(len(codes)):
        code, learned = codes[row], times[row] > 0
        age = tally[_AGE]
        fade = age / (age + 1.0)
        mixed = shares[row]
        mixed[:] = 0.0
        total = 0.0
        for e in range(filters):
            for k in range(models):  # of two classes the first has the logit 0
                o = min(max(odds[e, row, k], -_FARTHEST), _FARTHEST)
                logits[classes - models + k] = o
            for n in range(layers):
                a, told = slopes[e, n], evidence[e, n]
                if n == 0:
                    _softmax(logits, a[0], p)
                else:
                    s = a[0] * o + a[1] + a[2] * abs(o)
                    small = math.exp(-abs(s))
                    p[0 if s > 0.0 else 1] = small / (1.0 + small)
                    p[1 if s > 0.0 else 0] = 1.0 / (1.0 + small)
                for k in range(classes):
                    mixed[k] += weights[e, n] * p[k]
                if learned:
                    weights[e, n] *= max(p[code], _LEAST)
                    total += weights[e, n]
                    if n == 0:
                        _correct(logits, p, code, fade, a, told)
                    else:
                        _correct_bent(o, p, code, fade, a, told)
        if not learned:
            continue
        share = 1.0 / (age + 2.0)
        for e in range(filters):
            for n in range(layers):
                weights[e, n] *= (1.0 - share) / total
                weights[e, n] += share / (filters * layers)
        tally[_AGE] = keep * age + 1.0
        tally[_LOG_EVIDENCE] += math.log(max(mixed[code], _TINY))
        if mixed.argmax() != code:
            tally[_MISTAKES] += 1.0
