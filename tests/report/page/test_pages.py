import pytest

from rosenblatt.papers.claims import settle
from rosenblatt.report.drawing import draw
from rosenblatt.report.page.pages import front_page, paper_page
from rosenblatt.report.results import Exhibit, PaperReport, Report


@pytest.fixture
def results(paper):
    outcomes = tuple(settle(item, quick=True) for item in paper.statements)
    data = paper.figures[0].build(quick=True)
    exhibits = (
        Exhibit(paper.figures[0], data, "", 1.0, draw(data)),
        Exhibit(paper.figures[1], None, "no <luck>", 0.0),
        Exhibit(paper.tables[0], paper.tables[0].build(quick=True), "", 0.0),
    )
    return PaperReport(paper, outcomes, exhibits)


def report(*papers, **given):
    return Report(papers, **({"quick": True, "seconds": 0.0} | given))


def test_the_page_of_a_paper_shows_everything(results):
    made = paper_page(results, report(results))
    for words in (
        'src="data:image/png;base64,',
        '<script type="application/json" id="chart:minsky1969/fig1">',
        'href="minsky1969-fig1.pdf"',
        "It &lt;falls&gt;.",
        'data-series="0"',
        '<td class="number">0.25</td>',
        "<td>Hebb</td>",
        "<b>failed</b> no &lt;luck&gt;",
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
    made = paper_page(one, report(one))
    assert 'id="claims"' in made
    for name in ("figures", "errata", "extensions"):
        assert f'id="{name}"' not in made
    assert len(made) < 1e5
    assert '<ul class="wall">' not in front_page(report(one))


def test_the_front_page_says_what_was_checked_and_what_was_found(results):
    made = front_page(report(results, cached=frozenset({"minsky1969/fig1"})))
    for words in (
        "Errors of the papers",
        "Not reproduced",
        "statements of the papers checked",
        'marked "cached"'.replace('"', "&#34;"),
        '<ul class="wall">',
    ):
        assert words in made
    for item in results.paper.statements:
        assert f'href="minsky1969.html#{item.id}"' in made
