import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.core import Clock, Rule, Teacher, Update

PERCEPTRON = rb.rules.Normalised(rb.rules.Perceptron())


class Probit(Teacher):
    """A smooth teacher."""

    def bind(self):
        def positive(b):
            return 0.5 * math.erfc(-b / math.sqrt(2.0))

        return positive


class Mine(Rule):
    """A user's own rule, without a decorator even."""

    def bind(self):
        def step(p):
            return Update(p.rate * p.label * math.exp(-p.label * p.field), 0.0)

        return step


def late(clock: Clock) -> float:
    return 0.0 if clock.time < 1.0 else 0.5


CONSTANT = rb.schedules.Constant()


def run(rule, schedule=CONSTANT, *parts, dim=20, **options):
    return rb.simulate(rule, schedule, *parts, dim=dim, alpha=[0, 2], **options)


@pytest.mark.parametrize(
    ("engine", "rule", "parts", "options"),
    [
        ("events", PERCEPTRON, (), {}),
        ("events", PERCEPTRON, (rb.teachers.Sign(0.05),), {}),
        ("reduced", PERCEPTRON, (rb.teachers.Sign(0.2),), {}),
        ("reduced", rb.rules.Hebb(), (), {}),
        ("reduced", PERCEPTRON, (Probit(),), {}),
        ("full", rb.rules.Hebb(), (), {"dim": 1}),
        ("full", PERCEPTRON, (), {"start": rb.starts.Vector((1.0,) * 20)}),
    ],
)
def test_the_fastest_engine_that_can_is_taken(engine, rule, parts, options):
    assert (
        run(rule, rb.schedules.Constant(), *parts, **options).attrs["engine"] == engine
    )


def test_no_engine_is_an_error_with_all_reasons():
    with pytest.raises(ValueError, match=r"no engine can.*'events'.*'reduced'.*'full'"):
        run(PERCEPTRON, start=rb.starts.Vector((1.0, 2.0)))


def test_users_rules_and_schedules_work_everywhere():
    for engine in ("full", "reduced"):
        assert run(Mine(), late, engine=engine).error.notnull().all()
    assert rb.solve(Mine(), late, alpha=[0, 1, 3]).error.notnull().all()
    frozen = run(PERCEPTRON, lambda clock: 0.0, engine="events")
    assert np.array_equal(frozen.angle.values[:, 0], frozen.angle.values[:, 1])


def test_schedules_are_given_examples_and_mistakes_with_the_current_one():
    """The rate is the clock itself; Hebb's first step from zero shows it."""

    def time(clock):
        return clock.time

    def mistakes(clock):
        return clock.mistakes

    for schedule in (time, mistakes):
        for engine in ("full", "reduced"):
            once = rb.simulate(
                rb.rules.Hebb(),
                schedule,
                dim=50,
                alpha=1 / 50,
                replicas=2000,
                engine=engine,
            )
            # |w| = rate |x|, with a rate of 1/50 since the first example is a tie
            length = once.norm.values * 50
            assert abs((length**2).mean() * 50 - 1) < 5 * math.sqrt(2 / 50 / 2000)


@pytest.mark.parametrize("bad", ["no", 3, np.array([1, 2])])
def test_progress_must_be_true_false_or_none(bad):
    with pytest.raises(TypeError, match="progress must be True or False, got"):
        run(PERCEPTRON, progress=bad)
