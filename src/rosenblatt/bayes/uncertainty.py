r"""Variance of weights, with the uncertainty of slope and noise.

A belief was computed with the slope and the noise that were known when the
standardisation last changed. Both were estimated (:mod:`rosenblatt.bayes.label_law`),
and an error of the slope multiplies all weights of a model. So the variance of weight i
becomes

.. math:: V_{ii} + m_i^2 \max(s^2 - 1 / m^T V^{-1} m,\; 0), \qquad
    s^2 = \max\big(\mathrm{Var}\, a,\; (a - 1)^2\big).   \tag{1}

Var a is the variance of the slope at that change, with the noise unknown: the delta
method. The belief's own relative variance of the length of m,
:math:`1 / m^T V^{-1} m`, is taken off, since it is about the same labels. The slope
a was found since the change, and weights do not have it yet.

The statistics count example s of t as s / t. Their information at the last change is
computed from that of today, as if all labels were equally informative.

The direction :math:`r = m / |m|` does not depend on the length. To first order its
covariance is

.. math:: C = f\, P V P / |m|^2, \qquad P = 1 - r r^T, \qquad
    f = \max\Big(1,\; \frac{\mathrm{tr}\, P V^{-1} P}{(N - 1)\, n\, I}\Big).   \tag{2}

A belief that has learned its first labels with too small a noise is too certain. The
factor f undoes that: n labels cannot tell more than their information, and each tells

.. math:: I = \Big\langle \frac{(1 - 2k)^2 \phi(u)^2}{z (1 - z)} \Big\rangle, \qquad
    z = k + (1 - 2k)\, \Phi(u)   \tag{3}

about a weight across the direction, for inputs of variance 1 and fields u that are
normal with variance :math:`|m|^2`, at the estimated noise k.

An interval also allows for the first estimates. At the start, the noise is 1/20 and the
length of the weights is that of their prior, :math:`\ell_0`. For an interval, the
logarithm of the length has the variance of eq. (1) with

.. math:: s^2 = \max\Big((1 - \rho)\, \mathrm{Var}\, a
    + \rho^2 \ln^2 \frac{|m|}{\ell_0},\; (a - 1)^2\Big)
    + \ln^2\Big(1 + (f - 1) \big(1 - \frac{\ell_1}{|m|}\big)\Big).   \tag{4}

Scoring leaves the part :math:`\rho = \Lambda_0\, \mathrm{Var}\, a` of an error at the
start. In Var a this error has the variance :math:`1 / \Lambda_0`; here it is the one
that was made. The excess f - 1 of the precision comes from labels that were learned
with too small a noise. By these the length is :math:`\ell_1`, the likeliest one if the
noise is 1/20. The mean m is between the lengths, weighted by precision.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from rosenblatt.bayes.filter import Filter
from rosenblatt.bayes.label_law import (
    COUNT,
    NOISE,
    OPEN,
    SLOPE,
    blank,
    labels_used,
    slope_variance,
)
from rosenblatt.bayes.standardisation import next_change
from rosenblatt.core.types import FloatArray

_FIELDS = np.linspace(-8.0, 8.0, 1001)  # in standard deviations
_DENSITY = np.exp(-0.5 * _FIELDS**2)
_TINY = 1e-300  # instead of 0
_FIRST = blank(1, "auto")  # statistics before any label
_FACTOR, _HALVINGS = 5.0, 40  # logarithm of the largest ratio of lengths; bisections


def _information_ratio(clock: int, changed: int) -> float:
    """Return the information just before the last change, relative to that now."""
    before, after, time = 0.0, 0.0, 0
    while time < changed:
        until = min(next_change(time), changed)
        before = after + labels_used(until) - labels_used(time)
        after, time = before * time / until, until
    now = after + labels_used(clock) - labels_used(changed)
    return before / now if now > 0.0 else 1.0


def _slope_variance(filter: Filter) -> float:
    """Return the variance of the slope at the last change."""
    changed = filter.last_change
    if filter.input_half_life is not None:  # not all changes use the slope
        used, following = 0, next_change(0)
        while following <= changed:
            used, following = following, next_change(following)
        changed = used
    times = _information_ratio(filter.clock, changed)
    return slope_variance(filter.statistics, times)


def length_variance(filter: Filter) -> FloatArray:
    """Return the factor of the squared mean in eq. (1), for each model.

    Examples
    --------
    >>> from rosenblatt.bayes import learn, start
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((2000, 2))
    >>> y = X[:, 0] + rng.standard_normal(2000) > 0
    >>> unknown = start(2, label_variance=1.0, noise="auto", standardised=True)
    >>> length_variance(learn(unknown, X, y)).round(3)
    array([0.008])
    """
    if not filter.last_change:  # no slope was taken in
        return np.zeros(len(filter.mean))
    slope = float(filter.statistics[0, SLOPE])
    unknown = max(_slope_variance(filter), (slope - 1.0) ** 2)
    return np.maximum(unknown - _own_variance(filter), 0.0)


def _own_variance(filter: Filter) -> FloatArray:
    """Return the belief's relative variance of the length, for each model."""
    mean = filter.mean
    known = (mean * filter.kind.solve(filter.belief, mean)).sum(axis=1)
    own = np.full(len(mean), np.inf)
    np.divide(1.0, known, out=own, where=known > 0.0)
    return own


