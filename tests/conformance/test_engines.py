"""Every rule in every engine and in theory: the same function, the same law."""

import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.engines import events, full, reduced
from tests.conformance.test_parts import MOTIONS
from tests.conformance.test_parts import RULES as DISCOVERED
from tests.laws import assert_same_law
from tests.naming import in_words

# Shifted rules with openings that end early in these runs.
RULES = [
    *DISCOVERED,
    rb.rules.Shifted(rb.rules.Perceptron(), opening=0),
    rb.rules.Shifted(rb.rules.Normalised(rb.rules.Perceptron()), opening=1),
    rb.rules.Shifted(rb.rules.Perceptron(), rb.rules.AverageShift(uniform=False), 1),
    rb.rules.Normalised(
        rb.rules.Shifted(rb.rules.Hebb(), rb.rules.AverageShift(uniform=False), 1)
    ),
]

TEACHER, STREAM = rb.teachers.Sign(0.1), rb.streams.Gaussian(1.5, 1.0)
SCHEDULE = rb.schedules.Power(0.5, 0.5, 1.0)


@pytest.mark.parametrize("rule", RULES, ids=in_words)
def test_full_events_and_reduced_agree_in_law(rule):
    """1000 replicas each: a shift of a distribution function by 0.1 is caught."""
    given = {"dim": 12, "alpha": [0.5, 4, 12], "replicas": 1000}
    other = reduced(rule, SCHEDULE, TEACHER, STREAM, seed=1, **given)
    engines = [full]
    if rule.mistakes_only and not isinstance(rule.shift, rb.rules.AverageShift):
        engines.append(events)
    for engine in engines:
        run = engine(rule, SCHEDULE, TEACHER, STREAM, **given)
        assert_same_law(run, other, ("overlap", "norm", "mean_overlap", "mistakes"))


def assert_limit(run, curve, dim):
    """Means may differ from theory by their error and a finite-size term O(1/N)."""
    for name, scale in [("overlap", 1), ("norm", 1), ("error", 1), ("mistakes", dim)]:
        found = run[name].values / scale
        spread = found.std(axis=0, ddof=1) / math.sqrt(16)
        allowed = 5 * spread + 20 / dim * (1 + abs(curve[name].values[0]))
        assert np.all(abs(found.mean(axis=0) - curve[name].values[0]) < allowed), name


@pytest.mark.parametrize("rule", RULES, ids=in_words)
@pytest.mark.parametrize("stream", [rb.streams.Gaussian(), STREAM], ids=in_words)
def test_theory_is_the_limit_of_simulations(rule, stream):
    """At N = 4000 means may differ by their error and by a finite-size term O(1/N)."""
    start = None
    if rule.shift == rb.rules.AverageShift(uniform=True):
        if stream.center[0] == 0:
            pytest.skip("labels are balanced: there is no shift to learn")
        if rule.start.until == 0:  # the teacher's opposite is stable too
            start = rb.starts.Overlap(0.5)
    dim, alpha = 4000, [0.5, 3, 10]
    run = rb.simulate(
        rule, SCHEDULE, TEACHER, stream, dim=dim, alpha=alpha, replicas=16, start=start
    )
    curve = rb.solve(rule, SCHEDULE, TEACHER, stream, alpha=alpha, start=start)
    assert_limit(run, curve, dim)


@pytest.mark.parametrize(
    "start",
    [
        rb.starts.Random(2.0),
        rb.starts.Zero(),
        rb.starts.Overlap(0.5),
        rb.starts.Hebbian(2),
    ],
    ids=in_words,
)
def test_every_start_has_the_same_law_in_every_engine(start):
    """1000 replicas each: a shift of a distribution function by 0.1 is caught."""
    rule = rb.rules.Perceptron()
    given = {"dim": 12, "alpha": [0, 0.5, 4], "replicas": 1000, "start": start}
    reference = full(rule, SCHEDULE, TEACHER, STREAM, **given)
    for seed, engine in ((1, reduced), (2, events)):
        other = engine(rule, SCHEDULE, TEACHER, STREAM, seed=seed, **given)
        assert_same_law(reference, other, ("overlap", "norm", "mean_overlap"))


@pytest.mark.parametrize("motion", MOTIONS, ids=in_words)
def test_every_drift_has_the_same_law_in_every_engine(motion):
    """1000 replicas each: a shift of a distribution function by 0.1 is caught."""
    rule = rb.rules.Perceptron()
    given = {"dim": 12, "alpha": [0.5, 4, 12], "replicas": 1000, "motion": motion}
    reference = full(rule, SCHEDULE, TEACHER, **given)
    for seed, engine in ((1, reduced), (2, events)):
        assert_same_law(reference, engine(rule, SCHEDULE, TEACHER, seed=seed, **given))


@pytest.mark.parametrize("motion", MOTIONS, ids=in_words)
def test_theory_with_a_drift_is_the_limit_of_simulations(motion):
    """At N = 4000 means may differ by their error and by a finite-size term O(1/N)."""
    rule, dim, alpha = rb.rules.Decay(rb.rules.Perceptron(), 0.2), 4000, [0.5, 3, 10]
    given = {"alpha": alpha, "motion": motion, "start": rb.starts.Overlap(0.5)}
    run = rb.simulate(rule, SCHEDULE, TEACHER, dim=dim, replicas=16, **given)
    curve = rb.solve(rule, SCHEDULE, TEACHER, **given)
    assert_limit(run, curve, dim)
