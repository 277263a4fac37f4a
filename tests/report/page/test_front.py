from rosenblatt.papers.verdicts import settle
from rosenblatt.report.page.front import front_page
from rosenblatt.report.results import PaperReport, Report


def test_each_item_is_a_line_with_a_link_to_its_page(paper):
    outcomes = tuple(settle(claim, quick=True) for claim in paper.claims)
    report = Report((PaperReport(paper, outcomes, ()),), quick=True, seconds=0.0)
    made = front_page(report)
    for claim in paper.claims:
        assert f'href="minsky1969.html#{claim.id}"' in made
    assert '<ul class="wall">' not in made  # there is no figure
