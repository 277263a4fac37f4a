import math
from types import SimpleNamespace

import numpy as np
import pytest

from rosenblatt.counting.guarantee import required_examples
from rosenblatt.papers.claims import Verdict, settle
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


def found_by(claims, name):
    return next(claim for claim in claims if claim.id.endswith(name))


@pytest.mark.parametrize("name", ["n3-eps0.1", "n8-eps0.1", "fewer", "practical"])
def test_one_failure_of_many_runs_rejects_the_guarantee(monkeypatch, name):
    claim = found_by(theorem_1.CLAIMS, name)
    for failed, verdict in ((0, Verdict.REPRODUCED), (1, Verdict.NOT_REPRODUCED)):
        some = np.arange(200) < failed
        monkeypatch.setattr(theorem_1, "failures", lambda *given, some=some: some)
        assert settle(claim, quick=False).verdict is verdict


def test_passes_that_grow_with_the_sample_are_not_linear(monkeypatch):
    class Slow:
        def __init__(self, eps):
            pass

        def fit_batches(self, batches):
            rows = sum(len(labels) for _, labels in batches())
            for _ in range(round(math.log10(rows)) - 1):
                sum(len(labels) for _, labels in batches())

    claim = found_by(theorem_1.CLAIMS, "time")
    assert settle(claim, quick=True).verdict is Verdict.REPRODUCED
    monkeypatch.setattr(theorem_1, "estimators", SimpleNamespace(BinaryPerceptron=Slow))
    assert settle(claim, quick=True).verdict is Verdict.NOT_REPRODUCED


def test_confidences_add_up_to_less_than_delta_for_all_sizes():
    for n in range(1, 9):
        assert theorem_1._confidence(n) == pytest.approx(15 / 16)
