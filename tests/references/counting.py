"""Perceptrons with binary weights, golea1993, and packed bits."""

from fractions import Fraction

import numpy as np


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


def pack(X):
    """Return words as lists of Python's integers; what is above 0 is a bit 1."""
    return [
        [
            sum(1 << j for j, x in enumerate(row[first : first + 64]) if x > 0)
            for first in range(0, len(row), 64)
        ]
        for row in np.asarray(X).tolist()
    ]


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
