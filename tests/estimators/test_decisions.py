import numpy as np
import pytest

from rosenblatt.estimators.base import best_classes, log_odds

CLASSES = np.array(["a", "b", "c"])


def test_the_largest_score_decides_and_ties_go_to_the_first():
    scores = np.array([[1.0, 3.0, 2.0], [5.0, 5.0, 5.0]])
    assert best_classes(scores, CLASSES).tolist() == ["b", "a"]
    found = best_classes(np.array([-1.0, 0.0, 1.0]), CLASSES[:2])
    assert found.tolist() == ["a", "a", "b"]


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_log_odds_are_those_against_the_rest(classes):
    shares = np.random.default_rng(0).dirichlet(np.ones(classes), 20)
    wanted = np.log(shares / (1.0 - shares))
    wanted = wanted[:, 1] if classes == 2 else wanted
    np.testing.assert_allclose(log_odds(shares, 1e-300), wanted, rtol=1e-9)


def test_certain_classes_have_finite_odds():
    assert np.isfinite(log_odds(np.eye(3), 1e-300)).all()
