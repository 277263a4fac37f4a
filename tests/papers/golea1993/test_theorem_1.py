import math

import numpy as np
import pytest

from rosenblatt.engines.guarantee import required_examples
from rosenblatt.papers.golea1993 import theorem_1
from rosenblatt.papers.golea1993.samples import Hypothesis
from rosenblatt.papers.golea1993.theorem_1 import failures, hoeffding_examples


def test_with_a_handful_of_examples_runs_do_fail():
    # so that the claims of theorem 1 could: half of 100 uniform samples of 5 examples
    failed = failures(3, 0.1, 5, 400).reshape(100, 4).mean(axis=0)
    assert failed[0] > 0.5 - 5 * 0.05
    assert failures(3, 0.1, hoeffding_examples(3, 0.1, 0.5), 20).sum() == 0


def test_an_accuracy_of_one_tenth_tells_constants_from_what_is_learned(monkeypatch):
    def constant(bits, labels, eps, *, times):
        most = np.sign(times @ labels)
        return Hypothesis(np.zeros(bits.columns, np.int8), -most * math.inf, True)

    monkeypatch.setattr(theorem_1, "learn", constant)
    assert failures(3, 0.5, 10**6, 100).sum() == 0
    assert failures(3, 0.1, 10**6, 100).mean() > 0.3


def test_the_smaller_number_of_examples_is_what_hoeffding_asks_for():
    n, eps, delta = 4, 0.2, 0.1
    m = hoeffding_examples(n, eps, delta)
    rarest = m * eps / (4 * n)  # examples with the rarer level of a variable
    precision = eps / (16 * (n + 1))  # of a frequency, for a quarter of an influence's
    may_fail = 2 * math.exp(-2 * rarest * precision**2)
    assert may_fail == pytest.approx(2 * delta / (32 * n), rel=1e-3)
    ratio = required_examples(n, eps, delta) / m
    assert ratio == pytest.approx(50 * n / eps, rel=1e-5)
