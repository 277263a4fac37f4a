from dataclasses import replace

import pytest

from rosenblatt.papers.claims import Claim, Kind, Measurement
from rosenblatt.papers.verdicts import Verdict
from rosenblatt.report.reproduce import pages
from rosenblatt.report.running.run import run
from tests.scripts import run_script


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
    assert failures.pop("minsky1969/fig2") == "ValueError: nothing to draw"
    assert "nosuchthing" in failures.pop("minsky1969/fig3")
    assert failures == {}
    assert not report.complete


def check(name, value):
    return Claim(
        id=f"minsky1969/{name}",
        where="page 3",
        statement="x is 1",
        published=None,
        expected=1.0,
        measure=lambda quick: Measurement(value, 0.001),
        kind=Kind.REGRESSION,
    )


@pytest.mark.parametrize("value", [1.0, 1.2], ids=["unchanged", "changed"])
def test_regression_checks_are_counted_apart_and_may_fail(paper, value):
    claims = (*paper.claims[:2], check("kept", 1.0), check("other", value))
    with_checks = replace(paper, claims=claims, figures=(), tables=())
    report = run([with_checks], quick=True, progress=False)
    assert sum(report.counts.values()) == 3  # two claims and an erratum
    assert report.counts[Verdict.REPRODUCED] == 1
    assert report.regressions == ((2, 0) if value == 1.0 else (1, 1))
    assert report.complete == (value == 1.0)


def test_the_page_has_regression_checks_in_a_table_of_their_own(paper):
    with_check = replace(paper, claims=(*paper.claims, check("kept", 1.0)))
    made = pages(run([with_check], quick=True, progress=False))
    assert "<b>1</b> claims reproduced" in made["index.html"]
    assert "<b>1</b> regression checks unchanged" in made["index.html"]
    claims, checks = made["minsky1969.html"].split('id="regression-checks"')
    assert '<tr id="minsky1969/kept"' not in claims
    assert '<tr id="minsky1969/kept"' in checks
    assert '<tr id="minsky1969/nothing"' in claims


DYING = """
import os, signal, sys
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.paper import Figure, Paper
from rosenblatt.report.running.run import run
from tests.scripts import run_script

def dies(quick=True):
    os.kill(os.getpid(), signal.SIGKILL)

def claim(name, measure):
    return Claim(id=f"minsky1969/{name}", where="", statement="", published=None,
                 expected=1.0, measure=measure)

def figure(*, quick):
    line = Series(str(os.getpid()), [1.0], [1.0], "theory")
    return FigureData("t", "c", "x", "y", (line,))

def other(*, quick):
    return figure(quick=quick)

other.__module__ = "elsewhere"
paper = Paper(
    key="minsky1969",
    citation="",
    claims=(claim("good", lambda quick: Measurement(1.0, 0.0)), claim("bad", dies)),
    figures=(
        Figure("minsky1969/a", "", figure),
        Figure("minsky1969/b", "", other),
        Figure("minsky1969/c", "", lambda *, quick: dies()),
    ),
)
report = run([paper], quick=True, progress=True, workers=2)
for outcome in report.outcomes:
    print(outcome.item.id, outcome.verdict, outcome.reason)
for e in report.exhibits:
    own = e.data is not None and e.data.series[0].name == str(os.getpid())
    print(e.item.id, own, e.drawing is not None, e.failure)
"""


def test_a_process_that_is_killed_costs_one_item_and_the_bar_forbids_no_processes(
    tmp_path,
):
    done = run_script(DYING, tmp_path)
    killed = "the process that computed it ended (SIGKILL(-9))"
    assert done.stdout.splitlines() == [
        "minsky1969/good reproduced as expected (+0)",
        f"minsky1969/bad not reproduced {killed}",
        "minsky1969/a False True ",
        "minsky1969/b False True ",
        f"minsky1969/c False False {killed}",
    ], done.stderr


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
    for item in paper.items():
        assert item.id in said.err
    run([paper], quick=True, progress=False)
    assert capfd.readouterr().err == ""
