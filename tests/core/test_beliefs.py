"""Learners of beliefs as parts: what does not compile says so."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from rosenblatt.compiling.beliefs import learning
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.core import Belief, BeliefRule, Observation, Signal, WeightwiseRule
from rosenblatt.rules import BinaryBayes


@dataclass(frozen=True)
class Broken(WeightwiseRule):
    def signal(self) -> Callable[[Observation], Signal]:
        return lambda o: Signal(str(o.field), 0.0)

    def move(self) -> Callable[[Belief, float, Signal], Belief]:
        return lambda b, x, s: Belief(s.slope * x, 0.0, 0.0)


@dataclass(frozen=True)
class NoFunction(BeliefRule):
    def bind(self):
        return 3


def test_equal_rules_share_one_compilation():
    assert learning(BinaryBayes(0.1)) is learning(BinaryBayes(0.1))
    assert learning(BinaryBayes(0.1)) is not learning(BinaryBayes(0.2))


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_what_does_not_compile_says_so():
    with pytest.raises(TypeError, match=r"Broken.* does not compile"):
        learning(Broken())


def test_what_is_no_function_says_so():
    with pytest.raises(TypeError, match="must bind a plain function, got 3"):
        learning(NoFunction())
