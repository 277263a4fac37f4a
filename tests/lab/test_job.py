"""Views as processes compute them, and the processes."""

import multiprocessing
import os
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab import job as module
from rosenblatt.lab.job import Curve, Job, Remark, Run, experiment, grid, view
from rosenblatt.lab.state import State, offer
from tests.laboratory import OWN_FILE, simulated

SMALL = State(dim=20, alpha=10.0, replicas=4, seed=3)
SOON = 120  # seconds on a busy machine


SIZES = [(1, 1.0), (7, 0.3), (50, 6.0), (1000, 1000.0), (10**9, 1e12)]


@pytest.mark.parametrize(("dim", "alpha"), SIZES)
def test_times_are_whole_numbers_of_examples_and_stages_end_with_all(dim, alpha):
    times = grid(State(dim=dim, alpha=alpha))
    examples = times * dim
    np.testing.assert_allclose(examples, np.rint(examples), rtol=1e-12)
    assert times[0] == 0
    assert (np.diff(times) > 0).all()
    assert times[-1] == round(alpha * dim) / dim
    ends = module._stages(times)
    assert ends[-1] == len(times) <= 300
    assert len(ends) <= 12
    assert sorted(set(ends)) == ends
    if len(ends) > 1:  # all stages together cost at most about twice the last
        assert sum(times[end - 1] for end in ends) < 2.2 * times[-1]


def runs(state):
    return [message for message in view(state) if isinstance(message, Run)]


@pytest.mark.parametrize(
    "state",
    [
        SMALL,
        State(dim=20, alpha=30.0, replicas=3, noise=0.2),
        State(dim=20, alpha=30.0, replicas=3, mean=2.0, overlap=1.0, shifted="average"),
        State(rule="binary-bayes", normalised=False, dim=20, alpha=4.0, replicas=3),
    ],
    ids=lambda state: f"{state.rule} {state.noise} {state.shifted}",
)
def test_a_curve_that_grows_is_one_run_to_the_bit(state, monkeypatch):
    monkeypatch.setattr(module, "_QUICK", 0.0)
    found = runs(state)
    assert [run.complete for run in found] == [False] * (len(found) - 1) + [True]
    assert len(found) > 2
    whole = simulated(state)
    assert found[-1].result.identical(whole)
    for run in found:
        # what a start records of its own examples has the right law only
        times = run.result.alpha.values
        later = times >= (20.0 if state.shifted != "none" else 0.0)
        for name in ("error", "norm", "mistakes"):
            part, all_of = run.result[name].values, whole[name].values
            np.testing.assert_array_equal(
                part[:, later], all_of[:, : times.size][:, later]
            )


def test_theory_and_the_least_error_come_along():
    lines = {m.role: m for m in view(SMALL) if isinstance(m, Curve)}
    assert set(lines) == {"theory", "best"}
    curve = rb.solve(**experiment(SMALL), alpha=grid(SMALL))
    np.testing.assert_array_equal(lines["theory"].error, curve.error[0])
    best = lines["best"]
    assert (best.error <= curve.error.values[0, -best.alpha.size :]).all()


def test_a_view_that_would_take_too_long_stops(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    *_, last = view(SMALL)
    assert last.text.startswith("Stopped at")
    assert "Choose a smaller N" in last.text


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (State(mean=1.0, overlap=2.0), "overlap must not exceed"),
        (State(shifted="known"), "overlap must not be 0"),
        (State(rule="full-bayes"), "belief about every weight"),
        (State(figure="nothing/fig1"), "there is no figure 'nothing/fig1'"),
        (State(dim=20, alpha=0.01), "alpha must be at least 1/N = 0.05, one example"),
    ],
)
def test_contradictions_are_errors_with_a_reason(state, why):
    with pytest.raises(ValueError, match=why):
        list(view(state))


def test_a_belief_without_theory_is_said():
    full = State(rule="full-bayes", normalised=False, dim=5, alpha=2.0, replicas=2)
    texts = [m.text for m in view(full) if isinstance(m, Remark)]
    assert texts == ["There is no theory for this: none is known for FullBayes"]


def test_parts_are_those_of_the_command_line():
    around = {"decay": 0.5, "shifted": "field", "opening": 3.0}
    stream = {"noise": 0.1, "mean": 2.0, "overlap": 1.0}
    parts = {"rule": "perceptron:margin=1", "schedule": "constant:rate=2"}
    inner = rb.rules.Shifted(
        rb.rules.Perceptron(1.0), rb.rules.AverageShift(uniform=False), 3.0
    )
    assert experiment(State(**around, **stream, **parts)) == {
        "rule": rb.rules.Normalised(rb.rules.Decay(inner, 0.5)),
        "schedule": rb.schedules.Constant(2.0),
        "teacher": rb.teachers.Sign(noise=0.1),
        "stream": rb.streams.Gaussian(mean=2.0, overlap=1.0),
        "motion": None,
    }


def done(job):
    """Return all messages of a job."""
    found, deadline = [], time.monotonic() + SOON
    while job.running:
        assert time.monotonic() < deadline
        found += job.messages()
        time.sleep(0.01)
    return found


def test_a_process_computes_the_rule_of_a_file_and_passes_warnings_on():
    offer([f"{OWN_FILE}:Halving"])
    job = Job(replace(SMALL, rule="halving", shifted="average", noise=0.1))
    found = done(job)
    *_, last = (message for message in found if isinstance(message, Run))
    assert "Halving" in last.result.attrs["spec"]
    said = " ".join(m.text for m in found if isinstance(m, Remark))
    assert "balanced" in said
    job.stop()


def test_a_process_may_be_ended_before_it_starts_and_while_it_works():
    for pause in (0.0, 2.0):
        job = Job(State(rule="hebb", alpha=1e4, replicas=1000))
        time.sleep(pause)
        job.stop()
        deadline = time.monotonic() + SOON
        while job._process.pid is None or job._process.exitcode is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def _burn(pipe, state):
    module._PROCESSOR = 1
    module._limit()
    while True:
        pass


def _fill(pipe, state):
    module._MEMORY = 2**30  # more than the process has already
    module.view = lambda state: iter([bytearray(2**31)])
    module._work(pipe, state, ())


@pytest.mark.skipif(not hasattr(os, "nice"), reason="no limits of time and memory here")
@pytest.mark.parametrize("work", [_burn, _fill])
def test_a_process_cannot_take_more_than_it_may(work):
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, SMALL))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads
        process.start()
    process.join(SOON)
    if work is _burn:
        assert process.exitcode < 0
    else:
        words = "this needs more than the 1 GiB that it may have"
        assert ours.recv() == Remark(words, failure=True)
