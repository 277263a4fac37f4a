from rosenblatt.report.page.frame import filters, frame
from rosenblatt.report.results import Report

NOTHING = Report(papers=(), quick=True, seconds=0.0)


def test_charts_bring_their_library_only_where_they_are():
    without = frame(NOTHING, "title", "<main></main>", current="")
    with_charts = frame(NOTHING, "title", "<main></main>", current="", charts=True)
    assert len(without) < 1e5 < 1e6 < len(with_charts)
    assert "<title>title</title>" in without


def test_filters_offer_every_section_once():
    made = filters("section", ["Section 1", "<2>"])
    assert made.count("<option>") == 2
    assert "&lt;2&gt;" in made
