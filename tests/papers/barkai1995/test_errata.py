import math

import pytest

import rosenblatt as rb
from rosenblatt.papers.barkai1995.equations import schedule
from rosenblatt.papers.barkai1995.errata import (
    PrintedPerceptron,
    printed_error,
)

PRINTED = rb.rules.Normalised(PrintedPerceptron())


def test_the_printed_rule_moves_on_right_examples_only():
    step = PrintedPerceptron().bind()
    one = rb.core.Percept(0.5, 1.0, 1.0, 1.0, 2.0, 10.0)
    assert step(one).gain == 2.0
    assert step(one._replace(label=-1.0)).gain == 0.0


def test_the_law_of_the_printed_rule_is_that_of_its_drift():
    alpha = 1e6
    curve = rb.solve(PRINTED, schedule(2.0), alpha=[alpha])["error"].values[0, 0]
    assert curve == pytest.approx(printed_error(2.0, alpha), rel=10 / alpha)
    # the number in the text, from the leading term
    assert math.sqrt(alpha) * curve == pytest.approx(
        math.sqrt(8 / (3 * math.pi)), rel=2 / math.sqrt(alpha)
    )


def test_at_scale_one_the_theory_grows_with_the_logarithm_itself():
    run = rb.solve(
        rb.rules.Normalised(rb.rules.Perceptron()),
        schedule(1.0, offset=1.0),
        alpha=[1e6, 1e7],
    )
    first, second = math.pi * (run["alpha"] * run["error"][0]).values
    assert (second - first) / math.log(10) == pytest.approx(1.0, abs=1e-4)
