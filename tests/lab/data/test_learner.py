import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab.data.learner import LEARNERS, LearningRun
from rosenblatt.lab.data.points import Points, bundled


@pytest.mark.parametrize("learner", LEARNERS)
def test_steps_are_what_partial_fit_does_and_the_boundary_is_the_models(learner):
    points = bundled("iris-hard")
    run = LearningRun(points, learner, order=4)
    run.step(1)
    run.step(149)
    rng = np.random.default_rng(4)
    orders = [rng.permutation(100)[::-1] for _ in range(2)]
    rows = np.concatenate(orders)[:150]
    model = LEARNERS[learner][1]()
    mistakes = 0
    for k, row in enumerate(rows):
        x, y = points.X[[row]], points.y[[row]]
        field = model.decision_function(x)[0] if k else 0.0
        mistakes += field * (2 * y[0] - 1) <= 0
        model.partial_fit(x, y, classes=[0, 1])
    assert (run.seen, run.mistakes, run.last) == (150, mistakes, rows[-1])
    where = np.random.default_rng(0).normal(size=(300, 2))
    fields = model.decision_function(where)
    weights, intercept = run.boundary
    assert np.linalg.norm(weights) == pytest.approx(1)
    np.testing.assert_array_equal(where @ weights + intercept > 0, fields > 0)
    wrong = model.decision_function(points.X) * (2 * points.y - 1) <= 0
    assert run.wrong == wrong.sum()
    assert (run.margin > 0) == (run.wrong == 0)
    sure = run.confidence(where)
    assert ((sure >= 0) & (sure <= 1)).all()
    np.testing.assert_array_equal(sure > 0.5, fields > 0)


def test_separability_is_that_of_the_library():
    for name, separable in (("iris", True), ("xor", False)):
        points = bundled(name)
        found = LearningRun(points, "perceptron", 0).separable
        assert found.separable is separable
        assert found.margin == rb.separability(points.X, points.y).margin


def test_a_perceptron_makes_no_more_mistakes_than_it_can():
    run = LearningRun(bundled("iris"), "perceptron", 0)
    run.step(500)
    assert run.wrong == 0
    assert run.mistakes <= run.separable.mistake_bound


def test_nothing_and_one_class_are_no_errors():
    empty = LearningRun(Points(np.empty((0, 2)), np.empty(0, int)), "perceptron", 0)
    empty.step(3)
    assert (empty.seen, empty.boundary, empty.separable) == (0, None, None)
    one = LearningRun(Points(np.ones((2, 2)), np.zeros(2, int)), "hebb", 0)
    one.step(3)
    assert one.separable is None
    assert one.wrong == 0


def test_an_unknown_learner_is_an_error():
    with pytest.raises(ValueError, match="learner must be one of"):
        LearningRun(bundled("iris"), "os.system", 0)
