from rosenblatt.papers.verdicts import settle
from rosenblatt.report.page.paper import paper_page
from rosenblatt.report.results import PaperReport, Report


def test_parts_without_items_are_left_out(paper):
    outcomes = tuple(settle(claim, quick=True) for claim in paper.claims)
    one = PaperReport(paper, outcomes, ())
    made = paper_page(one, Report((one,), quick=True, seconds=0.0))
    assert 'id="claims"' in made
    for name in ("figures", "errata", "regression-checks"):
        assert f'id="{name}"' not in made
    assert 'aria-current="page">minsky1969' in made
