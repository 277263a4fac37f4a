import copy
from dataclasses import asdict

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.tables import Bad
from rosenblatt.training.record import (
    Evaluation,
    Metrics,
    Record,
    evaluates_rows,
    learn_batch,
)

CODES = np.array([0, 1, 1, 0])
X = np.array([[1.0, 2.0], [-1.0, 0.5], [-2.0, 1.0], [2.0, -1.0]])
CLASSES = np.array(["no", "yes"])


def test_rows_mistakes_and_losses_are_summed():
    record = Record()
    assert record.error is None
    record.learned(10, Evaluation(10, 3, 5.0))
    record.learned(10, Evaluation(10, 1, 1.0))
    assert record.error == 0.2
    assert record.mean_log_loss == 0.3


def test_points_of_the_curve_are_further_and_further_apart():
    record = Record()
    for _ in range(100):
        record.learned(1, Evaluation(1, 0, None))
    rows = [int(point[0]) for point in record.curve]
    assert rows == [16, 24, 36, 54, 81]
    assert record.mark == 122


def test_skipped_rows_are_counted_by_kind():
    record = Record()
    record.skip([Bad(1, "a"), Bad(2, "b"), Bad(3, "a")])
    assert record.skipped == {"a": 2, "b": 1}


def test_plain_values_give_the_record_back():
    record = Record(3, 2, 1, 0.5, {"a": 1}, ["x"], {}, {"b": 2}, [[1, 1, 0, None]])
    assert Record.from_dict(record.as_dict(), 2) == record


@pytest.mark.parametrize(
    "damaged",
    [
        {"labels": [1, 2, 3]},
        {"metrics": asdict(Metrics([2, 1], [1, 0], [[1, 1], [1]]))},
        {"metrics": asdict(Metrics([2, 1], [1]))},
        {"test": asdict(Metrics([2, 1], [1, 0], [], [[0], [1]]))},
    ],
)
def test_counts_of_other_classes_are_refused(damaged):
    plain = Record(3, 2, 1, 0.5).as_dict()
    with pytest.raises(ValueError, match=r"must count 2 classes|inhomogeneous"):
        Record.from_dict(plain | damaged, 2)


@pytest.mark.parametrize("kind", [rb.BayesPerceptron, rb.OnlinePerceptron])
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_count_by_their_weights(kind, classes):
    codes, weights = np.arange(4) % classes, np.array([3, 0, 1, 4])
    labels = np.array(["a", "b", "c"][:classes])
    model = kind()
    learn_batch(model, X, labels[codes], weights, labels)
    found = learn_batch(model, X, labels[codes], weights)
    assert (found.rows, sum(found.labels)) == (8, 8)
    more = learn_batch(model, X, labels[codes], weights, labels)
    assert more.mistakes <= 8


def test_a_bayesian_perceptron_is_evaluated_on_each_row_before_it_learns_it():
    model = rb.BayesPerceptron("diagonal")
    assert evaluates_rows(model, 2)
    found = learn_batch(model, X, CLASSES[CODES], classes=CLASSES)
    same = rb.BayesPerceptron("diagonal")
    shares = same.predict_then_learn(X, CLASSES[CODES], classes=CLASSES)
    assert (found.rows, found.labels) == (4, np.bincount(CODES).tolist())
    assert found.mistakes == (shares.argmax(axis=1) != CODES).sum()
    assert found.log_loss == pytest.approx(-model.log_evidence_[0])


def test_other_models_are_evaluated_on_a_batch_before_they_learn_it():
    model = rb.ClippedHebb(binarise=0.0)
    assert not evaluates_rows(model, 2)
    first = learn_batch(model, X, CLASSES[CODES], classes=CLASSES)
    assert first.rows == 0  # it knows nothing yet
    wrong = int((model.predict(X) != CLASSES[CODES]).sum())
    assert learn_batch(model, X, CLASSES[CODES], classes=CLASSES)[:2] == (4, wrong)


def test_counts_are_added_and_the_curve_is_left_out():
    first = Record(3, 2, 1, 0.5, {"a": 1}, ["x"], {"m": 2}, {}, [[3, 2, 1, 0.5]])
    second = Record(4, 4, 0, None, {"a": 2, "b": 1})
    before = copy.deepcopy(first)
    found = first + second
    assert found == Record(7, 6, 1, 0.5, {"a": 3, "b": 1}, ["x"], {"m": 2}, {})
    assert first == before


def test_a_label_that_comes_later_is_a_mistake_without_a_loss():
    model = rb.BayesPerceptron("diagonal")
    learn_batch(model, X, CLASSES[CODES])  # no classes given: others may come
    found = learn_batch(model, X, np.array(["no", "perhaps", "no", "yes"]))
    assert found.metrics.labels == [2, 1, 1]
    assert found.metrics.wrong[1] == 1
    assert 0.0 < found.log_loss < 100.0
