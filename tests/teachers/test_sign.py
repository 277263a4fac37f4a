import math

import pytest

from rosenblatt.teachers import Sign


def test_labels_are_wrong_with_the_noise():
    assert Sign(0.1).bind()(2.0) == 0.9
    assert Sign(0.1).bind()(-2.0) == 0.1


@pytest.mark.parametrize("bad", [-0.1, 0.51, math.nan, math.inf])
def test_bad_noise_is_refused(bad):
    with pytest.raises(ValueError, match=r"noise must be a number from 0 to 0\.5, got"):
        Sign(noise=bad)
