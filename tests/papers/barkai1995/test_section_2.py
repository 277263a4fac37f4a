from dataclasses import replace

import pytest

from rosenblatt.papers.barkai1995.section_2 import CLAIMS
from rosenblatt.papers.verdicts import Verdict, settle


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_are_reproduced(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_would_catch_what_they_say(claim, settled):
    outcome = settled(claim)
    catches = claim.catches or 0.1 * outcome.expected.value
    off = replace(
        claim,
        expected=outcome.expected.value + 2 * catches,
        published=None,
        measure=lambda quick: outcome.measured,
    )
    assert settle(off, quick=True).verdict is Verdict.NOT_REPRODUCED


def test_a_rate_that_falls_too_fast_leaves_what_the_start_was(settled):
    ends = {claim.id: settled(claim) for claim in CLAIMS if "2-from" in claim.id}
    far = ends["barkai1995/exponent/2-from-0"].measured
    near = ends["barkai1995/exponent/2-from-0.9"].measured
    assert far.value - near.value > 5 * (far.stderr + near.stderr)
    assert near.value > 0.1
