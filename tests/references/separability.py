"""Separability, seung2002."""

from fractions import Fraction

import numpy as np


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
    w = [Fraction(float(v)) for v in w]
    return all(
        sum(Fraction(float(a)) * b for a, b in zip(z, w, strict=True)) > 0 for z in Z
    )


def nearest_point(Z, steps=10_000):
    """Return the point of the hull of rows next to the origin, by Frank and Wolfe."""
    p = Z[0].astype(float)
    for _ in range(steps):
        z = Z[np.argmin(Z @ p)]
        d = z - p
        if d @ d == 0:
            break
        p = p + np.clip(-(p @ d) / (d @ d), 0, 1) * d
    return p
