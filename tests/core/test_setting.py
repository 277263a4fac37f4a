import numpy as np
import pytest

from rosenblatt.core.setting import Setting


def sign(fields):
    return (fields > 0).astype(float)


def test_averages_of_a_sign_teacher_without_a_mean():
    setting = Setting(10, (0.0, 0.0), sign)
    products, labels = setting.averages
    np.testing.assert_allclose(products, [np.sqrt(2 / np.pi), 0.0], rtol=1e-9)
    assert labels == pytest.approx(0.0, abs=1e-12)
    assert setting.balanced
    assert setting.axes == 1


def test_a_mean_across_the_teacher_has_an_axis_of_its_own():
    setting = Setting(10, (1.0, 0.5), sign)
    assert setting.axes == 2
    assert not setting.balanced
