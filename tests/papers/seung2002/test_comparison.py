import numpy as np

from rosenblatt.papers.seung2002 import comparison, digits
from rosenblatt.papers.seung2002.images import bundled


def test_accuracies_are_those_of_the_plain_loop():
    *_, (last, model) = comparison.compare(bundled(), 2, 5)
    assert last["GradientPerceptron, logistic"] == digits._twin(2, 5)
    assert model.t_ == 2 * 1347


def test_a_comparison_is_the_same_at_every_start():
    first, again = (next(comparison.compare(bundled(), 1, 3))[0] for _ in range(2))
    assert first == again


def test_weights_are_pictures_of_the_pixels():
    *_, (_, model) = comparison.compare(bundled(), 1)
    data = comparison.pictures(model, (8, 8))
    assert [picture.name for picture in data.pictures] == list("0123456789")
    np.testing.assert_array_equal(np.ravel(data.pictures[3].pixels), model.coef_[3])
