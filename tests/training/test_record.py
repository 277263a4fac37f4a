import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.tables.encoding import Encoded
from rosenblatt.training.record import Classify, Metrics, Record

CODES = np.array([0, 1, 1, 0])
X = np.array([[1.0, 2.0], [-1.0, 0.5], [-2.0, 1.0], [2.0, -1.0]])
CLASSES = np.array(["no", "yes"])


@pytest.mark.parametrize(
    "damaged",
    [
        Metrics([1, 2, 3]),
        Metrics([2, 1], [1, 0], [[1, 1], [1]]),
        Metrics([2, 1], [1]),
        Metrics([2, 1], [1, 0], [], [[0], [1]]),
        Metrics([2, 1], [1, -1]),
        Metrics([2, 2**64], [1, 0]),
    ],
)
def test_counts_of_other_classes_are_refused(damaged):
    wanted = r"must count 2 classes|inhomogeneous|must have counts below"
    with pytest.raises(ValueError, match=wanted):
        damaged.check(2)


def learn(model, labels, weights=None, classes=("no", "yes"), **more):
    lines = np.arange(len(labels))
    rows = Encoded(X, labels, weights, lines, [], {}, {})
    return Classify(tuple(classes), **more).learn(model, rows)


@pytest.mark.parametrize("kind", [rb.BayesPerceptron, rb.OnlinePerceptron])
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_count_by_their_weights(kind, classes):
    codes, weights = np.arange(4) % classes, np.array([3, 0, 1, 4])
    labels = np.array(["a", "b", "c"][:classes])
    model = kind()
    learn(model, labels[codes], weights, labels)
    assert learn(model, labels[codes], weights, labels).rows == 8


@pytest.mark.parametrize("model", [rb.ClippedHebb(binarise=0.0), rb.OnlinePerceptron()])
def test_other_models_are_evaluated_on_a_batch_before_they_learn_it(model):
    assert learn(model, CLASSES[CODES]).rows == 0  # it knows nothing yet
    wrong = int((model.predict(X) != CLASSES[CODES]).sum())
    found = learn(model, CLASSES[CODES])
    assert (found.rows, sum(found.wrong), found.log_loss) == (4, wrong, None)


def test_counts_are_added_and_the_curve_is_left_out():
    one, two = Metrics([2, 1], [1, 0], log_loss=0.5), Metrics([1, 3], [0, 2])
    first = Record(one, 3, {"a": 1}, ["x"], {"m": 2}, {}, [(3, 2, 1, 0.5)])
    first.add(Record(two, 4, {"a": 2, "b": 1}))
    both = Metrics([3, 4], [1, 2], log_loss=0.5)
    assert first == Record(both, 7, {"a": 3, "b": 1}, ["x"], {"m": 2})


def test_a_label_that_comes_later_is_a_mistake_without_a_loss():
    model = rb.BayesPerceptron("diagonal")
    learn(model, CLASSES[CODES], classes=("no",), open=True)
    labels = np.array(["no", "perhaps", "no", "yes"])
    found = learn(model, labels, open=True)
    assert found.labels == [2, 1, 1]
    assert found.wrong[1] == 1
    assert 0.0 < found.log_loss < 100.0