def log_length_variance(filter: Filter) -> FloatArray:
    """Return the variance of the logarithm of each model's length, for intervals.

    It is eq. (4) for two classes and an estimated noise, and else eq. (1).

    Examples
    --------
    >>> from rosenblatt.bayes import learn, start
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((2000, 2))
    >>> y = (X[:, 0] + rng.standard_normal(2000) > 0) ^ (rng.random(2000) < 0.2)
    >>> unknown = start(2, label_variance=1.0, noise="auto", standardised=True)
    >>> log_length_variance(learn(unknown, X, y)).round(2)
    array([0.2])
    """
    mean = filter.mean[0, : filter.center.size]
    length, unit = float(np.linalg.norm(mean)), math.sqrt(filter.label_variance)
    estimated = filter.last_change > 0 and filter.statistics[0, OPEN] > 0.0
    if len(filter.mean) > 1 or not estimated or min(length, unit) == 0.0:
        return length_variance(filter)
    variance, slope = _slope_variance(filter), float(filter.statistics[0, SLOPE])
    left = min(variance / slope_variance(_FIRST, 1.0), 1.0)
    first = math.log(length / math.sqrt(mean.size * filter.prior))
    short = 1.0 - _likeliest_length(filter, length / unit) * unit / length
    early = math.log1p(max((_excess(filter, 0) - 1.0) * short, 0.0))
    start = (1.0 - left) * variance + (left * first) ** 2
    unknown = max(start, (slope - 1.0) ** 2) + early**2
    return np.maximum(unknown - _own_variance(filter), 0.0)


def _likeliest_length(filter: Filter, length: float) -> float:
    """Return the most likely length for the label noise of an empty filter.

    Fields are normal, and the labels have the estimated noise and the given length. The
    expected derivative of the logarithm of eq. (1) of the label law vanishes there.
    """
    noise, first = float(filter.statistics[0, NOISE]), float(_FIRST[0, NOISE])
    right = noise + (1.0 - 2.0 * noise) * ndtr(length * _FIELDS)
    low, high = math.log(length) - _FACTOR, math.log(length) + _FACTOR
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        u = math.exp(middle) * _FIELDS
        z = first + (1.0 - 2.0 * first) * ndtr(u)
        slope = _DENSITY * np.exp(-0.5 * u * u) * u
        score = slope @ (right / z - (1.0 - right) / (1.0 - z))
        low, high = (middle, high) if score > 0.0 else (low, middle)
    return math.exp(0.5 * (low + high))


def _most_known(filter: Filter, length: float) -> float:
    """Return n I of eq. (3), the most information of all labels about a weight."""
    count, noise = filter.statistics[0, [COUNT, NOISE]]
    u = length / math.sqrt(filter.label_variance) * _FIELDS
    z = noise + (1.0 - 2.0 * noise) * ndtr(u)
    slope = (1.0 - 2.0 * noise) * np.exp(-0.5 * u * u)
    information = slope * slope / (2.0 * np.pi * np.maximum(z * (1.0 - z), _TINY))
    return float(
        count / filter.label_variance * (information @ _DENSITY) / _DENSITY.sum()
    )


def direction(filter: Filter) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of each model's direction, eq. (2), without intercept.

    With several classes f is 1: eq. (3) is about the law of two.

    Examples
    --------
    >>> from rosenblatt.bayes import learn, start
    >>> X = np.random.default_rng(0).standard_normal((2000, 2))
    >>> known = learn(start(2, label_variance=1.0, standardised=True), X, X[:, 0] > 0)
    >>> mean, variance = direction(known)
    >>> np.abs(mean).round(2), bool((variance < 0.01).all())
    (array([[1., 0.]]), True)
    """
    columns = filter.center.size  # an intercept comes after them
    kind, variances = filter.kind, filter.variances
    mean = filter.mean[:, :columns]
    toward, variance = np.zeros(mean.shape), np.ones(mean.shape)
    for k, m in enumerate(mean):
        length = float(np.linalg.norm(m))
        if length == 0.0:
            continue
        r = toward[k] = m / length
        own = variances[k, :columns]
        across = kind.times(kind.marginal(filter.belief[k : k + 1], columns), r)[0]
        spread = own - 2.0 * r * across + r * r * (r @ across)
        # no weight of length 1 has a larger variance than 1
        variance[k] = np.clip(_excess(filter, k) * spread / length**2, 0.0, 1.0)
    return toward, variance


def _excess(filter: Filter, k: int) -> float:
    """Return f of eq. (2) for a model."""
    columns = filter.center.size
    if len(filter.mean) > 1 or columns == 1 or filter.label_variance == 0.0:
        return 1.0
    m = filter.mean[k, :columns]
    length = float(np.linalg.norm(m))
    r = m / length
    belief = filter.kind.marginal(filter.belief[k : k + 1], columns)
    total = filter.kind.precisions(belief, columns).sum()
    total -= r @ filter.kind.solve(belief, r)[0]
    most = _most_known(filter, length)
    return max(1.0, float(total) / (columns - 1) / max(most, _TINY))


def weight_law(filter: Filter) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean and deviation of each weight, and s of its length.

    They are for inputs in their own units; see
    :mod:`rosenblatt.numerics.special`, eq. (4).
    """
    inverse = filter.inverse_scale
    unknown = np.sqrt(log_length_variance(filter))[:, None]
    deviation = np.sqrt(filter.variances[:, :-1]) * inverse
    mean = filter.mean[:, :-1] * inverse
    return mean, deviation, np.broadcast_to(unknown, mean.shape)


def own_weights(filter: Filter) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of each weight, for inputs in their own units."""
    inverse = filter.inverse_scale
    mean = filter.mean[:, :-1] * inverse
    unknown = length_variance(filter)[:, None]
    return mean, filter.variances[:, :-1] * inverse**2 + unknown * mean**2


def own_intercepts(filter: Filter) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of each model's field where all inputs are 0."""
    origin = np.append(-filter.center * filter.inverse_scale, 1.0)
    mean = filter.mean @ origin
    return mean, filter.field_variance(origin) + length_variance(filter) * mean**2
