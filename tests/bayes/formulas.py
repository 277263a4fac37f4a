"""Gaussian filters on rows, by the formulas: NumPy and SciPy only."""

import numpy as np
from scipy.special import log_ndtr, softmax

from rosenblatt.bayes.label_law import COUNT, NOISE, OPEN, SLOPE, blank
from rosenblatt.bayes.layout import STATISTICS
from rosenblatt.bayes.standardisation import REACH

CLIP = 3.0
_TINY = 1e-30  # a step into the complex plane: derivatives without cancellation
_STEADY, _LEAST, _MOST, _CERTAIN = 32.0, 0.7, 1 / 3, 1e-12


def probit_law(u):
    """Return the probabilities of -1 and +1, as a function of slope and noise."""

    def law(slope, noise):
        # log_ndtr of complex numbers overflows where nothing happens any more
        far = slope * np.clip(u, -15 / slope.real, 15 / slope.real)
        return noise + (1 - 2 * noise) * np.exp(log_ndtr(np.array([-far, far])))

    return law


def class_law(logs):
    """Return the probabilities of several classes, likewise."""

    def law(slope, noise):
        powers = np.exp(slope * (logs - logs.max()))
        other = noise / (len(logs) - 1)
        return other + (1 - noise - other) * powers / powers.sum()

    return law


def guess(tally, law, code, power=1):
    """Change a tally by a power of the law of one label, of the first 2^14."""
    tally[:, COUNT] += 1
    slope, noise, variance = tally[0, [SLOPE, NOISE, OPEN]]
    z = law(slope + 0j, noise).real
    if z.min() < _CERTAIN:
        return
    steps = law(slope + _TINY * 1j, noise), law(slope + 0j, noise + _TINY * 1j)
    gradient = np.stack(steps).imag / _TINY
    gradient[1] *= variance > 0  # else the noise is given
    (aa, ak), (_, kk) = power * (gradient / z) @ gradient.T
    tally[0, STATISTICS - 3 :] += kk, ak, aa
    kk, ak, aa = tally[0, STATISTICS - 3 :]
    score = power * gradient[:, code] / z[code]
    step = 0.0
    if variance > 0:
        told = np.array([[_STEADY + aa, ak], [ak, 1 / variance + kk]])
        least = _LEAST / np.sqrt(told[1, 1])
        wanted = noise + np.linalg.solve(told, score)[1]
        step = np.clip(wanted, least, _MOST) - noise
    slope, noise = slope + (score[0] - ak * step) / (_STEADY + aa), noise + step
    tally[0, [SLOPE, NOISE]] = np.clip(slope, 0.1, 10), noise
    tally[1:, NOISE:] = tally[0, NOISE:]


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
        times = int(np.ceil(repeats[row]))
        sums += times * np.stack([far, far * far])
        for turn in range(max(times, 1)):
            power = min(repeats[row] - turn, 1)
            told = two_classes if models == 1 else classes
            chances, slopes, bends, counts, law = told(
                mean, V, z, codes[row], width, noise
            )
            if turn == 0:
                odds[row] = chances
            if times == 0:
                continue
            tally[:, :COUNT] += power * counts[0], counts[1]
            guess(tally, law, codes[row], power)
            for k in range(models):
                step = V[k] @ z
                mean[k] += step * power * slopes[k]
                loss = power * bends[k] * np.outer(step, step)
                if kind == "spherical":  # the same trace
                    loss = np.eye(size) * np.trace(loss) / size
                V[k] -= np.diag(np.diag(loss)) if kind == "diagonal" else loss
    return mean, V, tally, sums, odds
