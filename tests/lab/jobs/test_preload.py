import threading

import rosenblatt as rb
from rosenblatt.lab.jobs.preload import compile_kernels


def test_kernels_are_run_and_no_thread_is_left(monkeypatch):
    """A fork server with threads could not be forked safely."""
    simulated, simulate = [], rb.simulate

    def noted(rule, *parts, **more):
        simulated.append(rule)
        return simulate(rule, *parts, **more)

    monkeypatch.setattr(rb, "simulate", noted)
    before = threading.active_count()
    compile_kernels()
    assert len(simulated) == 4
    assert threading.active_count() == before
