"""What each rule does, number by number."""

import math

import pytest
from scipy.special import erfcx

from rosenblatt.core import AverageShift, FixedShift, Percept, Update, starts
from rosenblatt.rules import (
    AdaTron,
    Decay,
    Delta,
    Hebb,
    Logistic,
    Normalised,
    PassiveAggressive,
    Perceptron,
    Shifted,
    SphericalBayes,
)


def percept(field, label=1.0, **other):
    given = {"norm2": 1.0, "input2": 1.0, "rate": 0.5, "dim": 10.0, **other}
    return Percept(field=field, label=label, **given)


@pytest.mark.parametrize(("field", "moves"), [(-0.1, True), (0.0, True), (0.1, False)])
def test_margin_zero_updates_on_mistakes_and_ties_only(field, moves):
    assert Perceptron().mistakes_only
    expected = Update(0.5, 0.0) if moves else Update(0.0, 0.0)
    assert Perceptron().bind()(percept(field)) == expected


def test_a_margin_updates_up_to_the_margin_included():
    step = Perceptron(margin=0.3).bind()
    assert not Perceptron(margin=0.3).mistakes_only
    assert step(percept(0.3)).gain == 0.5
    assert step(percept(-0.3, -1.0)).gain == -0.5
    assert step(percept(0.31)).gain == 0.0


def test_negative_margin_is_refused():
    with pytest.raises(ValueError, match="margin must be a number not below 0, got -1"):
        Perceptron(margin=-1)


def test_hebb_adds_everything_and_starts_at_zero():
    assert Hebb().bind()(percept(9.0, -1.0)) == Update(-0.5, 0.0)
    assert Hebb().start == starts.Zero()


def test_adatron_corrects_in_proportion():
    step = AdaTron().bind()
    assert step(percept(-3.0, 1.0)) == Update(1.5, 0.0)
    assert step(percept(3.0, -1.0)) == Update(-1.5, 0.0)
    assert step(percept(3.0, 1.0)) == Update(0.0, 0.0)


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_delta_descends_the_squared_error(label):
    activation = Logistic(2.0)
    output, target = activation.bind(), 0.5 * (1 + label)

    def loss(h):
        return 0.5 * (target - output(h)[0]) ** 2

    slope = (loss(0.4 + 1e-6) - loss(0.4 - 1e-6)) / 2e-6
    gain = Delta(activation).bind()(percept(0.4, label)).gain
    assert gain == pytest.approx(-0.5 * slope, abs=1e-9)


def test_delta_wants_an_activation():
    with pytest.raises(TypeError, match="activation must be an Activation, got 'tanh'"):
        Delta("tanh")


def test_passive_aggressive_reaches_its_margin_exactly():
    p = percept(-0.4, 1.0, input2=0.8, rate=1.0)
    gain = PassiveAggressive(margin=1.0).bind()(p).gain
    assert p.label * (p.field + gain * p.input2) == pytest.approx(1.0)
    assert PassiveAggressive(1.0, 0.5).bind()(p).gain == 0.5
    assert PassiveAggressive().bind()(percept(1.0)).gain == 0.0
    assert PassiveAggressive().bind()(percept(0.0, input2=0.0)).gain == 0.0


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan])
def test_passive_aggressive_refuses_bad_aggressiveness(bad):
    with pytest.raises(ValueError, match="aggressiveness must be above 0, got"):
        PassiveAggressive(aggressiveness=bad)


@pytest.mark.parametrize("u", [-300.0, -35.1, -34.9, -5.0, 0.0, 3.0, 50.0])
def test_spherical_bayes_without_noise_is_a_ratio_of_phi(u):
    rho = 0.25
    gain = SphericalBayes().bind()(percept(u * 0.5, norm2=1 - rho)).gain
    exact = math.sqrt(2 / math.pi) / erfcx(-u / math.sqrt(2))
    assert gain == pytest.approx(0.5 * exact, rel=1e-10, abs=1e-300)


def test_spherical_bayes_first_step_is_that_of_the_paper():
    """N q = (1 - 2k)^2 2/pi after one example with |x| = 1."""
    for noise in (0.0, 0.1, 0.4):
        gain = SphericalBayes(noise).bind()(percept(0.0, norm2=0.0)).gain
        assert gain**2 == pytest.approx((1 - 2 * noise) ** 2 * 2 / math.pi, rel=1e-12)


@pytest.mark.parametrize("bad", [-0.1, 0.51, math.nan])
def test_spherical_bayes_refuses_bad_noise(bad):
    with pytest.raises(ValueError, match=r"noise must be a number from 0 to 0\.5, got"):
        SphericalBayes(bad)


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_normalised_weights_have_squared_length_n(shift):
    p = percept(-0.7, norm2=1.3, input2=0.9, rate=2.0, shift=shift)
    u = Normalised(Perceptron()).bind()(p)
    keep = 1 - u.decay / p.dim
    along = p.field - p.shift
    norm2 = keep**2 * p.norm2 + (2 * keep * u.gain * along + u.gain**2 * p.input2) / 10
    assert norm2 == pytest.approx(1.0, rel=1e-14)


def test_normalised_has_its_limit_at_infinite_dim():
    rule = Normalised(Perceptron()).bind()
    finite = rule(percept(-0.7, dim=1e12))
    limit = rule(percept(-0.7, dim=math.inf))
    assert finite == pytest.approx(limit, rel=1e-9)


def test_normalised_leaves_the_weights_where_nothing_moves():
    assert Normalised(Perceptron()).bind()(percept(1.0, norm2=4.0)) == Update(0.0, 0.0)


def test_normalised_starts_from_zero_too():
    u = Normalised(Perceptron()).bind()(percept(0.0, norm2=0.0, input2=1e-30))
    assert u.gain**2 * 1e-30 / 10 == pytest.approx(1.0)


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


def test_the_known_shift_makes_the_teacher_a_fixed_point():
    """Eq. 11 of barkai1995: <sgn(b) (S - T)> = 0 along and across the teacher."""
    q0 = 1.0
    shift = Shifted.known(Perceptron(), overlap=q0).shift
    mean_sign = math.erf(q0 / math.sqrt(2))
    mean_abs = math.sqrt(2 / math.pi) * math.exp(-0.5) + q0 * mean_sign
    assert mean_abs == pytest.approx(mean_sign * (shift.mean * q0 + shift.teacher))
    assert shift.mean == 1.0  # across: <sgn(b) U> = <sgn(b)> U


def test_shifts_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="no uniform shift exists"):
        Shifted.known(Perceptron(), overlap=0.0)
    with pytest.raises(ValueError, match="must not be shifted already"):
        Shifted(Normalised(Shifted(Perceptron())))
    with pytest.raises(TypeError, match="by must be a FixedShift or an AverageShift"):
        Shifted(Perceptron(), 3.0)
    assert Shifted(Perceptron()).shift == AverageShift()
