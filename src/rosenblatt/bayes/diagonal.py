r"""The belief with a variance for each weight, and no correlations.

With slope g and curvature c of the label,

.. math:: m_i \leftarrow m_i + v_i z_i\, g, \qquad
    v_i \leftarrow v_i - c\, v_i^2 z_i^2.   \tag{1}

Of a likelihood it keeps the diagonal.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rosenblatt.bayes import belief as beliefs
from rosenblatt.bayes.layout import PRIOR, arrays_at
from rosenblatt.compiling import kernel
from rosenblatt.core.types import FloatArray, IntArray


@kernel()
def _predict(place: int, row: int) -> None:
    f = arrays_at(place)
    at = row * f.weights
    for k in range(f.models):
        h, a, own = 0.0, 0.0, k * f.weights
        for i in range(f.weights):
            z = f.rows[at + i]
            h += f.mean[own + i] * z
            a += f.belief[own + i] * z * z
        f.label[k], f.label[f.models + k] = h, a


@kernel()
def _learn(place: int, row: int) -> None:
    """Learn eq. (1)."""
    f = arrays_at(place)
    at = row * f.weights
    for k in range(f.models):
        own, slope = k * f.weights, f.label[2 * f.models + k]
        curvature = f.label[3 * f.models + k]
        for i in range(f.weights):
            step = f.belief[own + i] * f.rows[at + i]
            f.mean[own + i] += slope * step
            f.belief[own + i] -= curvature * step * step
    beliefs.drift(f, f.models * f.weights)


@kernel()
def _rescale(place: int, slope: float) -> None:
    f = arrays_at(place)
    n, weights, own = f.features, f.weights, 1.0 / f.numbers[PRIOR]
    for k in range(f.models):
        at, moved = k * weights, 0.0
        for i in range(n):
            ratio, inverse = f.ratios[i], 1.0 / max(f.belief[at + i], beliefs.LEAST)
            precision = max(inverse - own, 0.0) * ratio * ratio
            variance = 1.0 / (precision + own)
            f.mean[at + i] *= ratio * inverse * variance
            if ratio > 0.0:
                moved += f.mean[at + i] * f.shifts[i]
            f.belief[at + i] = variance
        for i in range(at + n, at + weights):  # the intercept, if there is one
            f.mean[i] += moved
            inverse = 1.0 / max(f.belief[i], beliefs.LEAST)
            f.belief[i] = 1.0 / (max(inverse - own, 0.0) + own)
        for i in range(at, at + weights):
            f.mean[i] *= slope


class Diagonal(beliefs.Belief):
    """A variance for each weight."""

    name = "diagonal"
    sparse: ClassVar = True

    def shape(self, weights: int) -> tuple[int, ...]:
        """Return the shape of a model's belief."""
        return (weights,)

    def prior(self, models: int, weights: int, variance: float) -> FloatArray:
        """Return the belief before any example."""
        return np.full((models, weights), variance)

    def routines(self, models: int, weights: int) -> beliefs.Routines:
        """Return the routines that learn."""
        return beliefs.Routines(_predict, _learn, _rescale)

    def variances(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the variance of each weight."""
        return belief

    def marginal(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the belief about the first weights."""
        return belief[:, :weights]

    def grown(
        self, belief: FloatArray, old: IntArray, weights: int, prior: float
    ) -> FloatArray:
        """Return the belief about more weights; ``old`` are the places of the known."""
        found = self.prior(len(belief), weights, prior)
        found[:, old] = belief
        return found

    def likelihood(
        self,
        mean: FloatArray,
        belief: FloatArray,
        prior: float,
        shifts: FloatArray,
        ratios: FloatArray,
    ) -> beliefs.Likelihood:
        """Return the likelihood in a new standardisation, from a belief in an old one.

        It keeps the weights that give the same field, and of A the diagonal.
        """
        own, features, weights = 1.0 / prior, ratios.size, mean.shape[1]
        ratio = np.append(ratios, np.ones(weights - features))
        precision = np.maximum(1.0 / belief - own, 0.0) * ratio * ratio
        center = ratio * mean / belief / (precision + own)
        moved = center[:, :features] @ shifts
        for intercept in range(features, weights):
            precision[:, intercept] = np.maximum(1.0 / belief[:, intercept] - own, 0.0)
            center[:, intercept] = mean[:, intercept] + moved
        return beliefs.Likelihood(center * (precision + own), precision)

    def posterior(
        self, found: beliefs.Likelihood, prior: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return mean and belief: the prior times a likelihood."""
        belief = 1.0 / (found.precision + 1.0 / prior)
        return found.shift * belief, belief
