r"""Evidence of one label of several classes for a Bayesian learner.

Each class has a field of its own, believed to be :math:`\mathcal N(h_c, a_c)`, and the
largest, blurred, is the label. A blur that is logistic makes it

.. math::
    P_c = \frac{e^{\ell_c}}{\sum_d e^{\ell_d}}, \qquad
    \ell_c = r_c h_c, \qquad r_c = \frac{1}{\sqrt{w + \pi a_c / 8}},   \tag{1}

where r takes account of the uncertainty (MacKay, 1992), and :math:`w = 1` is the
logistic law itself. With probability :math:`k` a label is one of the :math:`K - 1`
wrong ones, so that a label y has

.. math::
    Z = k' + (1 - k - k') P_y, \qquad k' = \frac{k}{K - 1}.   \tag{2}

With r held fixed, the belief about each field moves along

.. math::
    \partial_{h_c} \ln Z = t\, r_c\, (\delta_{cy} - P_c), \qquad
    -\partial^2_{h_c} \ln Z \approx t\, r_c^2\, P_c (1 - P_c), \qquad
    t = 1 - \frac{k'}{Z},   \tag{3}

where the approximation, exact for :math:`k = 0`, is never negative.
"""

from __future__ import annotations

import math

from rosenblatt.compiling.jit import inlined
from rosenblatt.core.types import FloatArray

__all__ = ["certainty", "class_chances", "class_evidence"]


@inlined
def certainty(variance: float, label_variance: float) -> float:
    """Return r of eq. (1); 0 where nothing is known of a step."""
    blurred = label_variance + 0.125 * math.pi * variance
    return 1.0 / math.sqrt(blurred) if blurred > 0.0 else 0.0


@inlined
def class_chances(
    fields: FloatArray,
    variances: FloatArray,
    label_variance: float,
    noise: float,
    chances: FloatArray,
) -> None:
    """Write the probability of each class, eq. (1), and with noise that of eq. (2).

    ``chances`` has two rows: without and with noise.
    """
    count = fields.size
    top = -math.inf
    for c in range(count):
        chances[0, c] = certainty(variances[c], label_variance) * fields[c]
        top = max(top, chances[0, c])
    total = 0.0
    for c in range(count):
        chances[0, c] = math.exp(chances[0, c] - top)
        total += chances[0, c]
    other = noise / (count - 1.0)
    for c in range(count):
        chances[0, c] /= total
        chances[1, c] = other + (1.0 - noise - other) * chances[0, c]


@inlined
def class_evidence(
    variances: FloatArray,
    label_variance: float,
    code: int,
    noise: float,
    chances: FloatArray,
    slopes: FloatArray,
    curvatures: FloatArray,
) -> None:
    """Write eq. (3) for each class.

    Examples
    --------
    >>> import numpy as np
    >>> chances, slopes, curvatures = np.zeros((2, 3)), np.zeros(3), np.zeros(3)
    >>> class_chances(np.zeros(3), np.zeros(3), 1.0, 0.0, chances)
    >>> class_evidence(np.zeros(3), 1.0, 0, 0.0, chances, slopes, curvatures)
    >>> slopes.round(3), curvatures.round(3)
    (array([ 0.667, -0.333, -0.333]), array([0.222, 0.222, 0.222]))
    """
    other = noise / (slopes.size - 1.0)
    # a class that cannot be has the smallest probability there is
    z = max(chances[1, code], 2.2e-308)
    t = 1.0 - other / z
    for c in range(slopes.size):
        r = certainty(variances[c], label_variance)
        p = chances[0, c]
        slopes[c] = t * r * ((1.0 if c == code else 0.0) - p)
        curvatures[c] = t * r * r * p * (1.0 - p)
