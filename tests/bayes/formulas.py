"""Gaussian filters on rows, by the formulas: NumPy and SciPy only."""

import numpy as np
from scipy.special import log_ndtr, softmax

from rosenblatt.bayes.label_law import COUNT, blank
from rosenblatt.bayes.standardisation import REACH
from tests.bayes.guesses import class_law, guess, probit_law

__all__ = ["CLIP", "beginning", "covariance", "tally_for", "twin"]

CLIP = 3.0


def tally_for(noise):
    """Return a tally for a noise that is given, or, if it is not 0, guessed."""
    return blank(len(noise), "auto" if noise.any() else 0.0)


def beginning(kind, models, size):
    if kind == "spherical":
        return np.full(models, 1.3)
    if kind == "diagonal":
        return np.linspace(0.5, 1.5, models * size).reshape(models, size)
    return np.stack([np.eye(size) + 0.1 * k for k in range(models)])


def covariance(kind, belief, size):
    """Return the matrix that a model's belief stands for."""
    if kind == "spherical":
        return belief * np.eye(size)
    if kind == "diagonal":
        return np.diag(belief)
    return belief


def two_classes(mean, V, z, code, width, noise):
    """Return log-odds, slope, curvature, counts and the law itself: probit."""
    y = 1.0 if code == 1 else -1.0
    (h,), v, q = mean @ z, width + z @ V[0] @ z, noise[0]
    u = h / np.sqrt(v)
    positive, negative = (
        np.logaddexp(np.log(q), np.log1p(-2 * q) + log_ndtr(t)) if q else log_ndtr(t)
        for t in (u, -u)
    )
    log_z = positive if y > 0 else negative
    factor = (1 - 2 * q) * np.exp(-u * u / 2 - np.log(2 * np.pi) / 2 - log_z)
    slope, bend = y * factor / np.sqrt(v), factor * (y * u + factor) / v
    return [positive - negative], [slope], [bend], [log_z, y * h <= 0], probit_law(u)


def classes(mean, V, z, code, width, noise):
    """Return log-probabilities, slopes and so on of several classes."""
    r = 1 / np.sqrt(width + np.pi / 8 * np.array([z @ v @ z for v in V]))
    p = softmax(r * (mean @ z))
    right = np.arange(len(p)) == code
    other = noise[0] / (len(p) - 1)
    chances = other + (1 - noise[0] - other) * p
    t = 1 - other / chances[code]
    counts = [np.log(chances[code]), np.sum(p >= p[code]) > 1]
    law = class_law(r * (mean @ z))
    return np.log(chances), t * r * (right - p), t * r**2 * p * (1 - p), counts, law


def twin(kind, X, codes, repeats, center, inverse, width, noise, mean, belief):
    """Return mean, covariances, tally, sums and odds by the formulas."""
    models, size = mean.shape
    mean = mean.copy()
    V = np.stack([covariance(kind, b, size) for b in belief])
    tally, odds = tally_for(noise), np.zeros((len(X), models))
    sums = np.zeros((2, X.shape[1]))
    for row, x in enumerate(X.astype(float)):
        far = (x - center) * inverse
        z = np.append(np.clip(far, -CLIP, CLIP), 1.0)[:size]
        far = np.clip(far, -REACH, REACH)
        sums += repeats[row] * np.stack([far, far * far])
        for turn in range(max(repeats[row], 1)):
            told = two_classes if models == 1 else classes
            chances, slopes, bends, counts, law = told(
                mean, V, z, codes[row], width, noise
            )
            if turn == 0:
                odds[row] = chances
            if repeats[row] == 0:
                continue
            tally[:, :COUNT] += counts
            guess(tally, law, codes[row])
            for k in range(models):
                step = V[k] @ z
                mean[k] += step * slopes[k]
                loss = bends[k] * np.outer(step, step)
                if kind == "spherical":  # the same trace
                    loss = np.eye(size) * np.trace(loss) / size
                V[k] -= np.diag(np.diag(loss)) if kind == "diagonal" else loss
    return mean, V, tally, sums, odds
