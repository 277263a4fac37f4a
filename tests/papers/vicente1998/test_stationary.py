import numpy as np

from rosenblatt.motions import Rotation
from rosenblatt.papers.vicente1998.stationary import PERCEPTRON, simulated
from rosenblatt.theory import best_constant_rate


def test_simulated_students_settle_at_the_best_error():
    """5 standard errors of the mean, and a finite-size term of 2/N."""
    motion = Rotation(0.2)
    found = simulated(motion, 500, 40.0, 30)
    wanted = best_constant_rate(PERCEPTRON, motion=motion).error
    spread = found.std(ddof=1) / np.sqrt(30)
    assert abs(found.mean() - wanted) < 5 * spread + 2 / 500
