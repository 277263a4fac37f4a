"""Learners of winther1997 in plain NumPy, in the paper's units, without our code."""

import math

import numpy as np
from scipy.special import erfcx, ndtr

__all__ = ["binary"]


def gain(u, noise):
    """Return F and F (u + F), the first two derivatives of the log of eq. (7)."""
    if noise == 0:
        f = math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2))
    else:
        density = np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)
        f = (1 - 2 * noise) * density / (noise + (1 - 2 * noise) * ndtr(u))
    # Far below zero F is -u - 1/u, of which the sum keeps no digit.
    with np.errstate(over="ignore"):
        return f, np.where((u < -1e4) & (noise == 0), 1.0, f * (u + f))


def binary(rng, runs, dim, steps, *, noise=0.0, floor=0.0):
    """Run eqs. (10) and (11), with the old mean on the right, for a teacher of ones.

    Return whether each run has all signs right after each example, and its means.
    """
    odds, means = np.zeros((runs, dim)), np.zeros((runs, dim))
    right = np.zeros((runs, steps), dtype=bool)
    open_ = np.ones((runs, dim))
    for step in range(steps):
        s = rng.standard_normal((runs, dim))
        tau = np.sign(s.sum(axis=1)) * np.where(rng.random(runs) < noise, -1.0, 1.0)
        rho = np.maximum(open_.sum(axis=1), max(floor, 1e-200))
        f, curvature = gain(tau * (means * s).sum(axis=1) / np.sqrt(rho), noise)
        odds += s * (tau * f / np.sqrt(rho))[:, None]
        odds += means * s**2 * (curvature / rho)[:, None]
        rest = np.exp(-2 * np.abs(odds))  # of tanh and its slope, without cancellation
        means = np.copysign((1 - rest) / (1 + rest), odds)
        open_ = 4 * rest / (1 + rest) ** 2
        right[:, step] = (odds > 0).all(axis=1)
    return right, means
