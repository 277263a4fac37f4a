import numpy as np
import pytest

from rosenblatt.papers.seung2002.images import bundled


def test_digits_are_parted_and_scaled():
    found = bundled()
    assert found.train.shape == (1347, 64)
    assert found.test.shape == (450, 64)
    assert np.mean((found.train**2).sum(axis=1)) == pytest.approx(1)
