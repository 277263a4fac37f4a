"""Learners of winther1997 in plain NumPy, in the paper's units, without our code.

``python -m tests.references.winther1997`` prints the numbers that the paper's claims
expect, with standard errors. It takes a few minutes.
"""

import math

import numpy as np
from scipy.special import erfcx, ndtr

__all__ = ["binary", "full", "normal", "signs"]

CHUNK = 2000  # runs at a time: what fits into the cache of a processor


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


def normal(rng, shape):
    """Return inputs with independent normal components."""
    return rng.standard_normal(shape)


def signs(rng, shape):
    """Return inputs of -1 and +1."""
    return rng.choice([-1.0, 1.0], shape)


def binary(rng, runs, dim, steps, *, noise=0.0, floor=0.0, inputs=normal):
    """Run eqs. (10) and (11), with the old mean on the right, for a teacher of ones.

    Return whether each run has all signs right after each example, and its means.
    """
    odds, means = np.zeros((runs, dim)), np.zeros((runs, dim))
    right = np.zeros((runs, steps), dtype=bool)
    open_ = np.ones((runs, dim))
    for step in range(steps):
        s = inputs(rng, (runs, dim))
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


def full(rng, runs, dim, steps):
    """Return errors of Gaussian filters that keep the whole covariance."""
    teacher = rng.standard_normal((runs, dim))
    means, covariance = np.zeros((runs, dim)), np.tile(np.eye(dim), (runs, 1, 1))
    for _ in range(steps):
        s = rng.standard_normal((runs, dim))
        tau = np.sign((teacher * s).sum(axis=1))
        across = np.matmul(covariance, s[:, :, None])[:, :, 0]
        rho = (across * s).sum(axis=1)
        f, curvature = gain(tau * (means * s).sum(axis=1) / np.sqrt(rho), 0.0)
        means += across * (tau * f / np.sqrt(rho))[:, None]
        covariance -= (
            across[:, :, None] * across[:, None, :] * (curvature / rho)[:, None, None]
        )
    cosine = (means * teacher).sum(axis=1)
    cosine /= np.linalg.norm(means, axis=1) * np.linalg.norm(teacher, axis=1)
    return np.arccos(cosine) / math.pi


def _many(seed, runs, *shape, **options):
    """Return the same in chunks, each with a generator of its own."""
    done = [
        binary(np.random.default_rng([seed, chunk]), CHUNK, *shape, **options)
        for chunk in range(runs // CHUNK)
    ]
    return np.concatenate([d[0] for d in done]), np.concatenate([d[1] for d in done])


def _show(name, samples):
    error = np.std(samples, ddof=1) / math.sqrt(len(samples))
    print(f"{name}: {np.mean(samples):.7f} +- {error:.7f}", flush=True)


def transitions():
    """Print when runs of the printed rule are right, N = 50."""
    runs, steps = 8000, 1000
    right, _ = _many(2026, runs, 50, steps)
    for alpha in (3, 4, 5, 20):
        _show(f"solved at {alpha}", right[:, 50 * alpha - 1])
    # the example from which on all signs are right, up to alpha = 10
    last = np.where(right[:, :500], 0, np.arange(1, 501)).max(axis=1) + 1
    _show("for good between 3 and 4", (last > 150) & (last <= 200))
    ranks = [round(runs / 2 + side * math.sqrt(runs) / 2) for side in (-1, 0, 1)]
    print("median, and ranks a deviation off:", np.sort(last)[ranks] / 50, flush=True)


def cure():
    """Print the share solved at alpha = 8 with rho >= 1, N = 50."""
    _show("solved at 8", _many(8, 8000, 50, 400, floor=1.0)[0][:, -1])


def noise():
    """Print the share solved at alpha = 20 with flipped labels, N = 50."""
    for floor in (0.0, 1.0):
        right, _ = _many(9, 4000, 50, 1000, noise=0.1, floor=floor)
        _show(f"noise 0.1, floor {floor:g}", right[:, -1])


def odd():
    """Print what runs that are right expect their error to be, N = 51, inputs +-1."""
    right, means = _many(10, 2000, 51, 1020, inputs=signs)
    own = np.arccos(np.sqrt(np.minimum((means**2).mean(axis=1), 1.0))) / math.pi
    _show("own error", own[right[:, -1]])


def covariance():
    """Print the error of the filter with a full covariance at alpha = 20, N = 100."""
    rng = np.random.default_rng(11)
    _show("full filter", np.concatenate([full(rng, 40, 100, 2000) for _ in range(5)]))


if __name__ == "__main__":
    for part in (transitions, cure, noise, odd, covariance):
        part()
