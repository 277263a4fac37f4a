"""Beliefs about weights, winther1997."""

import math

import numpy as np


def normal_cdf(u):
    return 0.5 * math.erfc(-u / math.sqrt(2))


def evidence(h, rho, y, k):
    """Return ln Z, its slope in h, and minus its second derivative."""
    u = y * h / math.sqrt(rho)
    z = k + (1 - 2 * k) * normal_cdf(u)
    f = (1 - 2 * k) * math.exp(-u * u / 2) / math.sqrt(2 * math.pi) / z
    return math.log(z), y * f / math.sqrt(rho), f * (u + f) / rho


def binary_bayes(S, y, k=0.0, floor=1.0, weighted=False):
    """Return artanh of the means after every example, in the paper's units."""
    t, found = np.zeros(S.shape[1]), []
    for s, label in zip(S, y, strict=True):
        m = np.tanh(t)
        rho = ((s**2 if weighted else 1) / np.cosh(t) ** 2).sum()
        _, slope, curvature = evidence(m @ s, max(rho, floor), label, k)
        t = t + s * slope + m * s**2 * curvature
        found.append(t)
    return np.array(found)


def gaussian_filter(X, y, k, diagonal):
    """Return means and covariances after all examples."""
    m, C = np.zeros(X.shape[1]), np.eye(X.shape[1])
    for x, label in zip(X, y, strict=True):
        _, slope, curvature = evidence(m @ x, x @ C @ x, label, k)
        m = m + slope * C @ x
        C = C - curvature * np.outer(C @ x, C @ x)
        C = np.diag(np.diag(C)) if diagonal else C
    return m, C


def binary_bayes_stream(X, y, noise, intercept, standardise):
    """Return mean weights, intercept, noise and mistakes after one pass."""
    n = X.shape[1]
    t, theta, v, wrong, mistakes = np.zeros(n), 0.0, float(intercept), 0.0, 0
    for i, label in enumerate(y):
        k = (0.5 + wrong) / (2 + i) if noise is None else noise
        x = X[i] / np.sqrt(n)
        if standardise:
            scale = X[: i + 1].std(axis=0)
            scale[scale == 0] = np.inf
            x = (X[i] - X[: i + 1].mean(axis=0)) / scale / np.sqrt(n)
        m = np.tanh(t)
        h = m @ x + theta
        rho = max(x**2 @ np.cosh(t) ** -2 + v, 1 / n)
        mistakes += label * h <= 0
        log_z, slope, curvature = evidence(h, rho, label, k)
        wrong += k * normal_cdf(-label * h / math.sqrt(rho)) / math.exp(log_z)
        t = t + x * slope + m * x**2 * curvature
        theta, v = theta + v * slope, v - v * v * curvature
    k = (0.5 + wrong) / (2 + len(y)) if noise is None else noise
    return np.tanh(t), theta, k, mistakes
