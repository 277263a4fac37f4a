import itertools
import multiprocessing
import os
import tempfile
import threading
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core.figures import FigureData
from rosenblatt.lab.jobs import work as job
from rosenblatt.lab.jobs.experiment import experiment, grid
from rosenblatt.lab.jobs.messages import Curve, Done, Job, Ready, Remark, Run
from rosenblatt.lab.jobs.work import PAPERS, work
from rosenblatt.lab.state import State

SMALL = State(dim=20, alpha=10.0, replicas=4, seed=3)
OWN = """
from dataclasses import dataclass
from rosenblatt.core import Rule, Update

@dataclass(frozen=True)
class Half(Rule):
    def bind(self):
        def step(p):
            wrong = p.label * p.field <= 0.0
            return Update(gain=0.5 * p.rate * p.label if wrong else 0.0, decay=0.0)
        return step
"""


@pytest.fixture
def done(monkeypatch):
    """Return a function that does a job in a thread of this process."""
    monkeypatch.setattr("rosenblatt.lab.jobs.work._limit", lambda: None)

    def do(job):
        ours, theirs = multiprocessing.Pipe()
        threading.Thread(target=work, args=(theirs, job), daemon=True).start()
        found = []
        while found[-1:] != [Done()]:
            found.append(ours.recv())
            if isinstance(found[-1], Ready):
                ours.send(None)
        return found

    return do


def test_the_last_stage_is_what_simulate_gives(done, monkeypatch):
    monkeypatch.setattr(job, "_QUICK", 0.0)
    found = done(Job(SMALL))
    runs = [message for message in found if isinstance(message, Run)]
    assert [run.complete for run in runs] == [False] * (len(runs) - 1) + [True]
    assert len(runs) > 2
    whole = rb.simulate(
        **experiment(SMALL)._asdict(), dim=20, alpha=grid(SMALL), replicas=4, seed=3
    )
    assert runs[-1].result.identical(whole)
    for run in runs:  # the curve that is seen to grow is one run
        size = run.result.sizes["alpha"]
        np.testing.assert_array_equal(run.result.error, whole.error[:, :size])


def test_a_quick_run_has_no_stages_between_the_first_and_the_last(done):
    runs = [message for message in done(Job(SMALL)) if isinstance(message, Run)]
    assert [run.complete for run in runs] == [False, True]
    assert runs[-1].result.sizes["alpha"] == len(grid(SMALL))


def test_theory_and_asymptote_come_along(done):
    lines = {m.role: m for m in done(Job(SMALL)) if isinstance(m, Curve)}
    assert set(lines) == {"theory", "asymptote", "best"}
    curve = rb.solve(**experiment(SMALL)._asdict(), alpha=grid(SMALL))
    np.testing.assert_array_equal(lines["theory"].error, curve.error[0])
    late = lines["asymptote"]
    np.testing.assert_allclose(late.error, 4 / np.pi / late.alpha, rtol=1e-5)
    assert (
        lines["best"].error <= curve.error.values[0, -lines["best"].alpha.size :]
    ).all()


def test_every_piece_of_work_waits_for_its_turn(done):
    found = done(Job(SMALL))
    kinds = [type(message) for message in found]
    pieces = [i for i, kind in enumerate(kinds) if kind is Run]
    for before, after in itertools.pairwise(pieces):
        assert Ready in kinds[before:after]


def test_what_is_wrong_is_said(done):
    for state in (
        State(mean=1.0, overlap=2.0),
        State(rule="hebb", dim=10**6, alpha=1e6),
        State(figure="nothing/fig1"),
    ):
        said = [m for m in done(Job(state)) if isinstance(m, Remark)]
        assert said[-1].failure
        assert said[-1].text
    said = done(Job(State(dim=20, alpha=0.01)))[-2]
    assert said.text == "alpha must be at least 1/N = 0.05, one example, got 0.01"
    full = State(rule="full-bayes", normalised=False, dim=5, alpha=2.0, replicas=2)
    texts = [m.text for m in done(Job(full)) if isinstance(m, Remark)]
    assert texts == ["There is no theory for this: none is known for FullBayes"]


def test_warnings_reach_the_visitor(done):
    balanced = State(dim=20, alpha=30.0, replicas=2, shifted="average", noise=0.1)
    texts = " ".join(m.text for m in done(Job(balanced)) if isinstance(m, Remark))
    assert "balanced" in texts


def test_a_figure_is_sent_as_it_is(done):
    found = done(Job(State(figure="winther1997/calibration")))
    (data,) = [message for message in found if isinstance(message, FigureData)]
    assert data.series


def test_a_rule_in_a_file_of_the_server_runs(done, tmp_path):
    (tmp_path / "half_again.py").write_text(OWN)
    rules = (f"{tmp_path}/half_again.py:Half",)
    runs = [m for m in done(Job(replace(SMALL, rule="half"), rules)) if type(m) is Run]
    assert runs[-1].complete
    assert "Half" in runs[-1].result.attrs["spec"]


@pytest.fixture
def forked():
    """Return a function that runs another in a process, with a pipe between."""
    if not hasattr(os, "nice"):
        pytest.skip("this system has no limits of time and memory")

    def start(function):
        ours, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        process = context.Process(target=function, args=(theirs,))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads
            process.start()
        return process, ours

    return start


def _fill(pipe):
    job._MEMORY = 2**30  # more than the process has already
    greedy = OWN.replace("def step", "held = [bytearray(2**31)]\n        def step")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "greedy_rule.py").write_text(greedy)
        rules = (f"{folder}/greedy_rule.py:Half",)
        work(pipe, Job(replace(SMALL, rule="half"), rules))


def test_a_process_cannot_take_more_memory_than_it_may(forked):
    process, ours = forked(_fill)
    assert ours.recv() == Ready()
    ours.send(None)
    said = ours.recv()
    process.join(60)
    assert said == Remark(
        "this needs more than the 1 GiB that it may have", failure=True
    )


def test_there_are_seven_papers():
    assert len(PAPERS) == 7


def _burn(pipe):
    job.PATIENCE = 0.4  # a processor second in all
    job._limit()
    pipe.send("begun")
    while True:
        pass


def test_a_process_cannot_take_more_time_than_it_may(forked):
    process, ours = forked(_burn)
    assert ours.recv() == "begun"
    process.join(60)
    assert process.exitcode is not None
    assert process.exitcode < 0
