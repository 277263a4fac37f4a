"""Ctrl-C while compiled code runs that never returns."""

import subprocess
import sys

import pytest

SCRIPT = """
import os, signal, sys, threading
from dataclasses import dataclass
import numpy as np
import rosenblatt as rb
from rosenblatt.core import Rule, Update

signal.signal(signal.SIGINT, signal.default_int_handler)

@dataclass(frozen=True)
class Endless(Rule):
    @property
    def kinks(self):
        return ()

    def bind(self):
        def step(p):
            gain = p.rate * p.label
            while p.rate > 1.0 and gain < 1e300:  # where it is reset
                gain = gain * 1.000001 + 1.0
                if gain > 1e200:
                    gain = 1.0
            return Update(gain=gain, decay=0.0)
        return step

X, y = np.eye(4), np.arange(4) % 2
rule, C = Endless(), rb.schedules.Constant
given = {"dim": 9, "alpha": 1, "replicas": 4, "workers": 2, "progress": False}
CALLS = {
    "full": lambda rate: rb.simulate(rule, C(rate), engine="full", **given),
    "reduced": lambda rate: rb.simulate(rule, C(rate), engine="reduced", **given),
    "solve": lambda rate: rb.solve(rule, C(rate), alpha=1),
    "fit": lambda rate: rb.OnlinePerceptron(rule, C(rate)).fit(X, y),
    "weights": lambda rate: rb.BayesPerceptron("diagonal").fit(
        X, y, sample_weight=1 if rate == 1 else 2.0**38),
    "bits": lambda rate: rb.BinaryBayesPerceptron().fit(
        X, y, sample_weight=1 if rate == 1 else 2.0**38),
}
for name in sys.argv[1:]:
    call = CALLS[name]
    call(1.0)  # all is compiled
    before = threading.active_count()
    timer = threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        call(2.0)
    except KeyboardInterrupt:
        timer.join()
        print(name, threading.active_count() > before, flush=True)
os._exit(0)  # the threads would go on
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signal to oneself")
@pytest.mark.parametrize(
    "names",
    [
        ["full", "fit"],
        pytest.param(["reduced", "solve", "weights", "bits"], marks=pytest.mark.slow),
    ],
)
def test_a_rule_or_a_repetition_without_end_can_be_interrupted(names):
    command = [sys.executable, "-c", SCRIPT, *names]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert found.stdout.splitlines() == [f"{name} True" for name in names], found.stderr
