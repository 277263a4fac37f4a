"""What is said of claims and reports: files, numbers, counts."""

import json
import math

import pytest

from rosenblatt.papers import barkai1995
from rosenblatt.papers.claims import Claim, Kind, Measurement, settle
from rosenblatt.report.results import (
    Exhibit,
    PaperReport,
    Report,
    Tally,
    brief,
    claims_json,
    command,
    with_error,
)


def outcome(measured, name="x", **changes):
    given = {"quote": "x = 1", "published": None, "expected": 1.0} | changes
    claim = Claim(
        id=f"minsky1969/{name}",
        where="here",
        statement="x is 1",
        measure=lambda quick: measured,
        **given,
    )
    return settle(claim, quick=True)


def test_claims_have_the_promised_fields():
    (row,) = json.loads(claims_json([outcome((1.001, 0.001))]))
    assert row.pop("seconds") >= 0
    assert row == {
        "id": "minsky1969/x",
        "paper": "minsky1969",
        "where": "here",
        "statement": "x is 1",
        "quote": "x = 1",
        "evidence": "",
        "published": None,
        "printed_formula_gives": None,
        "expected": 1.0,
        "measured": 1.001,
        "stderr": 0.001,
        "window": pytest.approx([0.995, 1.005]),
        "kind": "claim",
        "fault": None,
        "verdict": "reproduced",
        "reason": "as expected (+0.001, +1.0 standard errors)",
        "known_reason": "",
    }


def test_a_bound_has_one_end_and_an_extension_says_so():
    bound = outcome((1.2, 0.001), kind=Kind.EXTENSION, side=1)
    (row,) = json.loads(claims_json([bound]))
    assert row["window"] == [pytest.approx(1.005), None]
    assert (row["kind"], row["verdict"]) == ("extension", "reproduced")


def test_what_json_does_not_know_becomes_null():
    (row,) = json.loads(claims_json([outcome(Measurement(math.nan, math.inf))]))
    assert (row["measured"], row["stderr"]) == (None, None)
    assert row["verdict"] == "not reproduced"


@pytest.mark.parametrize(
    ("value", "stderr", "long", "short"),
    [
        (1.2729090787, 0.00045301, "1.27291 +- 0.00045", "1.27291(45)"),
        (0.0012701, 1.7e-6, "0.0012701 +- 0.0000017", "0.0012701(17)"),
        (28.4567, 0.3421, "28.46 +- 0.34", "28.46(34)"),
        (28.4567, 3.421, "28.5 +- 3.4", "28.5(3.4)"),
        (1234.5, 34.2, "1234 +- 34", "1234(34)"),
        (1.0, 0.0, "1", "1"),
        (math.nan, 0.1, "nan +- 0.1", "nan +- 0.1"),
    ],
)
def test_numbers_show_two_digits_of_their_error(value, stderr, long, short):
    assert with_error(Measurement(value, stderr)) == long
    assert brief(Measurement(value, stderr)) == short


def test_commands_rerun_the_item():
    figure = barkai1995.PAPER.figures[0]
    assert command(figure, quick=True) == (
        "rosenblatt reproduce barkai1995/fig1 --out barkai1995-fig1 --quick"
    )
    erratum = barkai1995.PAPER.errata[0]
    assert command(erratum, quick=False) == f"rosenblatt claims {erratum.id}"


def test_statements_are_counted_once_however_often_they_are_measured(paper):
    def said(name, quote, measured=1.0, published=1.0, **changes):
        return outcome(measured, name, quote=quote, published=published, **changes)

    outcomes = (
        said("a/1", "x is 1"),
        said("a/2", "x is 1"),
        said("b/1", "x is 2"),
        said("b/2", "x is 2", published=2.0, kind=Kind.ERROR),
        said("c", "x is 3", published=2.0, kind=Kind.WORDING),
        said("d/1", "x is 4", published=2.0, kind=Kind.ERROR),
        said("d/2", "x is 4", 3.0, published=2.0, kind=Kind.ERROR),
        said("e", "", kind=Kind.EXTENSION),
    )
    one = PaperReport(paper, outcomes, ())
    assert one.tally == Tally(
        checked=4, hold=1, remarks=1, errors=1, missing=1, extensions=1
    )
    both = Report((one, one), quick=True, seconds=1.0)
    assert both.tally.errors == 2
    assert [found.item.id for found in both.surprises] == ["minsky1969/d/2"] * 2
    assert not both.complete


def test_a_report_is_complete_if_nothing_failed_or_surprises(paper):
    good, known = outcome(1.0, "a"), outcome(2.0, "b", fails="one run decides nothing")
    erratum = outcome(1.0, "c", published=2.0, kind=Kind.ERROR)
    report = Report((PaperReport(paper, (good, known, erratum), ()),), True, 1.0)
    assert report.complete
    assert report.tally.missing == 1
    failed = Exhibit(paper.figures[1], None, "no luck", 0.0)
    report = Report((PaperReport(paper, (good,), (failed,)),), True, 1.0)
    assert report.failed == (paper.figures[1].id,)
    assert not report.complete
