from dataclasses import dataclass

import pytest

import rosenblatt as rb
from rosenblatt.core import Heading, Motion
from rosenblatt.specification.parts import RefusalError

PARTS = rb.rules.Perceptron(), rb.schedules.Constant(1.0)


@dataclass(frozen=True)
class Leap(Motion):
    """A motion of a user, along a circle at given times."""

    @property
    def heading(self):
        return Heading.PLANE

    @property
    def changes(self):
        return (1.0,)

    def angle(self, dim):
        return 0.5


@pytest.mark.parametrize("call", [rb.solve, rb.simulate])
def test_what_a_drift_cannot_go_with_is_refused(call):
    given = {"alpha": 1, "motion": rb.motions.RandomWalk(0.1)}
    if call is rb.simulate:
        given["dim"] = 10
    with pytest.raises(TypeError, match=r"motion must be a Motion, got 0\.1"):
        call(*PARTS, **{**given, "motion": 0.1})
    with pytest.raises(RefusalError, match="needs inputs without a mean"):
        call(*PARTS, stream=rb.streams.Gaussian(1.0, 0.5), **given)
    with pytest.raises(RefusalError, match="needs a rule without a shift"):
        call(rb.rules.Shifted(PARTS[0]), PARTS[1], **given)
    with pytest.raises(RefusalError, match="needs a start that takes no examples"):
        call(*PARTS, start=rb.starts.Hebbian(1.0), **given)
    with pytest.raises(RefusalError, match="must have its changes in random"):
        call(*PARTS, **{**given, "motion": Leap()})


def test_a_belief_about_every_weight_refuses_a_drift():
    with pytest.raises(RefusalError, match="motion must be None, since BinaryBayes"):
        rb.simulate(
            rb.rules.BinaryBayes(), PARTS[1], dim=5, alpha=1,
            motion=rb.motions.Rotation(0.1),
        )  # fmt: skip
