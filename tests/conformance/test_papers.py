"""Every statement and figure of every paper, discovered, in quick mode.

``make test`` runs them all once; ``make slow`` tests the claims themselves. Modules
of papers have no tests that repeat their claims.
"""

from dataclasses import replace

import numpy as np
import pytest

from rosenblatt.core.figures import FigureData
from rosenblatt.papers.claims import Verdict, settle
from rosenblatt.report import select

PAPERS = select([])
CLAIMS = [claim for paper in PAPERS for claim in paper.claims if not claim.long]
ERRATA = [erratum for paper in PAPERS for erratum in paper.errata]
FIGURES = [figure for paper in PAPERS for figure in paper.figures]


def name(item):
    return item.id


def test_everything_is_found():
    assert {paper.key for paper in PAPERS} == {
        *("barkai1995", "bhattacharya1995", "golea1993", "seung2002", "winther1997")
    }
    assert all(paper.statements and paper.figures for paper in PAPERS)


@pytest.mark.slow
@pytest.mark.parametrize("item", [*CLAIMS, *ERRATA], ids=name)
def test_verdicts_are_those_that_the_ledger_states(item, settled):
    outcome = settled(item)
    assert outcome.verdict is item.due, outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS, ids=name)
def test_claims_would_catch_what_they_say(claim, settled):
    """As if twice what a claim says to catch were wrong."""
    outcome = settled(claim)
    if claim.side:
        other = replace(claim, side=-claim.side, measure=lambda quick: outcome.measured)
        verdicts = {outcome.verdict, settle(other, quick=True).verdict}
        assert Verdict.NOT_REPRODUCED in verdicts
        return
    catches = claim.catches or 0.1 * abs(outcome.expected.value)
    for side in (-2, 2):
        wrong = replace(
            claim,
            expected=outcome.expected.value + side * catches,
            published=None,
            formula=None,
            measure=lambda quick: outcome.measured,
        )
        assert settle(wrong, quick=True).verdict is Verdict.NOT_REPRODUCED


@pytest.mark.slow
@pytest.mark.parametrize("erratum", ERRATA, ids=name)
def test_errata_would_fall_if_the_paper_were_right(erratum, settled):
    outcome = settled(erratum)
    right = replace(erratum, measure=lambda quick: outcome.published or outcome.formula)
    assert settle(right, quick=True).verdict is Verdict.NOT_REPRODUCED


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES, ids=name)
def test_figures_are_made_of_numbers_and_say_what_they_show(figure):
    data = figure.build(quick=True)
    assert isinstance(data, FigureData)
    assert len(data.caption) > 40
    for picture in data.pictures:
        assert np.isfinite(picture.pixels).all()
    for series in data.series:
        known = np.isfinite([series.x, series.y])
        assert (known[0] == known[1]).all()  # what is no number parts two lines
        assert known.mean() > 0.5
        if data.x_log:
            assert np.nanmin(series.x) > 0
        if data.y_log:
            assert np.nanmin(series.y) > 0
