r"""The belief with one variance for all weights.

With slope g and curvature c of the label, for N weights,

.. math:: m \leftarrow m + s\, z\, g, \qquad s \leftarrow s - c\, s^2 |z|^2 / N.
    \tag{1}

This is :cite:t:`winther1997`, eq. (9), with a variance that is learned instead of fixed
by the length of the weights. Of a likelihood it keeps the trace.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rosenblatt.bayes import belief as beliefs
from rosenblatt.bayes.diagonal import Diagonal
from rosenblatt.bayes.layout import PRIOR, arrays_at
from rosenblatt.compiling import kernel
from rosenblatt.core.types import FloatArray, IntArray


@kernel()
def _predict(place: int, row: int) -> None:
    f = arrays_at(place)
    at = row * f.weights
    for k in range(f.models):
        h, square, own = 0.0, 0.0, k * f.weights
        for i in range(f.weights):
            z = f.rows[at + i]
            h += f.mean[own + i] * z
            square += z * z
        f.label[k], f.label[f.models + k] = h, f.belief[k] * square


@kernel()
def _learn(place: int, row: int) -> None:
    """Learn eq. (1)."""
    f = arrays_at(place)
    at = row * f.weights
    for k in range(f.models):
        a, v, own = f.label[f.models + k], f.belief[k], k * f.weights
        gain = f.label[2 * f.models + k] * v
        f.belief[k] = v - f.label[3 * f.models + k] * v * a / f.weights
        for i in range(f.weights):
            f.mean[own + i] += gain * f.rows[at + i]
    beliefs.drift(f, f.models)


@kernel()
def _rescale(place: int, slope: float) -> None:
    f = arrays_at(place)
    n, weights, own = f.features, f.weights, 1.0 / f.numbers[PRIOR]
    for k in range(f.models):
        at, inverse = k * weights, 1.0 / max(f.belief[k], beliefs.LEAST)
        moved, number = 0.0, float(weights - n)
        total = (weights - n) * max(inverse - own, 0.0)
        for i in range(n):
            ratio = f.ratios[i]
            precision = max(inverse - own, 0.0) * ratio * ratio
            total += precision
            f.mean[at + i] *= ratio * inverse / (precision + own)
            if ratio > 0.0:
                moved += f.mean[at + i] * f.shifts[i]
                number += 1.0
        for i in range(n, weights):  # the intercept, if there is one
            f.mean[at + i] += moved
        for i in range(weights):
            f.mean[at + i] *= slope
        f.belief[k] = 1.0 / (total / max(number, 1.0) + own)  # at first there are none


class Spherical(beliefs.Belief):
    """One variance for all weights of a model."""

    name = "spherical"
    grows: ClassVar = False  # rows with more columns would have told something else
    _each: ClassVar = Diagonal()

    def shape(self, weights: int) -> tuple[int, ...]:
        """Return the shape of a model's belief."""
        return ()

    def prior(self, models: int, weights: int, variance: float) -> FloatArray:
        """Return the belief before any example."""
        return np.full(models, variance)

    def routines(self, models: int, weights: int) -> beliefs.Routines:
        """Return the routines that learn."""
        return beliefs.Routines(_predict, _learn, _rescale)

    def variances(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the variance of each weight."""
        return np.repeat(belief[:, None], weights, axis=1)

    def marginal(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the belief about the first weights."""
        return belief

    def grown(
        self, belief: FloatArray, old: IntArray, weights: int, prior: float
    ) -> FloatArray:
        """Raise an error: a spherical belief cannot grow."""
        raise NotImplementedError

    def likelihood(
        self,
        mean: FloatArray,
        belief: FloatArray,
        prior: float,
        shifts: FloatArray,
        ratios: FloatArray,
    ) -> beliefs.Likelihood:
        """Return the likelihood in a new standardisation, from a belief in an old one.

        Its precision is the mean of those of the weights of which something is known.
        """
        own, weights = 1.0 / prior, mean.shape[1]
        variances = self.variances(belief, weights)
        shift, precision = self._each.likelihood(mean, variances, prior, shifts, ratios)
        number = max(np.count_nonzero(ratios) + weights - ratios.size, 1)
        total = precision.sum(axis=1) / number
        return beliefs.Likelihood(
            shift / (precision + own) * (total + own)[:, None], total
        )

    def posterior(
        self, found: beliefs.Likelihood, prior: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return mean and belief: the prior times a likelihood."""
        belief = 1.0 / (found.precision + 1.0 / prior)
        return found.shift * belief[:, None], belief
