"""Naive versions: short, slow, obviously right; NumPy only, nothing of ours."""

import math
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import numpy as np

# Rules on real examples, and a teacher with a student.


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


# Beliefs about weights, winther1997.


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


# Perceptrons with binary weights, golea1993, and packed bits.


def frequency(event, given=True):
    """Return how often an event happens where another does; None if it never does."""
    given = np.broadcast_to(given, event.shape)
    return (
        Fraction(int((event & given).sum()), int(given.sum())) if given.any() else None
    )


def learn_binary_perceptron(X, y, eps):
    """Return weights and threshold by the steps of figure 1; all inputs are -1 or +1.

    ``eps`` is a fraction. The search ends at the largest threshold if none will do.
    """
    n = X.shape[1]
    w = np.zeros(n, int)
    if frequency(y == 1) >= 1 - eps / 4:  # step 2
        return w, -(n + 1)
    if frequency(y == 1) <= eps / 4:  # step 3
        return w, n
    rho = eps / 2  # step 4
    for i in range(n):
        x = X[:, i]
        high = frequency(x == 1)
        if high <= eps / (4 * n) or 1 - high <= eps / (4 * n):  # step 5
            continue
        influence = (
            frequency(y == 1, x == 1)
            - frequency(y == 1, x == -1)
            - frequency(y == -1, x == 1)
            + frequency(y == -1, x == -1)
        )
        if influence > Fraction(1, 2) * rho / (n + 1):  # step 6
            w[i] = 1
        elif influence < -Fraction(1, 2) * rho / (n + 1):
            w[i] = -1
    for r in range(-(n + 1), n):  # step 7
        right = frequency(y == 1, X @ w > r)
        if right is not None and right > 1 - eps / 4:
            return w, r
    return w, n


def clipped_hebb(X, y):
    return np.where(y @ X > 0, 1, -1)


def least_error(X, y, w):
    """Return the least threshold with the fewest wrong examples."""
    n = X.shape[1]
    wrong = [np.sum(np.where(X @ w > r, 1, -1) != y) for r in range(-(n + 1), n + 1)]
    return int(np.argmin(wrong)) - (n + 1)


def counts(X, y, weight=None):
    """Return how often columns are high among positive and among negative rows."""
    high = np.asarray(X) > 0
    weight = np.ones(len(high), int) if weight is None else np.asarray(weight)
    repeated = np.repeat(high, weight, axis=0)
    positive = np.repeat(np.asarray(y) > 0, weight)
    return repeated[positive].sum(axis=0), repeated[~positive].sum(axis=0)


def influences(X, y):
    """Return P(y=+1 | x_i=+1) - P(y=+1 | x_i=-1), doubled: that of y = +-1."""
    high, y = np.asarray(X) > 0, np.asarray(y)
    return np.array([y[column].mean() - y[~column].mean() for column in high.T])


def product_bits(word, first, rows, probabilities):
    """Return booleans: numbers of 64 binary digits below probabilities.

    ``word(n)`` is the n-th random word. Those of a row follow each other: the first
    digits of all its columns, then the second ones.
    """
    width = -(-len(probabilities) // 64)
    out = np.zeros((rows, len(probabilities)), bool)
    for i in range(rows):
        for j, p in enumerate(probabilities):
            number = 0
            for digit in range(64):
                n = ((first + i) * 64 + digit) * width + j // 64
                number = 2 * number + (word(n) >> j % 64 & 1)
            out[i, j] = number < round(p * 2**64)
    return out


# Smooth functions with a threshold, labelled classes, and gradient learning.


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


# Separability, seung2002.


def perceptron_mistakes(Z, passes):
    """Return mistakes after each pass of the rule on signed rows, and the weights."""
    w, mistakes, found = np.zeros(Z.shape[1]), 0, []
    for _ in range(passes):
        for z in Z:
            if w @ z <= 0:
                w, mistakes = w + z, mistakes + 1
        found.append(mistakes)
    return found, w


def exactly_separates(Z, w):
    w = [Fraction(v) for v in w]
    return all(
        sum(Fraction(float(a)) * b for a, b in zip(z, w, strict=True)) > 0 for z in Z
    )


def hulls_meet(X, y):
    """Return whether the convex hulls of two classes of points in the plane meet.

    They do if segments of both have a point in common, or if a point of one is in a
    triangle of the other (Kirchberger). In fractions.
    """
    points = [tuple(Fraction(float(v)) for v in x) for x in X]
    classes = sorted(set(np.asarray(y).tolist()))
    one, two = (
        [p for p, label in zip(points, y, strict=True) if label == c] for c in classes
    )

    def turn(a, b, c):
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return (area > 0) - (area < 0)

    def on(a, b, c):
        within = (min(a[i], b[i]) <= c[i] <= max(a[i], b[i]) for i in (0, 1))
        return turn(a, b, c) == 0 and all(within)

    def cross(a, b, c, d):
        apart = turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
        return apart or on(a, b, c) or on(a, b, d) or on(c, d, a) or on(c, d, b)

    def inside(a, b, c, p):
        return 0 != turn(a, b, p) == turn(b, c, p) == turn(c, a, p)

    def pairs(points):
        return list(combinations_with_replacement(points, 2))

    return any(cross(*s, *t) for s in pairs(one) for t in pairs(two)) or any(
        inside(*corners, p)
        for some, others in ((one, two), (two, one))
        for corners in combinations(some, 3)
        for p in others
    )
