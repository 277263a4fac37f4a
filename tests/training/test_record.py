import copy

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.system.typed import plain, typed
from rosenblatt.training.record import Metrics, Record, learn_batch

CODES = np.array([0, 1, 1, 0])
X = np.array([[1.0, 2.0], [-1.0, 0.5], [-2.0, 1.0], [2.0, -1.0]])
CLASSES = np.array(["no", "yes"])


def test_rows_mistakes_and_losses_are_summed():
    record = Record()
    assert record.error is None
    for wrong, loss in ((3, 5.0), (1, 1.0)):
        counts = Metrics([6, 4], [wrong, 0], log_loss=loss)
        record.learned(10, [6, 4], counts)
    assert (record.rows, record.labels, record.metrics.rows) == (20, [12, 8], 20)
    assert record.error == 0.2
    assert record.mean_log_loss == 0.3


def test_points_of_the_curve_are_further_and_further_apart():
    record = Record()
    for _ in range(100):
        record.learned(1, [1], Metrics([1], [0]))
    rows = [int(point[0]) for point in record.curve]
    assert rows == [16, 24, 36, 54, 81]
    assert record.mark == 122


def test_skipped_rows_are_counted_by_kind():
    record = Record()
    record.count({"a": 1, "b": 1})
    record.count({"a": 1})
    assert record.skipped == {"a": 2, "b": 1}


def test_plain_values_give_the_record_back():
    counts = Metrics([1, 1], [0, 1], log_loss=0.5)
    record = Record(3, {"a": 1}, ["x"], {}, {"b": 2}, [(1, 1, 0, None)], [2, 1], counts)
    assert typed("record", plain(record), Record) == record


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


def test_a_bayesian_perceptron_is_evaluated_on_each_row_before_it_learns_it():
    model = rb.BayesPerceptron("diagonal")
    seen, found = learn_batch(model, X, CLASSES[CODES], classes=CLASSES)
    same = rb.BayesPerceptron("diagonal")
    shares = same.predict_then_learn(X, CLASSES[CODES], classes=CLASSES)
    assert seen == found.labels == np.bincount(CODES).tolist()
    assert sum(found.wrong) == (shares.argmax(axis=1) != CODES).sum()
    assert found.log_loss == pytest.approx(-model.log_evidence_[0])


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
