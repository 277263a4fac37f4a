"""Mistakes of one parameter one by one: short, slow, obviously right, NumPy only.

In the units of ``equilibrium``: from x the next mistake leads to x - sgn(x). Replicas
are independent; all of them advance together, from mistake to mistake.
"""

import numpy as np


def constant(rng, x, time, step=lambda x: np.ones_like(x)):
    """Return x after a time eta lambda n at a constant rate.

    ``step`` is the length of a step as a function of x.
    """
    x, left = x.copy(), np.full(x.size, float(time))
    while (moving := np.flatnonzero(left > 0)).size:
        at = x[moving]
        left[moving] -= rng.exponential(size=at.size) / np.abs(at)
        jump = left[moving] > 0
        x[moving[jump]] -= (np.sign(at) * step(at))[jump]
    return x


def decreasing(rng, x, exponent, scale, first, last):
    """Return x at n = last for a rate eta0 n^-z, from x at n = first."""
    w, n = x * float(first) ** -exponent, np.full(x.size, float(first))
    while (moving := np.flatnonzero(n < last)).size:
        at = w[moving]
        n[moving] += rng.exponential(size=at.size) / (scale * np.abs(at))
        jump = n[moving] < last
        now = n[moving[jump]]
        w[moving[jump]] -= np.sign(at[jump]) * now**-exponent
    return w * last**exponent
