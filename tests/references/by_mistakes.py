r"""Runs of the linear case, drawn mistake by mistake instead of example by example.

Between two mistakes W does not change. The number of examples up to the next one is
geometric, with the exact error of W. A class is then drawn in proportion to its part of
the error, and an example of it with the field on the wrong side. The example is a
normal variable beyond a threshold along W, and a free one across W. The law is that of
the examples. No code is shared with :func:`rosenblatt.simulate_classes`.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from rosenblatt.core.types import FloatArray
from rosenblatt.papers.bhattacharya1995.problems import SEED, Problem
from rosenblatt.schedules import PerMistake, Power

__all__ = ["errors_by_mistakes"]


def errors_by_mistakes(
    problem: Problem, gain: Power | PerMistake, examples: int, replicas: int
) -> FloatArray:
    """Return exact errors after so many examples, in replicas of their own.

    Parameters
    ----------
    problem
        One of the linear case.
    gain
        One of eqs. (7) to (10).
    examples, replicas
        Numbers of examples and of replicas.
    """
    rng = np.random.default_rng([SEED, examples])
    means = np.array(problem.stream.means)
    sigma = float(np.sqrt(problem.stream.covariances[0][0][0]))
    W = np.tile(np.array(problem.start), (replicas, 1))
    time, mistakes = np.zeros(replicas), np.zeros(replicas)
    errors, running = np.zeros(replicas), np.arange(replicas)
    while running.size:
        w = W[running]
        length = np.hypot(w[:, 0], w[:, 1])
        # fields in units of their spread, positive on the wrong side
        wrong = (w[:, :2] @ means.T - w[:, 2:]) / (sigma * length[:, None]) * (1, -1)
        chances = ndtr(wrong)
        error = chances.mean(axis=1)
        time[running] += rng.geometric(np.maximum(error, 1e-300))
        late = time[running] > examples
        errors[running[late]] = error[late]
        running, w, length = running[~late], w[~late], length[~late]
        wrong, chances = wrong[~late], chances[~late]
        both = chances.sum(axis=1)
        kind = (rng.random(running.size) * both > chances[:, 0]).astype(np.int64)
        pick = np.arange(running.size), kind
        side = np.where(kind == 0, 1.0, -1.0)
        # above the threshold, in the upper tail
        tail = chances[pick] * (1 - rng.random(running.size))
        along = -ndtri(tail) * side
        across = rng.standard_normal(running.size)
        u, v = w[:, 0] / length, w[:, 1] / length
        x = means[kind] + sigma * np.column_stack(
            [along * u - across * v, along * v + across * u]
        )
        mistakes[running] += 1
        clock = mistakes if isinstance(gain, PerMistake) else time
        rate = gain.scale * clock[running] ** -gain.exponent
        step = rate * -side  # class 0 is taken off, class 1 added
        W[running, :2] += step[:, None] * x
        W[running, 2] -= step
    return errors
