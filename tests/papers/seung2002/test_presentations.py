import numpy as np
import pytest

from rosenblatt.papers.claims import Verdict, settle
from rosenblatt.papers.seung2002 import presentations
from rosenblatt.papers.seung2002.problems import drawn_order
from rosenblatt.papers.seung2002.walks import BEST, TARGETS


def test_the_cycle_is_that_of_a_plain_loop():
    w, rate, found = 0.0, 0.3, []
    for _ in range(100):
        found = []
        for target in TARGETS:
            w += rate * (target - w)
            found.append(w)
    np.testing.assert_allclose(presentations.cycle(rate), found, rtol=1e-12)


def test_the_end_of_a_pass_is_not_changed_by_one_more():
    rng = np.random.default_rng(2002)
    X, labels = rng.standard_normal((10, 3)), rng.choice([-1.0, 1.0], 10)
    end = presentations.end_of_pass(X, labels, 0.05)
    w = end.copy()
    for x, y in zip(X, labels, strict=True):
        w += 0.05 * (y - w @ x) * x
    np.testing.assert_allclose(w, end, rtol=1e-12)


@pytest.mark.parametrize("claim", presentations.CLAIMS[:2], ids=lambda c: c.id)
def test_a_random_order_would_be_rejected(claim, monkeypatch):
    follow = presentations.follow

    def shuffled(rule, schedule, X, labels, start, order, times):
        order = drawn_order(len(X), order.size, 9)
        return follow(rule, schedule, X, labels, start, order, times)

    monkeypatch.setattr(presentations, "follow", shuffled)
    assert settle(claim, quick=True).verdict is Verdict.NOT_REPRODUCED


def test_a_fixed_order_is_nearer_to_the_minimum_than_a_random_one():
    rate = 0.1
    assert np.mean((presentations.cycle(rate) - BEST) ** 2) < 0.1 * rate / (2 - rate)
