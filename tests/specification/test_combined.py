import pytest

import rosenblatt as rb
from rosenblatt.specification.parts import Shift, combined

NONE = {"shifted": None, "decay": None, "normalised": False}
PLAIN = rb.rules.Perceptron()


def test_combinators_are_put_around_the_rule_in_one_order():
    given = {"shifted": Shift.average, "decay": 0.5, "normalised": True}
    found = combined(PLAIN, rb.streams.Gaussian(), **given, opening=3.0)
    inner = rb.rules.Shifted(PLAIN, opening=3.0)
    assert found == rb.rules.Normalised(rb.rules.Decay(inner, 0.5))


def test_a_known_shift_needs_gaussian_inputs():
    given = NONE | {"shifted": Shift.known}
    with pytest.raises(ValueError, match="needs a stream of Gaussian inputs"):
        combined(PLAIN, rb.streams.Uniform(3), **given)
