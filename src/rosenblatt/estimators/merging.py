"""What two binary learners know together."""

from __future__ import annotations

import numpy as np

from rosenblatt.engines.binary_dataset import DOUBT, INTERCEPT, BinaryLearner

__all__ = ["merged"]

_LEAST = 0.1  # precision of an intercept, in those of its prior


def merged(a: BinaryLearner, b: BinaryLearner) -> BinaryLearner:
    """Return the sum of what both have learned, the prior counted once.

    Natural parameters add up: ``artanh`` of the mean of a binary weight, precision and
    precision times mean of the Gaussian intercept. So do the moments of the features.
    """
    state = a.state + b.state
    mean = np.tanh(state)
    e = np.exp(-2.0 * np.minimum(np.abs(state), 350.0))
    count_a, count_b = float(a.examples), float(b.examples)
    total = max(count_a + count_b, 1.0)
    apart = b.center - a.center
    between = apart * np.sqrt(count_a * (count_b / total))
    numbers = a.numbers + b.numbers
    if (a.numbers[:, DOUBT] > 0.0).all():  # there are intercepts, whose variance is so
        sure = [1.0 / part.numbers[:, DOUBT] for part in (a, b)]
        pulls = [
            s * part.numbers[:, INTERCEPT] for s, part in zip(sure, (a, b), strict=True)
        ]
        precision = np.maximum(sum(sure) - 1.0, _LEAST)
        numbers[:, INTERCEPT] = sum(pulls) / precision
        numbers[:, DOUBT] = 1.0 / precision
    return BinaryLearner(
        state,
        mean,
        4.0 * e / (1.0 + e) ** 2,
        a.center + apart * (count_b / total),
        np.hypot(np.hypot(a.spread, b.spread), between),
        numbers,
    )
