import math

import pytest

import rosenblatt as rb
from rosenblatt.core import Activation
from rosenblatt.rules import Delta, Logistic
from tests.rules.percepts import percept


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_delta_descends_the_squared_error(label):
    activation = Logistic(2.0)
    output, target = activation.bind(), 0.5 * (1 + label)

    def loss(h):
        return 0.5 * (target - output(h)[0]) ** 2

    slope = (loss(0.4 + 1e-6) - loss(0.4 - 1e-6)) / 2e-6
    gain = Delta(activation).bind()(percept(0.4, label)).gain
    assert gain == pytest.approx(-0.5 * slope, abs=1e-9)


class Erf(Activation):
    """A user's own."""

    def bind(self):
        def output(h):
            return math.erf(h), 2 / math.sqrt(math.pi) * math.exp(-h * h)

        return output


def test_a_users_own_activation_works_in_engines_and_theory():
    dim, schedule = 4000, rb.schedules.Constant(0.5)
    curve = rb.solve(Delta(Erf()), schedule, alpha=5)
    for engine, replicas in (("reduced", 20), ("full", 4)):
        run = rb.simulate(
            Delta(Erf()),
            schedule,
            dim=dim,
            alpha=5,
            replicas=replicas,
            engine=engine,
        )
        spread = run.overlap.values.std(ddof=1) / math.sqrt(replicas)
        # with few replicas the spread itself is uncertain: O(1/sqrt(N)) is its size
        allowed = 5 * max(spread, 1 / math.sqrt(dim * replicas)) + 20 / dim
        assert abs(run.overlap.mean().item() - curve.overlap.item()) < allowed
