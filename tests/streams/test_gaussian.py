import math

import pytest

from rosenblatt.streams import Gaussian


def test_center_has_the_length_and_overlap_asked_for():
    along, across = Gaussian(4.0, -1.95).center
    assert along == -1.95
    assert math.hypot(along, across) == pytest.approx(4.0)
    assert Gaussian().center == (0.0, 0.0)
    assert Gaussian(2.0, 2.0).center == (2.0, 0.0)
