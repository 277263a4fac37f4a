from rosenblatt.papers.barkai1995.section_3 import CLAIMS


def test_the_regular_rule_does_not_end_at_the_teacher(settled):
    (claim,) = (c for c in CLAIMS if c.id == "barkai1995/regular/error")
    measured = settled(claim).measured
    assert measured.value - 0.2 > 5 * measured.stderr
