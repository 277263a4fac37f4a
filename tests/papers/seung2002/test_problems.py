import numpy as np

from rosenblatt.papers.seung2002.problems import drawn_order, follow
from rosenblatt.rules import Delta, Linear
from rosenblatt.schedules import Power


def test_weights_are_followed_through_the_drawn_examples():
    rng = np.random.default_rng(0)
    X, labels = rng.standard_normal((4, 2)), np.array([1.0, -1.0, 1.0, 1.0])
    order, times = drawn_order(4, 10, 1), np.array([3, 10])
    found = follow(
        Delta(Linear()), Power(0.5, 1.0), X, labels, np.ones(2), order, times
    )
    w, wanted = np.ones(2), []
    for step, row in enumerate(order, start=1):
        # the clock of a rate counts examples per weight
        w = w + 0.5 / (step / 2) * (labels[row] - w @ X[row]) * X[row]
        if step in times:
            wanted.append(w)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
