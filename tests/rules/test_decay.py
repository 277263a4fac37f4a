import pytest

from rosenblatt.core import FixedShift, Update, starts
from rosenblatt.rules import Decay, Hebb, Normalised, Perceptron, Shifted
from tests.rules.percepts import percept


def test_decay_adds_to_what_the_inner_rule_does():
    twice = Decay(Decay(Hebb(), 0.5), 0.25)
    assert twice.bind()(percept(0.0)) == Update(0.5, 0.75)
    assert not Decay(Perceptron(), 0.5).mistakes_only
    assert Decay(Perceptron(), 0.0).mistakes_only
    with pytest.raises(ValueError, match="strength must be a number not below 0"):
        Decay(Hebb(), -1.0)


def test_combinators_pass_on_what_they_hold():
    inner = Shifted(Perceptron(0.2), FixedShift(1.0, 0.5))
    for outer in (Normalised(inner), Decay(inner, 0.1)):
        assert outer.kinks == (0.2,)
        assert outer.shift == FixedShift(1.0, 0.5)
    assert Decay(Hebb(), 0.1).start == starts.Zero()
    assert Normalised(Hebb()).start == starts.Random()


@pytest.mark.parametrize("combinator", [Normalised, lambda r: Decay(r, 1.0), Shifted])
def test_combinators_want_a_rule(combinator):
    with pytest.raises(TypeError, match="rule must be a Rule, got"):
        combinator("perceptron")


def test_a_strength_above_the_number_of_weights_is_refused():
    twice = Decay(Decay(Perceptron(), 6.0), 5.0)
    Decay(Perceptron(), 10.0).check_dim(10)
    for rule in (twice, Shifted(twice), Normalised(twice)):
        with pytest.raises(ValueError, match="from 0 to dim, which is 10, got 11 of"):
            rule.check_dim(10)
