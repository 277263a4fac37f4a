import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.pointers import (
    address,
    doubles_at,
    rate_at,
    step_at,
    wholes_at,
)
from rosenblatt.core import Clock, Percept
from rosenblatt.rules import Hebb, Perceptron
from rosenblatt.schedules import Constant


@inlined
def updated(place, percept):
    return step_at(place)(percept)


@inlined
def rated(place, clock):
    return rate_at(place)(clock)


@inlined
def summed(numbers, wholes, size):
    return doubles_at(numbers, size).sum() + wholes_at(wholes, size).sum()


def test_equal_parts_share_an_address_and_others_do_not():
    assert address(Perceptron(0.5)) == address(Perceptron(0.5))
    assert len({address(p) for p in (Perceptron(), Perceptron(0.5), Hebb())}) == 3


def test_functions_are_called_by_their_address():
    percept = Percept(0.1, 1.0, 1.0, 1.0, 0.5, 10.0, 0.0)
    for rule in (Perceptron(), Perceptron(0.5), Hebb()):
        assert tuple(updated(address(rule), percept)) == tuple(rule.bind()(percept))
    assert rated(address(Constant(0.3)), Clock(1.0, 1.0, 10.0)) == 0.3


def test_arrays_are_read_by_their_address():
    numbers, wholes = np.array([0.5, 1.5]), np.array([3, 4])
    assert summed(numbers.ctypes.data, wholes.ctypes.data, 2) == 9.0
