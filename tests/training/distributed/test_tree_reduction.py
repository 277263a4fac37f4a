import itertools

import numpy as np
import pytest

from rosenblatt.training.distributed.tree_reduction import group_neighbours, reduce_tree


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_the_order_in_which_results_come_changes_no_bit(count):
    numbers = list(enumerate(np.random.default_rng(0).random(count).tolist()))
    orders = itertools.islice(itertools.permutations(numbers), 200)
    assert len({reduce_tree(order, count, float.__add__) for order in orders}) == 1


def test_results_that_are_none_count_for_nothing():
    join = "({0}{1})".format
    found = reduce_tree(enumerate(["a", None, "c", None, None]), 5, join)
    assert found == "(ac)"
    assert reduce_tree([], 0, join) is None


@pytest.mark.parametrize("most", [1, 2, 3, 7, 100])
def test_joining_groups_is_joining_all(most):
    items = [f"{k}" for k in range(7)]
    join = "({0}{1})".format
    groups = group_neighbours(items, most)
    assert len(groups) <= most
    parts = [reduce_tree(enumerate(group), len(group), join) for group in groups]
    whole = reduce_tree(enumerate(items), len(items), join)
    assert reduce_tree(enumerate(parts), len(parts), join) == whole
