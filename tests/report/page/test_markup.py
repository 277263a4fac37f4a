from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.verdicts import Verdict, settle
from rosenblatt.report.page.markup import kind, number, rerun, time_taken, verdict


def test_numbers_have_typographic_signs_and_their_error():
    assert number(Measurement(-1.5, 0.25)) == (
        "<span>&#8722;1.50</span> <span>&#177; 0.25</span>"
    )
    assert number(Measurement(0.5, 0.0)) == "<span>0.5</span>"
    assert number(None) == "<span>&#8211;</span>"


def test_a_verdict_has_a_mark_a_class_and_words(paper):
    shown = verdict(settle(paper.claims[0], quick=True))
    assert 'class="verdict reproduced"' in shown
    assert "&#10003;" in shown
    assert kind(Verdict.NOT_REPRODUCED) == "not-reproduced"


def test_cached_times_are_marked():
    assert time_taken(1.25, cached=True).endswith(" s, cached")


def test_commands_can_be_copied(paper):
    shown = rerun(paper.claims[0], quick=True)
    assert "rosenblatt claims minsky1969/fig1/right --quick" in shown
    assert "<button" in shown
