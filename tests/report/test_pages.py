from dataclasses import replace

import pytest

from rosenblatt.papers.claims import Figure, settle
from rosenblatt.report.page import pages
from rosenblatt.report.results import PaperReport, Report
from rosenblatt.report.running import run


@pytest.fixture
def results(paper):
    first = paper.figures[0]
    found = Figure(first.id, first.where, first.build, finding="It falls as 1/alpha.")
    figures = (found, paper.figures[1])
    given = replace(paper, figures=figures)
    return run([given], quick=True, progress=False).papers[0]


def report(*papers, **given):
    return Report(papers, **({"quick": True, "seconds": 0.0} | given))


def test_the_page_of_a_paper_shows_everything(results):
    made = pages(report(results))["minsky1969.html"]
    for words in (
        'src="data:image/png;base64,',
        '<script type="application/json" id="chart:minsky1969/fig1">',
        'href="minsky1969-fig1.pdf"',
        "It &lt;falls&gt;.",
        'data-series="0"',
        '<td class="number">0.25</td>',
        "<td>Hebb</td>",
        "<b>failed</b> ValueError: nothing to draw",
        "&lt;fig1/right&gt; &amp; more",
        "&lt;no&gt; luck",
        'aria-current="page">minsky1969',
        'data-label="measured"',
        "rosenblatt claims minsky1969/fig1/right --quick",
    ):
        assert words in made
    # of an erratum: printed words, the correct form, the evidence and the kind
    erratum = made[made.index('<article id="minsky1969/erratum/eq1"') :]
    for words in ("<q>", "It is 2.", "Half of a sum.", "<dd>error</dd>"):
        assert words in erratum


def test_parts_without_items_are_left_out_and_need_no_charts(paper):
    outcomes = tuple(settle(claim, quick=True) for claim in paper.claims)
    one = PaperReport(paper, outcomes, ())
    made = pages(report(one))["minsky1969.html"]
    assert 'id="claims"' in made
    for name in ("figures", "errata", "extensions"):
        assert f'id="{name}"' not in made
    assert len(made) < 1e5
    assert '<ul class="wall">' not in pages(report(one))["index.html"]


def test_the_front_page_says_what_was_checked_and_what_was_found(results):
    cached = frozenset({"minsky1969/fig1"})
    made = pages(report(results, cached=cached))["index.html"]
    for words in (
        "Errors of the papers",
        "Not reproduced",
        "5 statements checked: 1 hold",
        '<ul class="wall findings"',
        "It falls as ",
        '<th class="number">errors</th>',
        '<td class="number not-reproduced" data-label="not reproduced">3</td>',
        'marked "cached"'.replace('"', "&#34;"),
        '<ul class="wall">',
    ):
        assert words in made
    for item in results.paper.statements:
        assert f'href="minsky1969.html#{item.id}"' in made
