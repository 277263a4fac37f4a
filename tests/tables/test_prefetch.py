import itertools
import threading
import time

import pytest

from rosenblatt.tables import in_order, prefetched


def test_items_come_in_order_and_errors_after_those_before_them():
    def source():
        yield from range(20)
        raise ValueError("broken")

    found = []
    with pytest.raises(ValueError, match="broken"):
        found.extend(prefetched(source()))
    assert found == list(range(20))


def test_no_more_is_made_than_may_wait():
    made = itertools.count()
    seen = prefetched((next(made) for _ in range(100)), ahead=2)
    next(seen)
    time.sleep(0.3)
    assert next(made) <= 1 + 2 + 1  # given, waiting, and one that wants to
    seen.close()


def test_the_thread_ends_when_nobody_wants_more():
    seen = prefetched(itertools.count())
    next(seen)
    seen.close()
    assert not any(t.name == "reader" and t.is_alive() for t in threading.enumerate())


def test_waiting_ends_when_it_is_told_to():
    stop = threading.Event()

    def source():
        yield 1
        stop.wait(10)

    seen = prefetched(source(), stopped=lambda: stop.is_set())
    assert next(seen) == 1
    threading.Timer(0.2, stop.set).start()
    assert list(seen) == []


def test_what_is_made_by_several_threads_comes_in_order():
    def slow(item):
        time.sleep(0.02 * (item % 3 == 0))
        return 10 * item

    assert list(in_order(slow, iter(range(20)))) == list(range(0, 200, 10))


@pytest.mark.parametrize("where", ["source", "make"])
def test_errors_come_after_all_that_is_before_them(where):
    def source():
        yield from range(10)
        raise ValueError("broken")

    def make(item):
        if where == "make" and item == 7:
            raise ValueError("broken")
        return item

    found = []
    with pytest.raises(ValueError, match="broken"):
        found.extend(in_order(make, source()))
    assert found == list(range(10 if where == "source" else 7))
