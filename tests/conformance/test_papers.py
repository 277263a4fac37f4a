"""Every claim, erratum and figure of every paper, discovered, in quick mode.

``make claims`` runs them all once; ``make slow`` tests the claims themselves. Modules
of papers that only list claims and errata, or draw figures and tables, are tested here.
They need no test file of their own.
"""

from dataclasses import replace

import numpy as np
import pytest

from rosenblatt import papers
from rosenblatt.core.figures import FigureData
from rosenblatt.papers.claims import Evidence, Kind
from rosenblatt.papers.verdicts import Verdict, settle
from rosenblatt.report import select

PAPERS = select([])
CLAIMS = [claim for paper in PAPERS for claim in paper.claims]
ERRATA = [erratum for paper in PAPERS for erratum in paper.errata]
FIGURES = [figure for paper in PAPERS for figure in paper.figures]


def name(item):
    return item.id


# Claims, regression checks among them, and errata of papers whose ledger is settled.
COUNTS = {"barkai1995": (128, 0, 20), "winther1997": (59, 1, 3)}


def test_everything_is_found():
    assert len(CLAIMS) >= 300
    assert len(ERRATA) >= 40
    assert len(FIGURES) >= 44


def everything(key):
    """Name a test of a whole paper so that it runs beside those of its claims."""
    return f"{key}/all"


@pytest.mark.parametrize("key", COUNTS, ids=everything)
def test_no_claim_comes_or_goes_unnoticed(key):
    (paper,) = (paper for paper in PAPERS if paper.key == key)
    checks = [claim for claim in paper.claims if claim.kind is Kind.REGRESSION]
    assert (len(paper.claims), len(checks), len(paper.errata)) == COUNTS[key]
    for check in checks:
        assert f"``{check.id}``" in getattr(papers, key).__doc__


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS, ids=name)
def test_claims_are_reproduced(claim, settled):
    outcome = settled(claim)
    assert outcome.verdict is Verdict.REPRODUCED, outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS, ids=name)
def test_claims_would_catch_what_they_say(claim, settled):
    """As if twice what a claim says to catch were wrong."""
    outcome = settled(claim)
    catches = claim.catches or 0.1 * abs(outcome.expected.value)
    for side in (-2, 2):
        wrong = replace(
            claim,
            expected=outcome.expected.value + side * catches,
            published=None,
            measure=lambda quick: outcome.measured,
        )
        assert settle(wrong, quick=True).verdict is Verdict.NOT_REPRODUCED


# Numbers that a wrong program, or another reading of the paper, gives.
WRONG = {
    "barkai1995/balanced/convergence": -0.25,
    "barkai1995/balanced/regular-limit": 0.0,  # that it finds the teacher
    "barkai1995/eq14/q-noise": 0.04,
    "barkai1995/eq14/r-noise": 0.04,  # with the factor 1 - 2p of eq. (8)
    "barkai1995/eq16/exponent": 0.2877,  # between alpha = 300 and 1000
    "barkai1995/eq16/fast-from-0.5": 0.1,  # that it converges to p
    "barkai1995/eq16/fast-from-0.9": 0.1,
    "barkai1995/inputs/exponential": 0.625,  # of batch learning
    "barkai1995/inputs/exponential-noise": 0.0,
    "barkai1995/inputs/uniform-noise": 0.0,
    "barkai1995/special/parallel": 0.1,  # p alone, which no run reaches
    "winther1997/cure/alpha8": 0.97,  # that nothing is cured
    "winther1997/exact/odd": 0.0092,
    "winther1997/fig1/most-cases": 0.6,
    "winther1997/fig1/solved-alpha20": 1.0,  # that no run is trapped
    "winther1997/fig1/solved-alpha3": 0.41,
    "winther1997/fig1/transition": 3.6,
    "winther1997/section2/lower-bound": 0.0,
    "winther1997/trapped/noise": 0.82,
}


@pytest.mark.slow
@pytest.mark.parametrize("key", WRONG)
def test_windows_leave_wrong_numbers_out(key, settled):
    (claim,) = (claim for claim in CLAIMS if claim.id == key)
    found = settled(claim)
    assert found.verdict is Verdict.REPRODUCED
    other = replace(
        claim,
        expected=WRONG[key],
        published=None,
        catches=10.0,  # so that the window alone decides
        measure=lambda quick: found.measured,
    )
    assert settle(other, quick=True).reason.startswith("not as expected")


@pytest.mark.slow
@pytest.mark.parametrize("erratum", ERRATA, ids=name)
def test_errata_stand(erratum, settled):
    outcome = settled(erratum)
    assert outcome.verdict is Verdict.ERRATUM, outcome.reason


@pytest.mark.slow
@pytest.mark.parametrize("erratum", ERRATA, ids=name)
def test_errata_would_fall_if_the_paper_were_right(erratum, settled):
    outcome = settled(erratum)
    evidence = Evidence("x", outcome.published, outcome.expected, outcome.published)
    right = replace(erratum, evidence=lambda quick: evidence)
    assert settle(right, quick=True).verdict is Verdict.NOT_REPRODUCED


@pytest.mark.slow
@pytest.mark.parametrize("key", COUNTS, ids=everything)
def test_a_measurement_counts_once(key, settled):
    """An erratum whose evidence is a claim's measurement replaces the claim."""
    (paper,) = (paper for paper in PAPERS if paper.key == key)
    sampled = {}
    for item in (*paper.claims, *paper.errata):
        measured = settled(item).measured
        if measured and measured.stderr > 0 and measured.value != 0:
            sampled.setdefault(measured, []).append(item.id)
    assert [ids for ids in sampled.values() if len(ids) > 1] == []


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
