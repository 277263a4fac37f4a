import math

import pytest

from rosenblatt.streams import Gaussian


def test_center_has_the_length_and_overlap_asked_for():
    along, across = Gaussian(4.0, -1.95).center
    assert along == -1.95
    assert math.hypot(along, across) == pytest.approx(4.0)
    assert Gaussian().center == (0.0, 0.0)
    assert Gaussian(2.0, 2.0).center == (2.0, 0.0)


def test_an_overlap_longer_than_the_mean_is_refused():
    with pytest.raises(ValueError, match=r"must not exceed the mean's length 1, got 2"):
        Gaussian(mean=1, overlap=2)


@pytest.mark.parametrize("bad", [-1.0, math.nan, 1e10])
def test_bad_means_are_refused(bad):
    with pytest.raises(ValueError, match="mean must be a number from 0 to 1000, got"):
        Gaussian(mean=bad)
