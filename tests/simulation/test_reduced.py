import pytest

import rosenblatt as rb
from rosenblatt.engines import full, reduced
from tests.laws import assert_same_law

BIASED = (rb.teachers.Sign(0.1), rb.streams.Gaussian(2.0, -1.0))


@pytest.mark.parametrize("dim", [2, 3, 20])
@pytest.mark.parametrize(
    "stream", [rb.streams.Gaussian(), rb.streams.Gaussian(1.0, 1.0)]
)
def test_reduced_is_exact_in_the_smallest_dimensions(dim, stream):
    given = {"dim": dim, "alpha": [0, 1 / dim, 5, 20], "replicas": 2000}
    rule, schedule = rb.rules.Perceptron(0.2), rb.schedules.Power(1.0, 0.5)
    assert_same_law(
        full(rule, schedule, rb.teachers.Sign(0.1), stream, **given),
        reduced(rule, schedule, rb.teachers.Sign(0.1), stream, seed=1, **given),
    )


@pytest.mark.parametrize("dim", [4, 5, 30])
def test_a_learned_shift_is_tracked_exactly(dim):
    rule = rb.rules.Shifted(rb.rules.Normalised(rb.rules.Perceptron()))
    given = {"dim": dim, "alpha": [0.5, 5, 20], "replicas": 2000}
    schedule = rb.schedules.Constant(0.5)
    assert_same_law(
        full(rule, schedule, *BIASED, **given),
        reduced(rule, schedule, *BIASED, seed=1, **given),
        ("overlap", "mean_overlap", "mistakes"),
    )
