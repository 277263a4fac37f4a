"""Estimates of noise and slope from labels, written in NumPy."""

import numpy as np
from scipy.special import log_ndtr

from rosenblatt.bayes.label_law import COUNT, NOISE, OPEN, SLOPE, STATISTICS

__all__ = ["class_law", "guess", "probit_law"]

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


def guess(tally, law, code):
    """Change a tally by one label, of the first 2^14."""
    tally[:, COUNT] += 1
    slope, noise, variance = tally[0, [SLOPE, NOISE, OPEN]]
    z = law(slope + 0j, noise).real
    if z.min() < _CERTAIN:
        return
    steps = law(slope + _TINY * 1j, noise), law(slope + 0j, noise + _TINY * 1j)
    gradient = np.stack(steps).imag / _TINY
    gradient[1] *= variance > 0  # else the noise is given
    (aa, ak), (_, kk) = (gradient / z) @ gradient.T
    tally[0, STATISTICS - 3 :] += kk, ak, aa
    kk, ak, aa = tally[0, STATISTICS - 3 :]
    score = gradient[:, code] / z[code]
    step = 0.0
    if variance > 0:
        told = np.array([[_STEADY + aa, ak], [ak, 1 / variance + kk]])
        least = _LEAST / np.sqrt(told[1, 1])
        wanted = noise + np.linalg.solve(told, score)[1]
        step = np.clip(wanted, least, _MOST) - noise
    slope, noise = slope + (score[0] - ak * step) / (_STEADY + aa), noise + step
    tally[0, [SLOPE, NOISE]] = np.clip(slope, 0.1, 10), noise
    tally[1:, NOISE:] = tally[0, NOISE:]
