r"""Variance of weights, with what is unknown about the slope and the noise.

A belief holds for the slope and the noise that went into it when the standardisation
last changed. Both were estimated (:mod:`rosenblatt.filters.label_law`), and an error of
the slope multiplies all weights of a model. So the variance of weight i becomes

.. math:: V_{ii} + m_i^2 \max(s^2 - 1 / m^T V^{-1} m,\; 0), \qquad
    s^2 = \max\big(\mathrm{Var}\, a,\; (a - 1)^2\big).   \tag{1}

Var a is the variance of the slope at that change, with the noise unknown: the delta
method. The belief's own relative variance of the length of m,
:math:`1 / m^T V^{-1} m`, is taken off, since it is about the same labels. The slope
a was found since the change, and weights do not have it yet.

The statistics count example s of t as s / t. Their information at the last change is
found from that now, as if each label told as much.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.core.types import FloatArray
from rosenblatt.filters.label_law import SLOPE, labels_used, slope_variance
from rosenblatt.filters.standardisation import next_change
from rosenblatt.filters.state import Filter

__all__ = ["length_variance"]


def _information_ratio(clock: int, changed: int) -> float:
    """Return the information just before the last change, relative to that now."""
    before, after, time = 0.0, 0.0, 0
    while time < changed:
        until = min(next_change(time), changed)
        before = after + labels_used(until) - labels_used(time)
        after, time = before * time / until, until
    now = after + labels_used(clock) - labels_used(changed)
    return before / now if now > 0.0 else 1.0


def length_variance(filter: Filter) -> FloatArray:
    """Return the factor of the squared mean in eq. (1), for each model.

    Examples
    --------
    >>> from rosenblatt.filters import learn, start
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((2000, 2))
    >>> y = X[:, 0] + rng.standard_normal(2000) > 0
    >>> unknown = start(2, width=1.0, noise="auto", standardised=True)
    >>> length_variance(learn(unknown, X, y)).round(3)
    array([0.008])
    """
    mean, belief = filter.mean, filter.belief
    if not filter.last_change:  # no slope was taken in
        return np.zeros(len(mean))
    if belief.ndim == 3:
        known = (mean * np.linalg.solve(belief, mean[:, :, None])[:, :, 0]).sum(axis=1)
    else:
        known = (mean * mean / filter.variances).sum(axis=1)
    times = 1.0
    if filter.half_life is None:  # else older labels are forgotten a little at a time
        times = _information_ratio(filter.clock, filter.last_change)
    slope = float(filter.statistics[0, SLOPE])
    unknown = max(slope_variance(filter.statistics, times), (slope - 1.0) ** 2)
    own = np.full(len(mean), np.inf)
    np.divide(1.0, known, out=own, where=known > 0.0)
    return np.maximum(unknown - own, 0.0)
