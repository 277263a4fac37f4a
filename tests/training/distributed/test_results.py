from rosenblatt.training.distributed.results import add_records
from rosenblatt.training.record import Record


def test_counts_are_added_and_the_curve_is_left_out():
    first = Record(3, 2, 1, 0.5, {"a": 1}, {"m": 2}, {}, [[3, 2, 1, 0.5]])
    second = Record(4, 4, 0, None, {"a": 2, "b": 1})
    found = add_records(first, second)
    assert found == Record(7, 6, 1, 0.5, {"a": 3, "b": 1}, {"m": 2}, {})
    assert add_records(None, first) is first
    assert add_records(None, None) is None
