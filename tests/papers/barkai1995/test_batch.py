import pytest

from rosenblatt.papers.barkai1995.batch import CLAIMS
from rosenblatt.papers.verdicts import Verdict


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_are_reproduced(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_would_catch_what_they_say(claim, misjudged):
    assert misjudged(claim).verdict is Verdict.NOT_REPRODUCED
