import pytest

from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.store.records import read_record
from rosenblatt.sweeps.store.results import decode
from rosenblatt.sweeps.workers.compute import SerialWorker, compute

KEY = b"k" * 16


def test_a_result_becomes_a_record_with_its_key():
    done = compute(lambda x: x + 1, 7, KEY, {"x": 1}, threads=1)
    assert (done.item, done.failure) == (7, "")
    key, body = read_record(done.record)
    assert key == KEY
    assert decode(body).variables["value"].values == 2
    assert done.seconds >= 0


def test_an_error_becomes_one_line_with_file_and_line():
    def fails(x):
        raise ValueError(f"x must be\nless, got {x}")

    done = compute(fails, 0, KEY, {"x": 1}, threads=1)
    assert done.record is None
    assert done.failure.startswith("ValueError: x must be less, got 1 (")
    assert f"{__file__}, line" in done.failure


def test_results_that_cannot_be_stored_are_failures():
    done = compute(lambda: object(), 0, KEY, {}, threads=1)
    assert done.record is None
    assert "a result must be a number" in done.failure


def test_an_interrupt_is_no_failure():
    def stops():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compute(stops, 0, KEY, {}, threads=1)


def test_items_are_computed_one_at_a_time_in_their_order():
    worker = SerialWorker(Plan(lambda x: 1 / x, {}, {"x": [2, 0, 4]}))
    assert worker.events(0.0) == []
    assert worker.capacity() == 1
    worker.submit([2, 1])
    assert worker.capacity() == 0
    (first,), (second,) = worker.events(0.0), worker.events(0.0)
    assert (first.item, first.failure) == (2, "")
    assert (second.item, second.record) == (1, None)
    assert "ZeroDivisionError" in second.failure
    assert worker.capacity() == 1
    worker.close()
