import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab.jobs.experiment import check, experiment, grid, seconds, stages
from rosenblatt.lab.state import State

SIZES = [(1, 0.001), (1, 1.0), (7, 0.3), (50, 6.0), (1000, 1000.0), (10**9, 1e12)]


@pytest.mark.parametrize(("dim", "alpha"), SIZES)
def test_times_are_whole_numbers_of_examples_and_stages_end_with_all(dim, alpha):
    times = grid(State(dim=dim, alpha=alpha))
    examples = times * dim
    np.testing.assert_allclose(examples, np.rint(examples), rtol=1e-12)
    assert times[0] == 0
    assert (np.diff(times) > 0).all()
    assert times[-1] == round(alpha * dim) / dim
    ends = stages(times)
    assert ends[-1] == len(times) <= 300
    assert len(ends) <= 12
    assert sorted(set(ends)) == ends
    if len(ends) > 1:  # all stages together cost at most about twice the last
        assert sum(times[end - 1] for end in ends) < 2.2 * times[-1]


@pytest.mark.parametrize(
    "state",
    [
        State(dim=20, alpha=30.0, replicas=3),
        State(dim=20, alpha=30.0, replicas=3, noise=0.2),
        State(dim=20, alpha=30.0, replicas=3, mean=2.0, overlap=1.0, shifted="average"),
        State(rule="binary-bayes", normalised=False, dim=20, alpha=4.0, replicas=3),
    ],
    ids=lambda state: f"{state.rule} {state.noise} {state.shifted}",
)
def test_each_stage_is_the_beginning_of_the_next_to_the_bit(state):
    parts, times = experiment(state), grid(state)
    numbers = {"dim": state.dim, "replicas": 3, "seed": 1, "progress": False}
    whole = rb.simulate(**parts._asdict(), alpha=times, **numbers)
    for end in stages(times)[:-1]:
        part = rb.simulate(**parts._asdict(), alpha=times[:end], **numbers)
        # what a start records of its own examples has the right law only
        later = times[:end] >= (20.0 if state.shifted != "none" else 0.0)
        found = whole.isel(alpha=slice(0, end))
        for name in ("error", "norm", "mistakes"):
            np.testing.assert_array_equal(
                part[name].values[:, later], found[name].values[:, later]
            )


def test_parts_are_those_of_the_command_line():
    around = {"decay": 0.5, "shifted": "field", "opening": 3.0}
    stream = {"noise": 0.1, "mean": 2.0, "overlap": 1.0}
    parts = {"rule": "perceptron:margin=1", "schedule": "constant:rate=2"}
    state = State(**around, **stream, **parts)
    inner = rb.rules.Shifted(
        rb.rules.Perceptron(1.0), rb.rules.AverageShift(uniform=False), 3.0
    )
    assert experiment(state) == (
        rb.rules.Normalised(rb.rules.Decay(inner, 0.5)),
        rb.schedules.Constant(2.0),
        rb.teachers.Sign(noise=0.1),
        rb.streams.Gaussian(mean=2.0, overlap=1.0),
        None,
    )


@pytest.mark.parametrize(
    ("state", "mistakes"),
    [
        (State(rule="hebb", dim=10**6, alpha=1e6), None),
        (State(dim=10**9, alpha=1e6), 30.0),
        (State(dim=1000, alpha=1e9, noise=0.3), 3e8),
        (State(rule="full-bayes", normalised=False, dim=100_000, alpha=1.0), None),
        (State(rule="diagonal-bayes", normalised=False, dim=10**9, alpha=1e-3), None),
    ],
    ids=str,
)
def test_what_would_take_too_long_is_refused(state, mistakes):
    with pytest.raises(ValueError, match=r"would (take|need) .*smaller N"):
        check(state, experiment(state), mistakes)


def test_what_is_cheap_is_not_refused():
    check(State(), experiment(State()), mistakes=5.0)
    large = State(dim=5000, alpha=1e9, replicas=4)  # 2e13 examples, few mistakes
    check(large, experiment(large), mistakes=15.0)
    assert seconds(large, experiment(large), mistakes=15.0) < 1


def test_contradictions_are_errors_that_say_what():
    with pytest.raises(ValueError, match="overlap must not exceed"):
        experiment(State(mean=1.0, overlap=2.0))
    with pytest.raises(ValueError, match="overlap must not be 0"):
        experiment(State(shifted="known"))
    with pytest.raises(ValueError, match="belief about every weight"):
        experiment(State(rule="full-bayes"))
