import math
from dataclasses import dataclass

import pytest

import rosenblatt as rb
from rosenblatt.core import Teacher
from rosenblatt.theory.drift import OverlapDrift


def test_the_best_scale_for_the_perceptron_is_known_and_a_bar_is_shown(capsys):
    rule = rb.rules.Normalised(rb.rules.Perceptron())
    found = rb.theory.best_rate(rule, progress=True)
    assert found == pytest.approx(2 * math.sqrt(2 * math.pi), rel=1e-5)
    assert "best rate" in capsys.readouterr().err


@dataclass(frozen=True)
class Probit(Teacher):
    def bind(self):
        return lambda b: 0.5 * math.erfc(-math.sqrt(2.0) * b)


def test_a_teacher_without_closed_forms_takes_few_evaluations(monkeypatch):
    """At a millisecond each they are the time of the search: under ten seconds."""
    drift, times = OverlapDrift.__call__, []

    def counted(self, state, rate, time):
        times.append(time)
        return drift(self, state, rate, time)

    monkeypatch.setattr(OverlapDrift, "__call__", counted)
    rule = rb.rules.Normalised(rb.rules.Perceptron())
    found = rb.theory.best_rate(rule, Probit())
    assert found == pytest.approx(2.80251, rel=1e-5)  # with steps of 3e-3 and 1e-8
    assert len(times) < 5000


def test_a_rule_without_a_best_scale_is_an_error():
    rule = rb.rules.Decay(rb.rules.Hebb(), 0.0)  # every scale gives the same angle
    with pytest.raises(ValueError, match="has no best scale"):
        rb.theory.best_rate(rule, exponent=0.0)


@pytest.mark.parametrize(
    ("inner", "noise", "given", "wanted"),
    [
        (rb.rules.Perceptron(), 0.0, {"exponent": 0.5, "alpha": 1e4}, 0.13456),
        (rb.rules.Perceptron(), 0.0, {"exponent": 0.5, "alpha": 1e6}, 0.01909),
        (rb.rules.AdaTron(), 0.1, {"alpha": 1e6}, 55.710),
    ],
)
def test_a_minimum_that_moves_while_alpha_grows_is_followed(
    inner, noise, given, wanted
):
    """Known from scans at alpha itself."""
    rule, teacher = rb.rules.Normalised(inner), rb.teachers.Sign(noise)
    found = rb.theory.best_rate(rule, teacher, **given)
    assert found == pytest.approx(wanted, rel=1e-4)


def test_the_error_names_the_end_of_the_range_to_which_the_angle_falls():
    rule = rb.rules.Normalised(rb.rules.Hebb())  # the smaller a constant the better
    with pytest.raises(ValueError, match=r"from 0\.01 to 100 .* all the way to 0\.01"):
        rb.theory.best_rate(rule, exponent=0.0, alpha=1e6)


def test_a_rule_whose_curves_cannot_be_followed_is_an_error(monkeypatch):
    monkeypatch.setattr("rosenblatt.theory.integration._EFFORT", 2000)
    monkeypatch.setattr("rosenblatt.theory.integration._FEW", 2000)
    rule, teacher = rb.rules.AdaTron(), rb.teachers.Sign(0.2)
    with pytest.raises(ArithmeticError, match=r"without end; Normalised\(rule\)"):
        rb.theory.best_rate(rule, teacher, exponent=0.0, alpha=1e5)
