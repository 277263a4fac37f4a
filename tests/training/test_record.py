from dataclasses import asdict

import pytest

from rosenblatt.tables import Bad
from rosenblatt.training.evaluation.metrics import Metrics
from rosenblatt.training.models import Evaluation
from rosenblatt.training.record import Record


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
    record = Record(3, 2, 1, 0.5, {"a": 1}, {}, {"b": 2}, [[1, 1, 0, None]])
    assert Record.from_dict(record.as_dict()) == record


@pytest.mark.parametrize(
    "damaged",
    [
        {"curve": [[]]},
        {"curve": [[1, 1, None, 0.5]]},
        {"curve": [[2, 2, 0, None], [1, 1, 0, None]]},
        {"mistakes": 3},
        {"missing": {"a": -1}},
        {"metrics": asdict(Metrics([2, 1], [1, 0], [[1, 1], [1]]))},
        {"metrics": asdict(Metrics([2, 1], [1]))},
        {"test": asdict(Metrics([2, -1], [1, 0]))},
    ],
)
def test_impossible_counts_are_refused(damaged):
    plain = Record(3, 2, 1, 0.5).as_dict()
    with pytest.raises(ValueError, match="must"):
        Record.from_dict(plain | damaged)
