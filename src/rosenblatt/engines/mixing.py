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

from dataclasses import dataclass, replace

import numpy as np

from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.mixing_rows import (
    AGE,
    LOG_EVIDENCE,
    MISTAKES,
    PRECISION,
    advance,
)

__all__ = ["Mixture", "learn", "merge", "predict", "start"]


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
        return float(self.tally[LOG_EVIDENCE])

    @property
    def mistakes(self) -> int:
        """How many labels were not the likeliest."""
        return int(self.tally[MISTAKES])


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
    advance(
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
    ages = np.array([first.tally[AGE], second.tally[AGE]])
    if not ages.all():
        return (first if ages[0] else second).copy()
    parts = list(zip(ages / ages.sum(), (first, second), strict=True))
    size = first.slopes.shape[2]
    prior, mean = PRECISION * np.eye(size), np.eye(size)[0]
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
