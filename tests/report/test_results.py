from dataclasses import replace

from rosenblatt.papers.claims import Kind
from rosenblatt.papers.verdicts import Verdict, settle
from rosenblatt.report.results import Exhibit, PaperReport, Report


def test_verdicts_and_regressions_are_counted_apart(paper):
    outcomes = [settle(item, quick=True) for item in (*paper.claims, *paper.errata)]
    check = settle(
        replace(paper.claims[0], kind=Kind.REGRESSION, published=None), quick=True
    )
    one = PaperReport(paper, (*outcomes, check), ())
    assert one.counts == {
        Verdict.REPRODUCED: 1,
        Verdict.ERRATUM: 2,
        Verdict.NOT_REPRODUCED: 2,
    }
    assert one.regressions == (1, 0)
    both = Report((one, one), quick=True, seconds=1.0)
    assert both.counts[Verdict.ERRATUM] == 4
    assert both.regressions == (2, 0)
    assert not both.complete


def test_a_report_is_complete_if_nothing_failed(paper):
    good = settle(paper.claims[0], quick=True)
    report = Report((PaperReport(paper, (good,), ()),), quick=True, seconds=1.0)
    assert report.complete
    failed = Exhibit(paper.figures[1], None, "no luck", 0.0)
    report = Report((PaperReport(paper, (good,), (failed,)),), True, 1.0)
    assert not report.complete
