import math

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.theory.drift import OverlapDrift, State


@pytest.mark.parametrize("q", [-1.0, -0.2, 0.3, 1.5])
def test_the_known_shift_turns_the_student_by_the_sign_of_q(q):
    """Eq. (1) of the module, from the drift at a rate too small for its square."""
    q0, rate = 1.0, 1e-9
    rule = rb.rules.Shifted.known(rb.rules.Normalised(rb.rules.Perceptron()), q0)
    stream = rb.streams.Gaussian(2.0, q0)
    along, across = 0.3, (q - 0.3 * q0) / math.sqrt(3)
    rest = math.sqrt(1 - along**2 - across**2)
    slope = OverlapDrift(rule, rb.teachers.Sign(0.1), stream)(
        State.at(along, across, rest), rate, 1.0
    )
    density = math.exp(-0.5 * q0**2) / math.sqrt(2 * math.pi)
    force = density * math.erf(q / math.sqrt(2)) / math.erf(q0 / math.sqrt(2))
    assert slope[0] / rate == pytest.approx(force * (1 - along**2), rel=1e-6)
    assert np.sign(slope[0]) == np.sign(q)
