import os
import signal
import threading

import pytest

import rosenblatt as rb
from rosenblatt.training.control import Interrupts, TrainingBar, summary
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
