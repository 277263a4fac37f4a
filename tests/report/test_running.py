from dataclasses import replace

from rosenblatt.papers.verdicts import Verdict
from rosenblatt.report.running import run


def test_a_failing_item_does_not_take_the_others_down(paper):
    report = run([paper], quick=True, progress=False)
    assert len(report.outcomes) == 5
    assert len(report.exhibits) == 4
    assert report.counts == {
        Verdict.REPRODUCED: 1,
        Verdict.ERRATUM: 2,
        Verdict.NOT_REPRODUCED: 2,
    }
    failures = {e.item.id: e.failure for e in report.exhibits if e.failure}
    assert failures == {"minsky1969/fig2": "ValueError: nothing to draw"}
    assert not report.complete


def test_errata_do_not_make_a_report_incomplete(paper):
    good = replace(paper, claims=paper.claims[:2], figures=paper.figures[:1], tables=())
    assert run([good], quick=True, progress=False).complete


def test_a_failing_figure_makes_a_report_incomplete(paper):
    bad = replace(paper, claims=(), errata=(), figures=paper.figures[1:2], tables=())
    assert not run([bad], quick=True, progress=False).complete


def test_the_bar_goes_to_stderr_and_says_what_is_running(paper, capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, for rich
    monkeypatch.setenv("COLUMNS", "120")
    run([paper], quick=True, progress=True)
    said = capfd.readouterr()
    assert said.out == ""
    assert "minsky1969" in said.err
    run([paper], quick=True, progress=False)
    assert capfd.readouterr().err == ""
