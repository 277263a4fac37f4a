from rosenblatt.papers.golea1993.lemmas import problems
from rosenblatt.theory.closed.influences import influences


def test_problems_have_both_labels_and_all_sizes():
    sizes = set()
    for weights, threshold, law in problems(True):
        sizes.add(weights.size)
        assert 0 < influences(weights, threshold, law).positive < 1
    assert sizes == set(range(1, 9))
