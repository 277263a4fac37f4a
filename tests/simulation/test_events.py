import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.engines import events, reduced
from tests.laws import assert_same_law

PERCEPTRON = rb.rules.Normalised(rb.rules.Perceptron())
OPTIMAL = rb.schedules.Power(2 * math.sqrt(2 * math.pi))
SLOW = pytest.mark.slow  # other cases of the same law
SHIFTED = rb.rules.Shifted.known(PERCEPTRON, -1.0)


@pytest.mark.parametrize(
    ("rule", "noise", "stream"),
    [
        (PERCEPTRON, 0.0, rb.streams.Gaussian()),
        (PERCEPTRON, 0.2, rb.streams.Gaussian(4.0, -1.95)),
        (SHIFTED, 0.02, rb.streams.Gaussian(1.5, -1.0)),
        pytest.param(PERCEPTRON, 0.05, rb.streams.Gaussian(), marks=SLOW),
        pytest.param(PERCEPTRON, 0.01, rb.streams.Gaussian(0.5, 0.0), marks=SLOW),
        pytest.param(
            rb.rules.Perceptron(), 0.0, rb.streams.Gaussian(1.0, 0.5), marks=SLOW
        ),
        pytest.param(
            rb.rules.AdaTron(), 0.0, rb.streams.Gaussian(2.0, 2.0), marks=SLOW
        ),
    ],
    ids=str,
)
def test_events_follow_the_law_of_the_chain(rule, noise, stream):
    """5000 replicas each: a shift of a distribution function by 0.045 is caught."""
    given = {"dim": 10, "alpha": [0.1, 1, 5, 20, 60], "replicas": 5000}
    schedule, teacher = rb.schedules.Power(1.0, 0.5, 1.0), rb.teachers.Sign(noise)
    assert_same_law(
        events(rule, schedule, teacher, stream, **given),
        reduced(rule, schedule, teacher, stream, seed=1, **given),
        ("overlap", "norm", "mean_overlap", "mistakes"),
    )


def test_tiny_angles_stay_exact():
    """alpha <eps^2> / <eps> = 4/pi at every N, far below the rounding of 1 - R."""
    run = events(PERCEPTRON, OPTIMAL, dim=10, alpha=1e12, replicas=4000)
    error = 1e12 * run.error.values[:, 0]
    assert (run.overlap == 1).all()
    ratio = (error**2).mean() / error.mean()
    spread = np.std(error**2 - ratio * error) / error.mean() / math.sqrt(error.size)
    assert abs(ratio - 4 / math.pi) < 5 * spread
    assert spread < 0.01


def test_a_student_at_zero_makes_a_mistake_at_once():
    run = events(
        rb.rules.Perceptron(),
        rb.schedules.Constant(),
        dim=10,
        alpha=[0, 0.1],
        start=rb.starts.Zero(),
        replicas=20,
    )
    assert (run.mistakes.values == [0, 1]).all()


def test_a_perfect_student_stays_perfect():
    run = events(
        PERCEPTRON,
        rb.schedules.Constant(),
        dim=10,
        alpha=1e15,
        start=rb.starts.Overlap(1.0),
    )
    assert run.mistakes.item() == 0
    assert run.error.item() == 0


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (rb.rules.Hebb(), r"moves on examples that are right too, .* 'reduced' can"),
        (rb.rules.Perceptron(0.1), r"moves on examples that are right too"),
        (rb.rules.Shifted(PERCEPTRON), r"learned moves with every example; 'reduced'"),
    ],
)
def test_rules_without_an_event_form_are_refused(rule, message):
    stream = rb.streams.Gaussian(1.0, 1.0)
    with pytest.raises(ValueError, match=message):
        events(rule, rb.schedules.Constant(), None, stream, dim=10, alpha=1)
