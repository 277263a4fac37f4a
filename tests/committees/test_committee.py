import re
from dataclasses import dataclass

import numba
import numpy as np
import pytest

from rosenblatt.committees import Committee
from rosenblatt.committees.committee import rate_of, starting
from rosenblatt.core import Activation
from rosenblatt.rules import Erf, ReLU

TEACHERS = np.array([[1.0, 0.5], [0.5, 2.0]])


@dataclass(frozen=True)
class OneNumber(Activation):
    """An activation without a slope."""

    def bind(self):
        return lambda h: h


@dataclass(frozen=True)
class Unknown(Activation):
    """An activation that numba does not compile."""

    def bind(self):
        return lambda h: (open(h), 1.0)


@dataclass(frozen=True)
class Remembering(Activation):
    """An activation with a statement that numba does not read."""

    def bind(self):
        def function(h):
            global LAST
            LAST = h
            return h, 1.0

        return function


@dataclass(frozen=True)
class WrongSlope(Activation):
    """A square with the slope of a line."""

    def bind(self):
        return lambda h: (h * h, 1.0)


@dataclass(frozen=True)
class Infinite(Activation):
    """An exponential that overflows."""

    def bind(self):
        return lambda h: (np.exp(1000.0 * h), 1000.0 * np.exp(1000.0 * h))


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"activation": Erf}, TypeError, "activation must be an Activation.*Erf()"),
        ({"students": 0}, ValueError, "students must be a whole number not below 1"),
        ({"teachers": 0}, ValueError, "teachers must be a whole number not below 1"),
        ({"teachers": [[1, 2], [2, 1]]}, ValueError, "teachers must be a Gram matrix"),
        ({"teachers": [[1, 0]]}, ValueError, r"teachers must be .* shape \(1, 1\)"),
        ({"teachers": [[1], [1, 2]]}, TypeError, "teachers must be finite numbers"),
        ({"activation": OneNumber()}, TypeError, "OneNumber.. must return two numbers"),
        ({"outputs": (1.0,)}, ValueError, "outputs must be finite numbers"),
        ({"decay": -1.0}, ValueError, "decay must be a number not below 0"),
        ({"noise": float("nan")}, ValueError, "noise must be a number"),
        ({"activation": Infinite()}, ValueError, "activation .* must be finite"),
    ],
)
def test_bad_arguments_are_named(given, error, words):
    with pytest.raises(error, match=words):
        Committee(**{"activation": Erf(), **given})


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_activations_that_do_not_compile_are_named():
    for activation in (Unknown(), Remembering()):
        name = re.escape(repr(activation))
        with pytest.raises(TypeError, match=rf"activation {name} does not compile"):
            Committee(activation)


def test_a_wrong_slope_is_a_warning_and_a_kink_is_none():
    with pytest.warns(UserWarning, match="WrongSlope.*states the slope 1 at"):
        Committee(WrongSlope())
    Committee(ReLU())


@pytest.mark.parametrize(
    ("start", "error", "words"),
    [
        (-1.0, ValueError, "start must be a number not below 0"),
        ("far", TypeError, "start must be a length or a pair"),
        (
            (np.zeros((3, 2)), np.eye(2)),
            ValueError,
            r"start\[1\] must be .* shape \(3, 3\)",
        ),
        ((np.ones((3, 2)), 0.1 * np.eye(3)), ValueError, "start must be a Gram matrix"),
        ((np.zeros((3, 2)), np.triu(np.ones((3, 3)))), ValueError, "start must be sym"),
    ],
)
def test_bad_starts_are_named(start, error, words):
    with pytest.raises(error, match=words):
        starting(start, TEACHERS, 3)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (-1.0, ValueError, "second_rate must be a number not below 0"),
        (float("nan"), ValueError, "second_rate must be a number"),
        ("fast", TypeError, "second_rate must be a number, a Schedule or a function"),
    ],
)
def test_bad_rates_are_named(given, error, words):
    with pytest.raises(error, match=words):
        rate_of("second_rate", given)
