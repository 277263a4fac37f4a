"""Separability, seung2002."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

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
