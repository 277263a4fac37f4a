"""Rules on real examples, and a teacher with a student."""

import numpy as np


def perceptron(margin):
    return lambda h, y, q, x2, eta, n, t: (eta * y if y * h <= margin else 0.0, 0.0)


def hebb(h, y, q, x2, eta, n, t):
    return eta * y, 0.0


def adatron(h, y, q, x2, eta, n, t):
    return (eta * abs(h) * y if y * h <= 0 else 0.0), 0.0


def delta_tanh(h, y, q, x2, eta, n, t):
    return eta * (y - np.tanh(h)) / np.cosh(h) ** 2, 0.0


def residual_logistic(h, y, q, x2, eta, n, t):
    return eta * 0.5 * (y - np.tanh(h / 2)), 0.0


def passive_aggressive(h, y, q, x2, eta, n, t):
    return eta * y * max(0.0, 1 - y * h) / x2, 0.0


def normalised_perceptron(h, y, q, x2, eta, n, t):
    """Return the update after which w.w = N."""
    gain = eta * y if y * h <= 0 else 0.0
    length = np.sqrt(q + (2 * gain * (h - t) + gain**2 * x2) / n) if gain else 1.0
    return gain / length, n * (1 - 1 / length)


def decayed_perceptron(strength):
    return lambda h, y, q, x2, eta, n, t: (eta * y if y * h <= 0 else 0.0, strength)


def presentations(weights):
    """Return rows and parts: k times a part of 1, then what is left of a weight."""
    found = []
    for row, weight in enumerate(weights):
        found += [(row, 1.0)] * int(weight)
        if weight > int(weight):
            found.append((row, weight - int(weight)))
    rows, parts = zip(*found, strict=True)
    return list(rows), np.array(parts)


def stream(
    step, rate, X, y, w, intercept=False, shifted="", shift=0.0, opening=0, weights=None
):
    """Return weights and number of mistakes after one pass.

    ``rate`` is a function of examples / N, mistakes / N and N. The shift is learned
    from averages where ``shifted`` says how, and known otherwise. During an opening of
    so many examples per weight the weights are the sum of label * x, with w.w = N.
    A part of a presentation goes that part of the way and counts so much.
    """
    rows, parts = presentations(np.ones(len(X)) if weights is None else weights)
    X, y = X[rows], y[rows]
    X = np.column_stack([X, np.ones(len(X))]) if intercept else X
    w, n, mistakes = w.astype(float), X.shape[1], 0
    for i, (x, label, part) in enumerate(zip(X, y, parts, strict=True)):
        total = (parts[:i] * y[:i]).sum()
        M = (parts[:i] * y[:i]) @ X[:i]
        time = parts[: i + 1].sum()
        if time <= round(opening * n):
            w = M + part * label * x
            w *= np.sqrt(n / (w @ w))
            continue
        T = np.zeros(n) + shift
        if w @ M > 0:
            if shifted == "uniform" and total != 0:
                T = M / total
            if shifted == "along the field":
                T = M * (w @ x) / (w @ M)
        h = w @ x
        mistakes += part * (label * h <= 0)
        eta = rate(time / n, mistakes / n, n)
        gain, decay = step(h, label, w @ w / n, (x - T) @ (x - T), eta, n, w @ T)
        w = (1 - part * decay / n) * w + part * gain * (x - T)
    return w, mistakes


def teacher_student(step, rng, *, dim, alpha, start, noise=0.0, mean=(), **shift):
    """Return overlap, norm and mistakes of one student, with a rate of 1.

    The papers' units are used: the teacher is the first unit vector, and a normalised
    student has length 1. ``mean`` is the mean of the inputs along the first axes.
    """
    center = np.zeros(dim)
    center[: len(mean)] = mean
    S = center + rng.standard_normal((alpha * dim, dim))
    y = np.where(S[:, 0] > 0, 1.0, -1.0)
    y = np.where(rng.random(len(y)) < noise, -y, y)
    scale = np.sqrt(dim)
    if "shift" in shift:
        shift["shift"] = np.array(shift["shift"]) / scale
    w, mistakes = stream(
        step, lambda *clock: 1.0, S / scale, y, np.asarray(start) * scale, **shift
    )
    return w[0] / np.linalg.norm(w), np.linalg.norm(w) / scale, mistakes
