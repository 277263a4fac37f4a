import math

import pytest

import rosenblatt as rb
from rosenblatt.papers.barkai1995.equations import schedule
from rosenblatt.papers.barkai1995.errata import (
    CLAIMS,
    ERRATA,
    PrintedPerceptron,
    printed_error,
)
from rosenblatt.papers.verdicts import Verdict

PRINTED = rb.rules.Normalised(PrintedPerceptron())


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
def test_errata_stand(erratum, settled, acquitted):
    outcome = settled(erratum)
    assert outcome.verdict is Verdict.ERRATUM, outcome.reason
    # and would fall if the paper were right
    assert acquitted(erratum).verdict is Verdict.NOT_REPRODUCED


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_the_printed_rule_does_what_is_said_of_it(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


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
