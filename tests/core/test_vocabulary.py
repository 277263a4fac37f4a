from dataclasses import dataclass

import pytest

from rosenblatt.core import Combinator, Part
from rosenblatt.rules import Normalised, Perceptron


@dataclass(frozen=True)
class Same(Combinator):
    def bind(self):
        return self.rule.bind()


def test_a_combinator_passes_on_what_is_known_of_its_rule():
    inner = Normalised(Perceptron(0.5))
    outer = Same(inner)
    for name in ("kinks", "mistakes_only", "shift", "normalised", "start"):
        assert getattr(outer, name) == getattr(inner, name)
    with pytest.raises(TypeError, match="rule must be a Rule"):
        Same(3)


def test_parts_are_compared_by_their_attributes():
    class Own(Part):
        def __init__(self, number):
            self.number = number

    assert Own(1) == Own(1)
    assert Own(1) != Own(2)
    assert len({Own(1), Own(1), Own(2)}) == 2
