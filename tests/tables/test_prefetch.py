import itertools
import threading
import time

import pytest

from rosenblatt.tables import prefetched


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
