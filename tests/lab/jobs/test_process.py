"""Processes of jobs, from a fork server that is started once."""

import time

import pytest

from rosenblatt.lab.jobs.messages import Done, Job, Ready, Run
from rosenblatt.lab.jobs.process import JobProcess, run_in_process
from rosenblatt.lab.state import State

SOON = 120  # seconds on a busy machine
JOB = Job(State(dim=10, alpha=1.0, replicas=2))


@pytest.fixture
def process():
    found = JobProcess(JOB)
    yield found
    found.kill()


def wait_for(process, kind):
    """Let a process go on until it sends a message of a kind; return all messages."""
    found, deadline = [], time.monotonic() + SOON
    while not any(isinstance(message, kind) for message in found):
        assert time.monotonic() < deadline
        new = process.messages()
        found += new
        if any(isinstance(message, Ready) for message in new):
            process.proceed()
        time.sleep(0.01)
    return found


def test_a_process_computes_stage_by_stage_and_ends(process):
    found = wait_for(process, Done)
    assert any(isinstance(message, Run) and message.complete for message in found)
    deadline = time.monotonic() + SOON
    while not process.ended:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_process_may_be_killed_before_it_starts():
    process = JobProcess(JOB)
    process.kill()
    deadline = time.monotonic() + SOON
    while not process._killed or process._child.process.is_alive():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_function_runs_in_another_process(tmp_path):
    run_in_process((tmp_path / "made").mkdir)
    assert (tmp_path / "made").is_dir()
