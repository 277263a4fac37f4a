r"""One weight that learns the mean of its targets: the smallest online problem.

All inputs are 1; of four targets three are 1 and one is -1, drawn at random, and the
output is linear. With :math:`e = w - w_*`, :math:`w_* = 1/2`, and the noise
:math:`\xi = y - w_*` of variance :math:`\sigma^2 = 3/4`,

.. math:: e_t = (1 - \eta_t)\, e_{t-1} + \eta_t\, \xi_t, \qquad
    \langle e_t^2 \rangle = (1 - \eta_t)^2 \langle e_{t-1}^2 \rangle
    + \eta_t^2 \sigma^2,   \tag{1}

so that every statement on rates can be compared with exact numbers.
"""

from __future__ import annotations

import functools

import numpy as np

from rosenblatt.core import Clock, Schedule
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.seung2002.problems import drawn_order, follow
from rosenblatt.rules import Delta, Linear

__all__ = ["BEST", "INPUTS", "NOISE", "TARGETS", "distances", "exact"]

BEST = 0.5  # the minimum, w_*
NOISE = 0.75  # sigma^2
TARGETS = np.array([1.0, 1.0, 1.0, -1.0])
INPUTS = np.ones((4, 1))


@functools.lru_cache(maxsize=32)
def distances(schedule: Schedule, times: tuple[int, ...], replicas: int) -> FloatArray:
    """Return e after each of these numbers of examples, one row per replica."""
    when, rule, start = np.array(times), Delta(Linear()), np.zeros(1)
    paths = [
        follow(
            rule,
            schedule,
            INPUTS,
            TARGETS,
            start,
            drawn_order(len(TARGETS), times[-1], replica),
            when,
        )
        for replica in range(replicas)
    ]
    return np.array(paths)[:, :, 0] - BEST


def exact(
    schedule: Schedule, times: IntArray, *, sign: float = -1.0
) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the mean square of e by eq. (1), at these times.

    With ``sign=+1`` the weight climbs, as the lecture's section 6 prints.
    """
    rate = schedule.bind()
    mean, square, means, squares = -BEST, BEST**2, [], []
    for t in range(1, int(times[-1]) + 1):
        eta = -sign * rate(Clock(float(t), float(t), 1.0))
        mean *= 1 - eta
        square = (1 - eta) ** 2 * square + eta**2 * NOISE
        means.append(mean)
        squares.append(square)
    at = np.asarray(times) - 1
    return np.array(means)[at], np.array(squares)[at]
