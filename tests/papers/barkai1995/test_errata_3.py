from dataclasses import replace

import pytest

from rosenblatt.papers.barkai1995.errata_3 import ERRATA
from rosenblatt.papers.claims import Evidence
from rosenblatt.papers.verdicts import Verdict, settle


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
def test_errata_stand(erratum, settled):
    outcome = settled(erratum)
    assert outcome.verdict is Verdict.ERRATUM, outcome.reason


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
def test_errata_would_fall_if_the_paper_were_right(erratum, settled):
    outcome = settled(erratum)
    evidence = Evidence("x", outcome.published, outcome.expected, outcome.published)
    right = replace(erratum, evidence=lambda quick: evidence)
    assert settle(right, quick=True).verdict is Verdict.NOT_REPRODUCED
