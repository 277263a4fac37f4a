"""Students of labelled classes: every example, laws and errors."""

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.specification.parts import RefusalError
from rosenblatt.streams import TwoClasses
from rosenblatt.streams.two_classes import BLOCK
from tests import references

LINEAR = TwoClasses([(20, 40), (80, 60)], 400.0, constant=-1.0)


CONIC = TwoClasses([(4, 0), (10, 0)], (2.0, 4.0), prior=0.4, degree=2)


GAINS = {
    "time": rb.schedules.Power(1.0, 0.7),
    "mistakes": rb.schedules.PerMistake(2.0, 0.9),
}


NAIVE = {
    "time": lambda t, mistakes: t**-0.7,
    "mistakes": lambda t, mistakes: 2.0 * mistakes**-0.9,
}


SHORT = TwoClasses([(0.5, -0.2), (-0.3, 0.1)], 0.3, constant=0.5)


RULES = {
    "perceptron": (rb.rules.Perceptron(), references.perceptron(0.0)),
    "margin": (rb.rules.Perceptron(0.5), references.perceptron(0.5)),
    "residual": (rb.rules.Residual(), references.residual_logistic),
    "normalised": (
        rb.rules.Normalised(rb.rules.Perceptron()),
        references.normalised_perceptron,
    ),
    "decayed": (
        rb.rules.Decay(rb.rules.Perceptron(), 0.01),
        references.decayed_perceptron(0.01),
    ),
}


@pytest.mark.parametrize(
    ("rule", "stream"),
    # rules that move at every example would amplify rounding on long features
    [
        (rule, stream)
        for rule in RULES
        for stream in (LINEAR, CONIC, SHORT)
        if rule != "residual" or stream is SHORT
    ],
)
def test_every_example_is_that_of_the_naive_loop(rule, stream):
    """Over the end of a block, for two replicas and two schedules."""
    marks = [0, 1, 20, 700, BLOCK, BLOCK + 1, 2500]
    part, naive = RULES[rule]
    start = np.linspace(-0.1, 0.2, stream.features)
    run = rb.simulate_classes(
        part, GAINS, stream, examples=marks, replicas=2, seed=5, start=start
    )
    for replica in range(2):
        X, y = stream.draw(marks[-1], seed=5, replica=replica)
        for name, rate in NAIVE.items():
            weights, mistakes = references.classes(naive, rate, X, y, start, marks)
            found = run.sel(replica=replica, schedule=name)
            np.testing.assert_allclose(found.weights, weights, rtol=1e-9, atol=1e-12)
            np.testing.assert_array_equal(found.mistakes, mistakes)
            np.testing.assert_allclose(
                found.error, stream.error(found.weights.values), rtol=1e-14
            )


def test_tests_have_as_many_of_each_class_and_the_law_of_the_error():
    run = rb.simulate_classes(
        rb.rules.Perceptron(), GAINS, LINEAR, examples=[0], replicas=300, tests=50,
        start=[0.015, 0.002, 0.7],
    )  # fmt: skip
    each = LINEAR.class_errors([0.015, 0.002, 0.7])
    spread = np.sqrt((each * (1 - each)).sum() / 4 / 50 / 300)
    found = run.test_error.values[:, 0, 0]
    assert abs(found.mean() - each.mean()) < 5 * spread
    # the variance is that of 50 and 50, less than of any mixture of 100
    ratio = found.var(ddof=1) / ((each * (1 - each)).sum() / 4 / 50)
    assert abs(ratio - 1) < 5 * np.sqrt(2 / 299)
    # and the tests are the same for all schedules
    assert (run.test_error.isel(schedule=0) == run.test_error.isel(schedule=1)).all()


def test_numbers_that_are_not_finite_stop_the_run_and_say_where():
    def wild(clock):
        return 1.0 if clock.time < 10.0 else 1e308 * clock.time

    with pytest.raises(ArithmeticError, match=r"returned .* at example 1\d"):
        rb.simulate_classes(
            rb.rules.Hebb(), wild, LINEAR, examples=100, replicas=2, workers=1
        )


def test_schedules_may_be_one_or_several_with_or_without_names():
    rule, one = rb.rules.Perceptron(), rb.schedules.Constant()

    def names(schedules, **given):
        run = rb.simulate_classes(rule, schedules, LINEAR, examples=1, **given)
        return run.schedule.values.tolist()

    assert names(one) == ["Constant(rate=1.0)"]
    assert names([one, GAINS["time"]])[0] == "Constant(rate=1.0)"
    assert names([one, GAINS["time"]], names=("a", "b")) == ["a", "b"]
    assert names({"slow": lambda clock: 1.0 / clock.time}) == ["slow"]


def test_bad_arguments_are_refused():
    rule, one = rb.rules.Perceptron(), rb.schedules.Constant()

    def refused(message, *, rule=rule, schedules=one, stream=LINEAR, **given):
        with pytest.raises((ValueError, TypeError), match=message):
            rb.simulate_classes(rule, schedules, stream, **{"examples": 5, **given})

    refused("rule must be a Rule", rule=one)
    refused("dim, which is 1, got 2", rule=rb.rules.Decay(rule, 2.0))
    refused("stream must be a TwoClasses", stream=rb.streams.Gaussian())
    refused("examples must be whole numbers", examples=2.5)
    refused("examples must increase", examples=[5, 5])
    refused("replicas must be a whole number", replicas=0)
    refused("tests must be a whole number", tests=-1)
    refused("start must be finite numbers of shape \\(3,\\), got", start=[1.0, 2.0])
    refused("start must be finite numbers of shape", start="zero")
    refused("schedules must be one or more, all different", schedules=[])
    refused("schedules must be one or more, all different", schedules=[one, one])
    refused("names must be 1, one for each schedule", schedules=[one], names=("a", "b"))
    with pytest.raises(RefusalError, match="has a shift"):
        rb.simulate_classes(rb.rules.Shifted(rule), one, LINEAR, examples=5)
    with pytest.raises(TypeError, match="which is for simulate_classes"):
        rb.simulate(rule, one, stream=LINEAR, dim=3, alpha=1)
