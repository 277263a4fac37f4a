r"""Binary weights given all examples at once: approximate message passing.

The means :math:`m_i` of weights -1 and +1 obey the equations that
:cite:t:`winther1997`, eqs. (10)-(11), follow for one example at a time, with all
examples together. With :math:`F` and :math:`u` of
:mod:`rosenblatt.numerics.evidence`,

.. math::
    V_\mu = \sum_i x_{\mu i}^2 (1 - m_i^2) + \sigma^2, \qquad
    \omega_\mu = m \cdot x_\mu - V_\mu g_\mu, \qquad
    u_\mu = y_\mu \omega_\mu / \sqrt{V_\mu},

.. math::
    g_\mu = \frac{y_\mu F(u_\mu)}{\sqrt{V_\mu}}, \qquad
    m_i = \tanh\Big[\sum_\mu x_{\mu i}\, g_\mu
        + m_i \sum_\mu x_{\mu i}^2 \frac{F (u + F)}{V_\mu}\Big],   \tag{1}

iterated in this order from :math:`m = g = 0`. The probability of the labels follows
from the free energy, whose stationary points these are,

.. math::
    \log p(\text{labels}) = \sum_\mu \left[\log p(y_\mu|u_\mu)
        + \tfrac12 V_\mu g_\mu^2\right] + \sum_i [S(m_i) - \log 2],   \tag{2}

:math:`S` being a weight's entropy. A field's variance is kept above a share of the mean
of :math:`x_{\mu i}^2`, the scale of what one weight changes. Below, the field is not
Gaussian any more, and an example would say too much or nothing. A few sweeps without
damping are enough for many weights and independent inputs. Where that fails it starts
again, with a larger share and with damping.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import entr

from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.evidence import chance

__all__ = ["BinaryWeights", "binary_weights"]

# Part of the way that sweeps go, and smallest variance of a field over the mean squared
# input, to be tried in turn. A tenth finds teachers most often without noise (of 0.02
# to 1, at N = 12 to 400), 1 comes to rest more often with it.
_STAGES = ((1.0, 0.1), (1.0, 1.0), (0.5, 0.1), (0.5, 1.0))
_DOUBT = -1e3  # standard deviations, below which no label is believed any less
_TINY = 1e-20  # variance of a field that is certain


class BinaryWeights(NamedTuple):
    """Means of the weights, the examples' probability, and how they were found."""

    mean: FloatArray
    log_evidence: float
    sweeps: int
    change: float  # of any mean in the last sweep


def binary_weights(
    X: FloatArray,
    labels: FloatArray,
    *,
    noise: float,
    deviation: float,
    damping: float,
    tolerance: float,
    max_sweeps: int,
) -> BinaryWeights:
    """Return a fixed point of eq. (1), or the last iterate if none is found.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X, teacher = rng.standard_normal((750, 300)), rng.choice([-1, 1], 300)
    >>> found = binary_weights(
    ...     X, np.sign(X @ teacher), noise=0.0, deviation=0.0,
    ...     damping=0.0, tolerance=1e-6, max_sweeps=500)
    >>> bool(np.all(np.sign(found.mean) == teacher))
    True
    """
    squares = X**2
    sweeps = 0
    for number, (part, share) in enumerate(_STAGES, start=1):
        least = share * squares.mean(axis=1)
        mean, change = np.zeros(X.shape[1]), math.inf
        force, stiffness = np.zeros(len(X)), np.zeros(len(X))
        while change > tolerance and sweeps * len(_STAGES) < number * max_sweeps:
            spread = np.maximum(squares @ (1 - mean**2), least) + deviation**2
            scale = np.sqrt(spread)
            u = labels * (X @ mean - spread * force) / scale
            seen = chance(np.maximum(u, _DOUBT), noise)
            step = part * (1 - damping)
            force += step * (labels * seen.pull / scale - force)
            stiffness += step * ((1 - seen.left) / spread - stiffness)
            new = np.tanh(force @ X + mean * (stiffness @ squares))  # eq. (1)
            change = float(np.abs(new - mean).max())
            mean += step * (new - mean)
            sweeps += 1
        if change <= tolerance:
            break
    spread = squares @ (1 - mean**2) + deviation**2
    field = X @ mean - spread * force
    logs = chance(labels * field / np.sqrt(np.maximum(spread, _TINY)), noise).log
    entropy = entr((1 + mean) / 2) + entr((1 - mean) / 2) - math.log(2)
    evidence = np.sum(logs + 0.5 * spread * force**2) + np.sum(entropy)  # eq. (2)
    return BinaryWeights(mean, float(evidence), sweeps, change)
