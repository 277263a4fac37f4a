import pytest

from rosenblatt.papers.barkai1995.section_2 import CLAIMS, ERRATA
from rosenblatt.papers.verdicts import Verdict


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_are_reproduced(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_would_catch_what_they_say(claim, misjudged):
    assert misjudged(claim).verdict is Verdict.NOT_REPRODUCED


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
def test_errata_stand(erratum, settled, acquitted):
    outcome = settled(erratum)
    assert outcome.verdict is Verdict.ERRATUM, outcome.reason
    # and would fall if the paper were right
    assert acquitted(erratum).verdict is Verdict.NOT_REPRODUCED
