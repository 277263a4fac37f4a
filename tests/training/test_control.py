import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training.control import (
    Interrupts,
    TrainingBar,
    named,
    named_warnings,
    prefetched,
    summary,
)
from rosenblatt.training.record import Record
from tests.tables.examples import table, write


def test_the_bar_says_rows_speed_error_and_is_on_standard_error(tmp_path, capsys):
    path = write(table(300), tmp_path / "x.csv")
    record = rb.train(path, "won", progress=True, batch_rows=100).record
    out, err = capsys.readouterr()
    assert out == ""
    for part in ("300 rows", "/s", "error", "log-loss", "100%"):
        assert part in " ".join(err.split())
    assert f"{record.error:.4f}" in err


@pytest.mark.parametrize("shown", [False, None])
def test_without_a_terminal_nothing_is_shown(shown, capsys):
    with TrainingBar(shown) as bar:
        bar.update_record(Record(rows=1), 1, 0.5)
    assert capsys.readouterr() == ("", "")


def test_models_without_probabilities_have_no_log_loss():
    assert summary(Record(rows=4, judged=4, mistakes=1)) == "error 0.2500"
    assert summary(Record()) == "no error measured"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_noted_and_the_second_acts(number):
    before = signal.getsignal(number)
    with Interrupts() as interrupts:
        assert not interrupts.asked
        os.kill(os.getpid(), number)
        assert interrupts.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert signal.getsignal(number) is before


def test_other_threads_change_no_handler():
    handlers = []

    def enter():
        with Interrupts():
            handlers.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert handlers == [before]


def test_numbers_of_unknown_columns_stay():
    assert named("column 0, column 7", ["a"]) == "column 'a', column 7"


def test_warnings_are_given_again_with_their_category():
    wanted = pytest.warns(FutureWarning, match="in column 'b'")
    with wanted, named_warnings("ab", set()):
        warnings.warn("in column 1", FutureWarning, stacklevel=1)


def fail(known):
    with named_warnings("ab", known):
        warnings.warn("in column 1", stacklevel=1)
        raise ValueError("stop")


def test_warnings_are_given_once_and_also_before_an_error():
    known = set()
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        for _ in range(2):
            with pytest.raises(ValueError, match="stop"):
                fail(known)
    assert [str(one.message) for one in given] == ["in column 'b'"]


def test_contexts_of_two_threads_leave_later_warnings_alone():
    before, inside = warnings.showwarning, threading.Event()

    def other():
        with named_warnings("ab", set()):
            inside.set()

    thread = threading.Thread(target=other)
    with named_warnings("ab", set()):
        thread.start()
        assert not inside.wait(0.1)
    thread.join()
    assert warnings.showwarning is before


def test_models_of_two_levels_name_the_column(tmp_path):
    path = write(table(300), tmp_path / "x.csv")
    with pytest.warns(UserWarning, match="the first is column 'a': each is cut"):
        rb.train(path, "won", model="clipped-hebb")
    two = {"z": np.zeros(300), "u": [0, 1] * 100 + [2] * 100, "won": [0, 0, 1] * 100}
    wanted = "a batch up to line .*got 2 in column 'u' beside 0 and 1"
    with pytest.raises(ValueError, match=wanted):
        rb.train(
            write(two, tmp_path / "y.csv"), "won", model="clipped-hebb", batch_rows=50
        )


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


def test_the_process_waits_for_a_step_of_the_reader_when_an_error_ends_it():
    script = """
import os, time
from rosenblatt.training.control import prefetched

def source():
    yield 1
    time.sleep(0.5)
    os.write(1, b"step done")

seen = prefetched(source())
next(seen)
raise SystemExit(3)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True)
    assert (done.returncode, done.stdout) == (3, b"step done"), done.stderr
