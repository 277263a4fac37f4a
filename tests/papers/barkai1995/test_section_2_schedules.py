import pytest

from rosenblatt.papers.barkai1995.section_2_schedules import CLAIMS, ERRATA
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


@pytest.mark.parametrize("kind", ["exponent/2-from", "eq6/factor-from"])
def test_what_depends_on_the_start_does_so_clearly(kind, settled):
    far, near = (
        settled(claim).measured
        for claim in CLAIMS
        if claim.id.startswith(f"barkai1995/{kind}")
    )
    assert far.value - near.value > 5 * (far.stderr + near.stderr)
    assert near.value > 0.1
