import os
import signal
import threading

import pytest

from rosenblatt.training.interrupts import Interrupts


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
