"""Smooth functions with a threshold, labelled classes, and gradient learning."""

import numpy as np


def machine(f, gradient, rate, S, labels, w, groups=0):
    """Return weights after every example, and the numbers of mistakes.

    ``f(s, w)`` and ``gradient(s, w)`` are plain functions, ``rate`` one of the number
    of examples and that of mistakes.
    """
    w, mistakes = np.array(w, dtype=float), 0
    weights, counts = [w], [0]
    for n, (s, y) in enumerate(zip(S, labels, strict=True), start=1):
        if y * f(s, w) <= 0:
            mistakes += 1
            w = w + rate(n, mistakes) * y * gradient(s, w)
            if groups:
                w = w.reshape(groups, -1)
                w = (w / np.linalg.norm(w, axis=1, keepdims=True)).ravel()
        weights.append(w)
        counts.append(mistakes)
    return np.array(weights), np.array(counts)


def classes(step, rate, X, y, w, marks):
    """Return weights and mistakes after some numbers of examples.

    ``rate`` is a function of the examples and of the mistakes, the current included.
    """
    w, mistakes, seen = np.array(w, dtype=float), 0, ([], [])
    for t in range(marks[-1] + 1):
        if t in marks:
            seen[0].append(w.copy())
            seen[1].append(mistakes)
        if t == marks[-1]:
            return seen
        x, label, h = X[t], y[t], w @ X[t]
        mistakes += label * h <= 0
        eta = rate(t + 1, max(mistakes, 1))
        gain, decay = step(h, label, w @ w, x @ x, eta, 1.0, 0.0)
        w = (1 - decay) * w + gain * x


def descend(f, slope, rate, X, targets, passes, presentation):
    """Return weights after some passes, and the cost before and after each.

    ``rate`` is a function of the number of examples seen.
    """
    w, seen = np.zeros(X.shape[1]), 0
    costs = [np.mean((targets - f(X @ w)) ** 2) / 2]
    for _ in range(passes):
        if presentation == "batch":
            h = X @ w
            seen += len(X)
            w = w + rate(seen) * np.mean(
                ((targets - f(h)) * slope(h))[:, None] * X, axis=0
            )
        else:
            for x, t in zip(X, targets, strict=True):
                seen += 1
                h = w @ x
                w = w + rate(seen) * (t - f(h)) * slope(h) * x
        costs.append(np.mean((targets - f(X @ w)) ** 2) / 2)
    return w, costs
