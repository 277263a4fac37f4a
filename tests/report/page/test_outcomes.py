from rosenblatt.papers.claims import Kind
from rosenblatt.papers.verdicts import settle
from rosenblatt.report.page.outcomes import claims, errata


def test_claims_are_rows_with_three_numbers_and_escaped_words(paper):
    outcomes = [settle(claim, quick=True) for claim in paper.claims]
    shown = claims(outcomes, "", kind=Kind.REPRODUCTION, quick=True, cached=frozenset())
    for claim in paper.claims:
        assert f'id="{claim.id}"' in shown
    assert shown.count('data-label="measured"') == len(paper.claims)
    assert "&lt;fig1/right&gt; &amp; more" in shown
    assert "&lt;no&gt; luck" in shown
    none = claims(outcomes, "", kind=Kind.REGRESSION, quick=True, cached=frozenset())
    assert "minsky1969" not in none


def test_errata_show_what_is_printed_and_what_is_correct(paper):
    outcome = settle(paper.errata[0], quick=True)
    shown = errata([outcome], "", quick=False, cached=frozenset({outcome.item.id}))
    for words in ("1 + 1 = 3", "1 + 1 = 2", "a sum", "cached"):
        assert words in shown
