import numba
import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.machines import Ball, Smooth
from tests.conformance.test_parts import parabola, slopes


def inside(s, w):
    return 1.0 - (s[0] - w[0]) ** 2 - (s[1] - w[1]) ** 2


def towards(s, w, out):
    out[0] = 2.0 * (s[0] - w[0])
    out[1] = 2.0 * (s[1] - w[1])


def wrong(s, w):
    return s.no_such_thing


GIVEN = {
    "schedule": rb.schedules.Power(4.0, 1.0, 10.0),
    "target": [0.1, 0.2],
    "examples": [0, 100, 1000],
    "replicas": 5,
}


def test_a_users_ball_is_ours():
    ours = rb.simulate_machine(Ball(), **GIVEN)
    theirs = rb.simulate_machine(Smooth(inside, towards, 2, 2), **GIVEN)
    np.testing.assert_allclose(theirs.weights, ours.weights, rtol=1e-9)
    assert ours.attrs["exact"] == 1
    assert theirs.attrs["exact"] == 0
    spread = np.sqrt(ours.error * (1 - ours.error) / 10_000)
    assert np.all(abs(theirs.error - ours.error) < 5 * spread)


def test_compiled_functions_are_taken_apart():
    machine = Smooth(numba.njit(parabola), slopes, 2, 2)
    assert machine.bind()(np.array([1.0, 3.0]), np.ones(2), np.empty(2)) == 1.0


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_a_function_that_does_not_compile_is_named():
    with pytest.raises(TypeError, match=r"machine Smooth\(.*does not compile"):
        rb.simulate_machine(Smooth(wrong, towards, 2, 2), **GIVEN)
