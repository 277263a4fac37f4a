import math

import pytest

from rosenblatt.core import Percept
from rosenblatt.motions import RandomWalk, Retreat, Rotation
from rosenblatt.papers.vicente1998.rules import Weighted, best_rule, law_of
from rosenblatt.theory import online_asymptote, stationary


def test_prefactors_follow_from_the_curve_of_a_teacher_that_stands_still():
    """With error = c / alpha, as the suggestion has it, c = 0.8834."""
    c = online_asymptote()
    random, retreat = law_of(RandomWalk(1.0)), law_of(Retreat(1.0))
    assert random.prefactor / math.pi == pytest.approx(
        (math.pi * c) ** (1 / 3) / math.pi
    )
    assert retreat.prefactor / math.pi == pytest.approx(math.sqrt(c / math.pi))


@pytest.mark.parametrize("motion", [RandomWalk(1e-4), Rotation(1e-4), Retreat(1e-4)])
def test_no_gain_is_better_than_the_best(motion):
    angles = [
        stationary(*best_rule(motion, gain=gain), motion=motion).angle
        for gain in (0.8, 1.0, 1.25)
    ]
    assert min(angles) == angles[1]
    assert angles[1] == pytest.approx(law_of(motion).angle(1e-4), rel=2e-3)


def test_weights_far_out_have_their_limit():
    step = Weighted(0.1).bind()

    def gain(field):
        return step(Percept(field, 1.0, 1.0, 1.0, 1.0, 10.0)).gain

    assert gain(-3.5) == pytest.approx(35, rel=1e-3)
    assert gain(-5.0) == pytest.approx(50, rel=1e-3)
    assert gain(5.0) == 0.0
