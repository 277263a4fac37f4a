import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.separation.cycles import perceptron_cycle
from rosenblatt.separation.separability import separability, signed
from tests import references

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_a_cycle_is_one():
    """After the cycle begins, a whole number of rounds changes nothing."""
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(30):
        X, y = rng.integers(-2, 3, (6, 2)), rng.integers(0, 2, 6)
        if separability(X, y, passes=0).separable:
            continue
        found += 1
        cycle = perceptron_cycle(X, y, passes=5000)
        Z, _ = signed(X, y, fit_intercept=True)
        for rounds in (0, 1, 3):
            passes = cycle.first + rounds * cycle.passes
            mistakes, w = references.perceptron_mistakes(Z, passes)
            assert w.tolist() == list(cycle.start)
            if rounds:
                before = mistakes[cycle.first - 1] if cycle.first else 0
                assert mistakes[-1] - before == rounds * cycle.errors
        assert len(cycle.presentations) == 6 * cycle.passes
        assert cycle.presentations[-1].weights == cycle.start
        assert cycle.errors > 0
    assert found > 5


def test_exclusive_or():
    cycle = rb.perceptron_cycle(XOR, [-1, 1, 1, -1])
    assert (cycle.passes, cycle.errors) == (1, 4)
    lines = str(cycle).splitlines()
    assert len(lines) == 5
    assert all("error" in line for line in lines[1:])


def test_what_is_learned_stays():
    cycle = perceptron_cycle(XOR, [-1, 1, 1, 1])
    assert (cycle.passes, cycle.errors) == (1, 0)


def test_numbers_that_do_not_come_again_give_nothing():
    assert perceptron_cycle(XOR, [-1, 1, 1, 1], passes=1) is None
    with pytest.raises(ValueError, match="passes must be a whole number not below 1"):
        perceptron_cycle(XOR, [-1, 1, 1, 1], passes=0)
