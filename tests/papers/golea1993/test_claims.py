import pytest

from rosenblatt.papers.golea1993 import CLAIMS, ERRATA, PAPER
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


def test_every_result_of_the_paper_has_a_claim():
    names = {claim.id.split("/")[1] for claim in CLAIMS}
    equations = {f"eq{k}" for k in (6, 11, *range(16, 20), 24, 25, *range(28, 31))}
    noisy = {f"eq{k}" for k in range(32, 35)}
    others = {"lemma1", "lemma2", "lemma3", "theorem1", "corollary1", "bayes"}
    assert equations | noisy | others <= names
    assert [figure.id for figure in PAPER.figures[:3]] == [
        f"golea1993/fig{name}" for name in ("2a", "2b", "3")
    ]
