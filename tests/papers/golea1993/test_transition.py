import itertools

import numpy as np
import pytest

from rosenblatt.papers.golea1993 import transition


def test_wrong_students_are_counted_exactly():
    """All 64 samples of two examples of three variables, and all eight students."""
    inputs = np.array(list(itertools.product((-1, 1), repeat=3)))
    truth = np.array([1, 1, -1])
    agree = (inputs @ inputs.T > 0) == (inputs @ truth > 0)[:, None]
    others = [
        (agree[list(sample)].all(axis=0)).sum() - 1
        for sample in itertools.product(range(8), repeat=2)
    ]
    assert transition.wrong_students(3, 2) == pytest.approx(np.mean(others), rel=1e-12)


def test_counts_of_another_number_of_examples_are_rejected():
    for claim, alpha in zip(transition.CLAIMS[:2], (1, 2), strict=True):
        found = claim.measure(True)
        for examples in (11 * alpha - 3, 11 * alpha + 6):
            off = abs(found.value - transition.wrong_students(11, examples))
            assert off > claim.tolerance * found.stderr


def test_a_rule_that_is_as_good_as_consistent_ones_would_be_rejected(monkeypatch):
    others = np.repeat([[0.0, 0.0], [1.0, 1.0]], 100, axis=0)
    monkeypatch.setattr(
        transition, "_samples", lambda quick: (others, 1.0 * (others == 0))
    )
    assert transition._lost.measure(True).value <= 0
