import pytest

from rosenblatt.theory.closed import spherical_bayes


def test_information_is_continuous_in_the_noise():
    a, b = (spherical_bayes.information(0.7, k) for k in (0.0, 1e-9))
    assert a == pytest.approx(b, rel=1e-6)
    assert spherical_bayes.information(0.7, 0.5) == 0
