import pytest

import rosenblatt as rb
from rosenblatt.specification.parts import RefusalError
from tests.simulation.classes.class_data import GAINS, LINEAR


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
    refused("start must be 3 finite numbers, one for each feature", start=[1.0, 2.0])
    refused("start must be 3 numbers, got 'zero'", start="zero")
    refused("schedules must be one or more, all different", schedules=[])
    refused("schedules must be one or more, all different", schedules=[one, one])
    refused("names must be 1, one for each schedule", schedules=[one], names=("a", "b"))
    with pytest.raises(RefusalError, match="has a shift"):
        rb.simulate_classes(rb.rules.Shifted(rule), one, LINEAR, examples=5)
    with pytest.raises(TypeError, match="which is for simulate_classes"):
        rb.simulate(rule, one, stream=LINEAR, dim=3, alpha=1)
