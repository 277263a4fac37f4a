"""The number of examples, its inverse, and the four precisions behind it."""

import math

import numpy as np
import pytest

from rosenblatt.bits import Counts
from rosenblatt.counting.guarantee import Searched, guarantee, required_examples


@pytest.mark.parametrize(
    ("n", "eps", "delta"),
    [(3, 0.5, 0.5), (8, 0.5, 0.5), (50, 0.1, 0.05), (1, 0.9, 0.9)],
)
def test_required_examples_are_those_of_the_theorem(n, eps, delta):
    printed = (160 * n * (n + 1)) ** 2 / eps**4 * math.log(32 * n / delta)
    found = required_examples(n, eps, delta)
    assert found == pytest.approx(math.ceil(printed), rel=1e-12)


def counts(total, positive, high):
    """Return counts in which labels and columns are as independent as can be."""
    high = np.array(high, dtype=np.int64)
    high_positive = np.array([int(h) * positive // total for h in high])
    return Counts(high_positive, high - high_positive, positive, total - positive)


@pytest.mark.parametrize(("n", "eps", "delta"), [(3, 0.5, 0.5), (20, 0.1, 0.01)])
def test_the_theorems_number_is_enough_for_all_four_statements(n, eps, delta):
    # as unfavourable as steps 3 and 5 let through: labels and columns rarely positive
    m = required_examples(n, eps, delta)
    rare = int(m * eps / (4 * n)) + 1
    found = guarantee(counts(m, int(m * eps / 4) + 1, [rare] * n), eps, delta)
    assert found.met
    assert found.eps == pytest.approx(eps, rel=1e-9)
    assert [s.about for s in found.statements] == [
        "labels",
        "columns",
        "influences",
        "threshold",
    ]
    for statement in found.statements:
        assert statement.reached <= statement.wanted
        assert statement.eps <= eps
    assert found.binding.about == "influences"
    assert not guarantee(counts(m - 1, m // 2, [m // 2] * n), eps, delta).met


def test_precisions_are_those_of_hoeffding():
    n, m, delta = 2, 1000, 0.05
    found = guarantee(counts(m, 300, [100, 600]), 0.1, delta)
    failures = {  # the probability of being further off, for frequencies of k trials
        "labels": [(m, delta / 2, 1)],
        "columns": [(m, delta / (4 * n), 1)],
        "threshold": [(300, delta / (16 * n), 1)],
    }
    for about, [(trials, fails, factor)] in failures.items():
        [statement] = [s for s in found.statements if s.about == about]
        off = statement.reached / factor
        assert 2 * math.exp(-2 * trials * off**2) == pytest.approx(fails)
    [influences] = [s for s in found.statements if s.about == "influences"]

    def off(trials):
        return math.sqrt(math.log(2 * 16 * n / delta) / 2 / trials)

    assert influences.reached == pytest.approx(2 * (off(100) + off(900)))
    assert influences.wanted == pytest.approx(0.1 / (4 * (n + 1)))
    assert influences.eps == pytest.approx(influences.reached * 4 * (n + 1))


def test_statements_that_are_not_needed_are_left_out():
    constant = guarantee(counts(1000, 999, [500]), 0.1, 0.05)
    assert [s.about for s in constant.statements] == ["labels"]
    unchanging = guarantee(counts(1000, 500, [1000]), 0.1, 0.05)
    assert "influences" not in [s.about for s in unchanging.statements]


def test_a_threshold_from_fewer_examples_is_worth_as_much_as_these():
    n, eps, delta = 3, 0.5, 0.5
    m = required_examples(n, eps, delta)
    all_of_them = counts(m, m // 2, [m // 2] * n)
    assert guarantee(all_of_them, eps, delta, Searched(m, m // 2)).met
    found = guarantee(all_of_them, eps, delta, Searched(m // 16, 20))
    assert not found.met
    assert found.eps == pytest.approx(2 * eps, rel=1e-6)
    assert found.binding.about == "threshold"
    # Hoeffding's inequality for 20 trials
    off = found.binding.reached
    assert 2 * math.exp(-2 * 20 * off**2) == pytest.approx(delta / (16 * n))
    assert f"The threshold is from {m // 16} examples." in str(found)
    assert guarantee(all_of_them, eps, delta, Searched(0, 0)).eps == math.inf
    more = guarantee(all_of_them, eps, delta, Searched(2 * m, m))
    assert more.met
    assert more.eps == pytest.approx(eps, rel=1e-6)
    # a constant needs no threshold
    constant = guarantee(counts(m, m - 1, [m // 2] * n), eps, delta, Searched(0, 0))
    assert constant.met
    assert "threshold" not in str(constant)


def test_another_search_is_said_not_to_be_the_theorems():
    given = counts(1000, 500, [500])
    printed, other = (
        str(guarantee(given, 0.1, 0.05, Searched(1000, 500, how)))
        for how in (True, False)
    )
    assert "printed" not in printed
    assert other.endswith("about the printed search for the threshold, not this.")


def test_few_examples_guarantee_nothing():
    found = guarantee(counts(10, 5, [5, 5, 5]), 0.1, 0.05)
    assert not found.met
    assert found.eps > 1
    assert found.binding.eps > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0.1, 0.1), "n must be a whole number not below 1, got 0"),
        ((2, 0.0, 0.1), "eps must be a number above 0 and below 1, got 0.0"),
        ((2, 0.1, 1.0), "delta must be a number above 0 and below 1, got 1.0"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        required_examples(*arguments)


@pytest.mark.parametrize(("eps", "delta"), [(1e-320, 0.1), (0.1, 5e-324), (1e-90, 0.1)])
def test_more_examples_than_the_largest_float_are_refused(eps, delta):
    with pytest.raises(ValueError, match="fewer examples than the largest float"):
        required_examples(10, eps, delta)
