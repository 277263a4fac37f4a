import numpy as np

from rosenblatt.papers.seung2002.online import small_problem


def test_batch_learning_ends_at_the_least_squares():
    X, labels, weights = small_problem()
    wanted, *_ = np.linalg.lstsq(X, labels, rcond=None)
    np.testing.assert_allclose(weights, wanted, rtol=1e-6)
