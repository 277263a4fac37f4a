from rosenblatt.papers.golea1993 import CLAIMS, PAPER


def test_every_result_of_the_paper_has_a_claim():
    names = {claim.id.split("/")[1] for claim in CLAIMS}
    equations = {f"eq{k}" for k in (6, 11, *range(16, 20), 24, 25, *range(28, 31))}
    noisy = {f"eq{k}" for k in range(32, 35)}
    others = {"lemma1", "lemma2", "lemma3", "theorem1", "corollary1", "bayes"}
    assert equations | noisy | others <= names
    assert [figure.id for figure in PAPER.figures[:3]] == [
        f"golea1993/fig{name}" for name in ("2a", "2b", "3")
    ]
