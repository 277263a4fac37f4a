import copy

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training.record import Metrics, Record, learn_batch

CODES = np.array([0, 1, 1, 0])
X = np.array([[1.0, 2.0], [-1.0, 0.5], [-2.0, 1.0], [2.0, -1.0]])
CLASSES = np.array(["no", "yes"])


@pytest.mark.parametrize(
    "damaged",
    [
        {"labels": [1, 2, 3]},
        {"metrics": Metrics([2, 1], [1, 0], [[1, 1], [1]])},
        {"metrics": Metrics([2, 1], [1])},
        {"test": Metrics([2, 1], [1, 0], [], [[0], [1]])},
    ],
)
def test_counts_of_other_classes_are_refused(damaged):
    record = Record(3, **damaged)
    with pytest.raises(ValueError, match=r"must count 2 classes|inhomogeneous"):
        record.check(2)


@pytest.mark.parametrize("kind", [rb.BayesPerceptron, rb.OnlinePerceptron])
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_count_by_their_weights(kind, classes):
    codes, weights = np.arange(4) % classes, np.array([3, 0, 1, 4])
    labels = np.array(["a", "b", "c"][:classes])
    model = kind()
    learn_batch(model, X, labels[codes], weights, labels)
    seen, found = learn_batch(model, X, labels[codes], weights)
    assert (found.rows, sum(seen)) == (8, 8)


@pytest.mark.parametrize("model", [rb.ClippedHebb(binarise=0.0), rb.OnlinePerceptron()])
def test_other_models_are_evaluated_on_a_batch_before_they_learn_it(model):
    _, first = learn_batch(model, X, CLASSES[CODES], classes=CLASSES)
    assert first.rows == 0  # it knows nothing yet
    wrong = int((model.predict(X) != CLASSES[CODES]).sum())
    _, found = learn_batch(model, X, CLASSES[CODES], classes=CLASSES)
    assert (found.rows, sum(found.wrong), found.log_loss) == (4, wrong, None)


def test_counts_are_added_and_the_curve_is_left_out():
    one, two = Metrics([2, 1], [1, 0], log_loss=0.5), Metrics([1, 3], [0, 2])
    first = Record(3, {"a": 1}, ["x"], {"m": 2}, {}, [[3, 2, 1, 0.5]], [2, 1], one)
    second = Record(4, {"a": 2, "b": 1}, labels=[1, 3], metrics=two)
    before = copy.deepcopy(first)
    both = Metrics([3, 4], [1, 2], log_loss=0.5)
    wanted = Record(7, {"a": 3, "b": 1}, ["x"], {"m": 2}, {}, [], [3, 4], both)
    assert first + second == wanted
    assert first == before


def test_a_label_that_comes_later_is_a_mistake_without_a_loss():
    model = rb.BayesPerceptron("diagonal")
    learn_batch(model, X, CLASSES[CODES])  # no classes given: others may come
    _, found = learn_batch(model, X, np.array(["no", "perhaps", "no", "yes"]))
    assert found.labels == [2, 1, 1]
    assert found.wrong[1] == 1
    assert 0.0 < found.log_loss < 100.0
