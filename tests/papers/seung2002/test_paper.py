from rosenblatt.papers.seung2002 import CLAIMS, PAPER


def test_every_section_of_the_lecture_has_a_claim():
    names = {claim.id.split("/")[1] for claim in CLAIMS}
    sections = {f"section{k}" for k in (1, 2, 3, 4, 6, 7)}
    assert sections | {"eq2", "eq5-6", "digits", "theorem", "cycle"} <= names
    assert len(PAPER.errata) == 6
    assert len(PAPER.figures) == 8
