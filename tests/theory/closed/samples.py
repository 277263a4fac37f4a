"""All samples there are, for small n and m."""

import itertools
from collections import defaultdict

import numpy as np


def every_sample(n, m, positive, noise):
    """The law of the votes' sums, one example after the other, and the target."""
    target = np.array([1] * positive + [-1] * (n - positive))
    inputs = np.array(list(itertools.product([-1, 1], repeat=n)))
    labels = np.where(inputs @ target > 0, 1, -1)
    steps = defaultdict(float)
    for x, y in zip(inputs, labels, strict=True):
        steps[tuple(x * y)] += (1 - noise) / 2**n
        steps[tuple(-x * y)] += noise / 2**n
    law = {(0,) * n: 1.0}
    for _ in range(m):
        after = defaultdict(float)
        for (sums, p), (step, r) in itertools.product(law.items(), steps.items()):
            if r:
                after[tuple(np.add(sums, step).tolist())] += p * r
        law = after
    return law, target
