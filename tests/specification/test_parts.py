import pytest

import rosenblatt as rb
from rosenblatt.specification.parts import gather, schedule_of


def test_defaults_are_filled_in():
    rule = rb.rules.Perceptron()
    parts = gather(rule, rb.schedules.Constant(), None, None, None)
    assert parts.teacher == rb.teachers.Sign()
    assert parts.stream == rb.streams.Gaussian()
    assert parts.start == rule.start


def test_a_plain_function_becomes_a_schedule():
    def halved(clock):
        return 0.5

    assert schedule_of(halved) == rb.schedules.Custom(halved)
    with pytest.raises(TypeError, match="schedule must be a Schedule"):
        schedule_of(0.5)


@pytest.mark.parametrize(
    ("stream", "task"),
    [
        (rb.streams.Normal(3), "simulate_machine"),
        (rb.streams.TwoClasses([(-1, 0), (1, 0)], covariances=1), "simulate_classes"),
    ],
)
def test_streams_of_other_simulations_are_named(stream, task):
    with pytest.raises(TypeError, match=task):
        gather(rb.rules.Hebb(), rb.schedules.Constant(), None, stream, None)
