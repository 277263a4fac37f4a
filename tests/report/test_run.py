from dataclasses import replace

from rosenblatt.report.results import Tally
from rosenblatt.report.running import run
from tests.scripts import run_script


def test_a_failing_item_does_not_take_the_others_down(paper):
    report = run([paper], quick=True, progress=False)
    assert len(report.outcomes) == 5
    assert len(report.exhibits) == 4
    assert report.tally == Tally(
        checked=5, hold=1, remarks=0, errors=1, missing=3, extensions=0
    )
    failures = {e.item.id: e.failure for e in report.exhibits if e.failure}
    assert failures.pop("minsky1969/fig2") == "ValueError: nothing to draw"
    assert "nosuchthing" in failures.pop("minsky1969/fig3")
    assert failures == {}
    assert not report.complete


DYING = """
import os, signal, sys
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.papers.claims import Claim, Figure, Measurement, Paper
from rosenblatt.report.running import run
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
    statements=(claim("good", lambda quick: Measurement(1.0, 0.0)), claim("bad", dies)),
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


def test_the_bar_goes_to_stderr(paper, capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, for rich
    run([paper], quick=True, progress=True)
    said = capfd.readouterr()
    assert said.out == ""
    assert "9" in said.err
    run([paper], quick=True, progress=False)
    assert capfd.readouterr().err == ""


def test_a_quick_run_leaves_out_what_only_a_full_one_decides(paper):
    long = replace(paper.claims[0], long=True)
    given = replace(paper, statements=(long,), figures=(), tables=())
    assert run([given], quick=True, progress=False).outcomes == ()
    assert len(run([given], quick=False, progress=False).outcomes) == 1
