"""Test the integration of the drift."""

import math

import pytest

import rosenblatt as rb
from rosenblatt.core import AverageShift

PERCEPTRON = rb.rules.Normalised(rb.rules.Perceptron())
CONSTANT = rb.schedules.Constant()


@pytest.mark.filterwarnings("ignore:lsoda")
def test_a_shift_along_the_field_says_what_start_it_needs(monkeypatch):
    monkeypatch.setattr("rosenblatt.theory.integration._EFFORT", 2000)
    rule = rb.rules.Shifted(PERCEPTRON, AverageShift(uniform=False), opening=0)
    parts = (rule, CONSTANT, rb.teachers.Sign(0.1), rb.streams.Gaussian(2.0, 1.0))
    with pytest.raises(ArithmeticError, match=r"start must have w\.M > 0, as the rule"):
        rb.solve(*parts, alpha=10)


def test_a_state_that_overflows_is_an_arithmetic_error():
    with pytest.raises(ArithmeticError, match="is not finite at alpha") as error:
        rb.solve(rb.rules.Hebb(), rb.schedules.Constant(1e200), alpha=1)
    assert type(error.value) is ArithmeticError


def test_alphas_that_differ_by_rounding_have_one_state():
    """Their logarithms are equal, which the solver does not take twice."""
    rule, schedule = rb.rules.Normalised(PERCEPTRON), rb.schedules.Power(5.0)
    near = [1e6, math.nextafter(1e6, 2e6), 2e6]
    curve = rb.solve(rule, schedule, alpha=near).error.values[0]
    assert curve[0] == curve[1] > curve[2]


@pytest.mark.filterwarnings("ignore:lsoda")
@pytest.mark.parametrize(
    ("rule", "schedule", "noise", "reason"),
    [
        (rb.rules.AdaTron(), CONSTANT, 0.2, r"shrinks without end; Normalised\(rule\)"),
        (rb.rules.AdaTron(), rb.schedules.Constant(5.0), 0.2, "grows without end"),
        (PERCEPTRON, rb.schedules.Power(1.0, 1.5), 0.0, "infinite .* an offset"),
    ],
)
def test_a_curve_that_cannot_be_followed_says_why(
    rule, schedule, noise, reason, monkeypatch
):
    monkeypatch.setattr("rosenblatt.theory.integration._EFFORT", 12_000)
    monkeypatch.setattr("rosenblatt.theory.integration._FEW", 2000)
    with pytest.raises(ArithmeticError, match=reason) as error:
        rb.solve(rule, schedule, rb.teachers.Sign(noise), alpha=500)
    assert "kinks" not in str(error.value)


def test_a_negative_rate_is_refused():
    with pytest.raises(ValueError, match="rates that are not negative, got -"):
        rb.solve(PERCEPTRON, lambda clock: 1.0 - clock.time, alpha=3)
