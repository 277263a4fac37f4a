from dataclasses import replace

import pytest

from rosenblatt.papers.barkai1995.section_3 import CLAIMS
from rosenblatt.papers.verdicts import Verdict, settle


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_are_reproduced(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_would_catch_what_they_say(claim, settled):
    outcome = settled(claim)
    catches = claim.catches or 0.1 * abs(outcome.expected.value)
    off = replace(
        claim,
        expected=outcome.expected.value + 2 * catches,
        published=None,
        measure=lambda quick: outcome.measured,
    )
    assert settle(off, quick=True).verdict is Verdict.NOT_REPRODUCED


def test_the_regular_rule_does_not_end_at_the_teacher(settled):
    (claim,) = (c for c in CLAIMS if c.id == "barkai1995/regular/error")
    measured = settled(claim).measured
    assert measured.value - 0.2 > 5 * measured.stderr
