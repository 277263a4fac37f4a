import math

import pytest

import rosenblatt as rb


def test_the_best_scale_for_the_perceptron_is_known_and_a_bar_is_shown(capsys):
    rule = rb.rules.Normalised(rb.rules.Perceptron())
    found = rb.theory.best_rate(rule, progress=True)
    assert found == pytest.approx(2 * math.sqrt(2 * math.pi), rel=1e-5)
    assert "best rate" in capsys.readouterr().err


def test_a_rule_without_a_best_scale_is_an_error():
    rule = rb.rules.Decay(rb.rules.Hebb(), 0.0)  # every scale gives the same angle
    with pytest.raises(ValueError, match="has no best scale"):
        rb.theory.best_rate(rule, exponent=0.0)
