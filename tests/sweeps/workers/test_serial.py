from rosenblatt.sweeps.plan.plan import Plan
from rosenblatt.sweeps.workers.serial import SerialWorker


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
