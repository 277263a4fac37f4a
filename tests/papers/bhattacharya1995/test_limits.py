import numpy as np

from rosenblatt.papers.bhattacharya1995 import text as limits
from rosenblatt.streams import TwoClasses


def test_the_criterion_is_the_mean_stability_of_mistakes():
    stream = TwoClasses([(0, 1), (1, -1)], (1.0, 2.0), prior=0.3, constant=-2.0)
    w = np.array([1.0, -0.5, 0.2])
    X, y = stream.draw(400_000)
    samples = np.maximum(0, -y * (X @ w))
    expected = samples.mean()
    spread = samples.std() / np.sqrt(len(samples))
    assert abs(limits.criterion(stream, w) - expected) < 5 * spread


def test_the_direction_of_the_least_criterion_has_none_below_it_nearby():
    best = limits.least_criterion(limits.SCALED)
    least = limits.criterion(limits.SCALED, best)
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = best + 0.01 * rng.standard_normal(3)
        other /= np.linalg.norm(other)
        assert limits.criterion(limits.SCALED, other) >= least
