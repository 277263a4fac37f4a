from dataclasses import dataclass

import numpy as np
import pytest

from rosenblatt.core import Machine, NormalStream


def test_machines_and_streams_are_only_bases():
    for kind in (Machine, NormalStream):
        with pytest.raises(TypeError, match="abstract"):
            kind()


@dataclass(frozen=True)
class Line(Machine):
    inputs = parameters = 1

    def bind(self):
        def value(s, w, gradient):
            gradient[0] = s[0]
            return w[0] * s[0]

        return value


def test_a_machine_is_its_function_and_knows_no_error_of_its_own():
    gradient = np.zeros(1)
    assert Line().plain()(np.array([2.0]), np.array([3.0]), gradient) == 6.0
    assert gradient[0] == 2.0
    assert Line().groups == 0
    assert Line().error(np.ones((1, 1)), np.ones(1), None) is None
