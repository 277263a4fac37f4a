from rosenblatt.papers.claims import Claim, Kind, settle
from rosenblatt.report.results import Exhibit, PaperReport, Report, Tally


def outcome(name, quote, measured, **changes):
    given = {"published": 1.0, "expected": 1.0} | changes
    claim = Claim(
        id=f"minsky1969/{name}",
        where="here",
        statement="x is 1",
        quote=quote,
        measure=lambda quick: measured,
        **given,
    )
    return settle(claim, quick=True)


def test_statements_are_counted_once_however_often_they_are_measured(paper):
    wrong = {"published": 2.0}
    outcomes = (
        outcome("a/1", "x is 1", 1.0),
        outcome("a/2", "x is 1", 1.0),
        outcome("b/1", "x is 2", 1.0),
        outcome("b/2", "x is 2", 1.0, kind=Kind.ERROR, **wrong),
        outcome("c", "x is 3", 1.0, kind=Kind.WORDING, **wrong),
        outcome("d/1", "x is 4", 1.0, kind=Kind.ERROR, **wrong),
        outcome("d/2", "x is 4", 3.0, kind=Kind.ERROR, **wrong),
        outcome("e", "", 1.0, kind=Kind.EXTENSION),
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
    good = outcome("a", "x is 1", 1.0)
    known = outcome("b", "x is 1", 2.0, fails="one run decides nothing")
    report = Report((PaperReport(paper, (good, known), ()),), True, 1.0)
    assert report.complete
    assert report.tally.missing == 1
    failed = Exhibit(paper.figures[1], None, "no luck", 0.0)
    report = Report((PaperReport(paper, (good,), (failed,)),), True, 1.0)
    assert report.failed == (paper.figures[1].id,)
    assert not report.complete
