import numpy as np

from rosenblatt.papers.winther1997.spherical import best_growth


def test_no_gain_is_better_than_the_best():
    """Gains of the perceptron rule, at the best rate for q = 1/2."""
    q, rng = 0.5, np.random.default_rng(0)
    v, across = rng.standard_normal((2, 200_000))
    b = np.sqrt(q) * v + np.sqrt(1 - q) * across
    wrong = np.sign(b) * v <= 0
    along = np.sign(b) * wrong * (b - np.sqrt(q) * v)
    # growth for a rate eta is eta a - eta^2 c, at best a^2/4c
    a, c = along.mean() / np.sqrt(q), wrong.mean() / (2 * np.sqrt(q))
    assert 0 < a**2 / (4 * c) < best_growth(q, 0.0)
