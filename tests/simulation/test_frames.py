import numpy as np
import pytest

from rosenblatt.simulation.reduced import squares, turn_frame


def test_a_turned_frame_keeps_lengths_and_angles():
    own, outside = 1, (0.3, -0.7)  # what both vectors have gained outside the frame
    student, average = np.array([0.5, 1.0, 0.2]), np.array([-0.4, 0.6, 0.9])
    s, a = (np.append(v, o) for v, o in zip((student, average), outside, strict=True))
    turn_frame(student, average, own, *outside)
    assert squares(student, average) == pytest.approx((s @ s, s @ a), rel=1e-14)
    assert average @ average == pytest.approx(a @ a, rel=1e-14)
    assert student[-1] == 0.0
