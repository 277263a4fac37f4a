"""The harness itself: it must see every kind of fault."""

import ctypes
import os
import time

import numpy as np
import pytest

from tests.fuzz.cases import Case, FaultError
from tests.fuzz.children import new_random, run_cases
from tests.fuzz.commands import command


class Misbehaving:
    """A format whose cases do what the library must not do."""

    def __init__(self, act):
        self.act = act

    def prepare(self, folder):
        return None

    def mutate(self, golden, random):
        return Case("one case", {"file.txt": random.randbytes(8)})

    def run(self, case, folder, stage):
        stage("act")
        self.act(folder)


def outcome(act, folder):
    random = new_random("x", 0, 0)
    [found] = run_cases(Misbehaving(act), None, [random], folder / "case")
    return found


def reads_nowhere(folder):
    ctypes.string_at(0)


def spins(folder):
    while True:
        pass


def takes_memory(folder):
    np.ones(3 << 28)  # 6 GiB


def raises(failure):
    def act(folder):
        raise failure

    return act


def refuses(folder):
    command(["simulate", "--rule", "nothing"], lambda text: None)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (reads_nowhere, "SIGSEGV in act"),
        (lambda folder: os.abort(), "SIGABRT in act"),
        (lambda folder: os._exit(3), "exit with 3 in act"),
        (takes_memory, "MemoryError"),
        (lambda folder: {}[1], "KeyError"),
        (lambda folder: {}[[]], "not a check: TypeError"),
        (raises(ValueError()), "no message"),
        (raises(FaultError("the model changed")), "the model changed"),
        (raises(ZeroDivisionError("x")), "ZeroDivisionError"),
    ],
)
def test_every_kind_of_fault_is_seen(act, why, tmp_path):
    found = outcome(act, tmp_path)
    assert found.kind == "fault"
    assert why in found.detail


def test_a_documented_exception_that_is_raised_on_purpose_is_a_refusal(tmp_path):
    found = outcome(raises(ValueError("X must be finite")), tmp_path)
    assert found == ("refused", "ValueError at test_children.py:act: X must be finite")


def test_a_hang_is_ended_and_is_a_fault(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.fuzz.children.SECONDS", 1)
    began = time.monotonic()
    found = outcome(spins, tmp_path)
    assert found.kind == "fault"
    assert found.detail.startswith("hang")
    assert time.monotonic() - began < 30


def test_a_command_that_refuses_in_one_line_is_a_refusal(tmp_path):
    found = outcome(refuses, tmp_path)
    assert found.kind == "refused"
    assert "rosenblatt: there is no rule 'nothing'" in found.detail
