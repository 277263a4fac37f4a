import numpy as np
import pytest

from rosenblatt.machines import Ball, Differentiated
from tests.machines.test_smooth import inside


def test_the_gradient_is_that_of_a_machine_of_ours():
    s, w = np.array([0.3, -1.2]), np.array([0.5, 0.25])
    (a, b), (x, y) = np.empty((2, 2)), (Ball(), Differentiated(inside, 2, 2))
    assert x.bind()(s, w, a) == pytest.approx(y.bind()(s, w, b), rel=1e-15)
    assert a == pytest.approx(b, rel=1e-15)


def test_what_is_no_function_or_size_is_refused():
    with pytest.raises(TypeError, match="value must be a function, got 3"):
        Differentiated(3, 2, 2)
    with pytest.raises(ValueError, match="inputs must be a whole number not below 1"):
        Differentiated(inside, 0, 2)
