import functools
from dataclasses import dataclass

import numba
import numpy as np
import pytest

from rosenblatt.compiling import compiled
from rosenblatt.compiling.jit import mapped
from rosenblatt.core import Clock, Percept, Rule, Update
from rosenblatt.rules import Normalised, Perceptron
from rosenblatt.schedules import Custom
from rosenblatt.teachers import Sign

compiles = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="nothing is compiled"
)


WRONG = Percept(-1.0, 1.0, 1.0, 1.0, 0.5, 10.0, 0.0)


@dataclass(frozen=True)
class Whole(Rule):
    """Whole numbers, and another type on each way out."""

    def bind(self):
        def step(p):
            if p.label * p.field > 0:
                return Update(0, 0)
            return Update(gain=p.rate * p.label, decay=0)

        return step


@dataclass(frozen=True)
class Broken(Rule):
    def bind(self):
        def step(p):
            return Update(gain=p.no_such_number, decay=0.0)

        return step


def half(clock):
    return 0.5


def two(clock, more):
    return 0.5


def test_equal_parts_share_one_compilation():
    assert compiled(Perceptron(0.5)) is compiled(Perceptron(0.5))
    assert compiled(Perceptron(0.5)) is not compiled(Perceptron(0.25))


def test_whole_numbers_are_taken_for_floats():
    step = compiled(Whole())
    assert step(WRONG) == Update(0.5, 0.0)
    assert step(WRONG._replace(field=1.0)) == Update(0.0, 0.0)
    step = Normalised(Perceptron()).bind()
    whole = step(Percept(field=-1, label=1, norm2=1, input2=1, rate=1, dim=10))
    assert whole == step(WRONG._replace(rate=1.0))
    assert whole.gain > 0


@compiles
def test_a_rule_that_does_not_compile_shows_its_line():
    with pytest.raises(TypeError, match=r"rule Broken\(\) does not compile") as caught:
        compiled(Broken())
    assert "return Update(gain=p.no_such_number, decay=0.0)" in str(caught.value)
    assert "test_jit.py" in str(caught.value)


class Plain(Rule):
    """Written without a dataclass."""

    def __init__(self, strength):
        self.strength = strength

    def bind(self):
        strength = self.strength

        def step(p):
            return Update(strength, 0.0)

        return step


class Around(Normalised):
    """An attribute that the inherited comparison does not know."""

    def __init__(self, rule, strength):
        super().__init__(rule)
        self.strength = strength

    def bind(self):
        return Plain(self.strength).bind()


def test_parts_are_told_apart_by_all_of_their_attributes():
    assert Plain(1.0) == Plain(1.0) != Plain(2.0)
    for strength in (1.0, 2.0):
        assert compiled(Plain(strength))(WRONG).gain == strength
        assert compiled(Around(Perceptron(), strength))(WRONG).gain == strength


def test_parts_that_hold_lists_are_refused():
    with pytest.raises(TypeError, match=r"must not change: .* tuples instead of lists"):
        compiled(Plain([1.0]))


def test_only_plain_functions_are_schedules():
    with pytest.raises(
        TypeError, match=r"must be a plain function, got functools\.par"
    ):
        compiled(Custom(functools.partial(max, 1.0)))


@compiles
def test_compiled_functions_are_taken_apart():
    rate = compiled(Custom(numba.njit(half)))
    assert rate(Clock(1.0, 1.0, 1.0)) == 0.5


@compiles
def test_a_function_of_two_arguments_is_named():
    with pytest.raises(TypeError, match=r"schedule Custom\(.* does not compile"):
        compiled(Custom(two))


def test_what_is_no_part_is_refused():
    with pytest.raises(TypeError, match="part must be one of Rule"):
        compiled(3)


def test_mapped_goes_over_arrays():
    shaped = mapped(Sign(0.25))(np.array([[1.0, -1.0], [2.0, -2.0]]))
    assert shaped.tolist() == [[0.75, 0.25], [0.75, 0.25]]
