"""One example for a few learners, against the rule for one of them."""

import importlib

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.compiling.beliefs import learning
from rosenblatt.core import Belief, Observation
from rosenblatt.rules import BinaryBayes, DiagonalBayes, FullBayes
from rosenblatt.rules.beliefs.binary_bayes import move
from rosenblatt.simulation.beliefs import STATISTICS, group_update, padded

SUMS, SEEN = slice(0, 4), slice(4, 12)  # of the stats of a learner


def looked_at(x, label, mean, variance):
    n = len(x)
    return Observation(
        mean @ x, label, mean @ mean / n, x @ x, 0.7, n, variance @ x**2,
        variance.sum() / n,
    )  # fmt: skip


@pytest.mark.parametrize(
    "rule", [BinaryBayes(0.1), BinaryBayes(implicit=True), DiagonalBayes(), FullBayes()]
)
@pytest.mark.parametrize("n", [1, 7, 8, 9, 50])
def test_each_learner_becomes_what_it_would_alone(rule, n):
    """The second of three has no example; what is beyond the weights stays 0."""
    rng = np.random.default_rng(n)
    labels, examples, width = [1.0, 0.0, -1.0], 5, padded(n)
    memory = rule.memory(n)
    states = np.zeros((3, padded(memory)))
    means, variances = np.zeros((3, width)), np.zeros((3, width))
    inputs, stats = np.zeros((3, examples + 1, width)), np.zeros((3, STATISTICS))
    inputs[:, :, :n] = rng.standard_normal((3, examples + 1, n))
    alone = [(np.zeros(memory), np.zeros(n), np.zeros(n)) for _ in range(3)]
    for g, parts in enumerate(alone):
        rule.begin(*parts)
        states[g, :memory], means[g, :n], variances[g, :n] = parts
    for k in range(examples):
        for g, label in enumerate(labels):
            x = inputs[g, k, :n] / np.sqrt(n)
            o = looked_at(x, label, *alone[g][1:])
            stats[g, SEEN] = o
            if label:
                learning(rule)(*alone[g], x, o)
        update = group_update(rule)
        scale = 1 / np.sqrt(n)
        update(states, means, variances, inputs, stats, (k, n, memory), scale)
        for g, (state, mean, variance) in enumerate(alone):
            np.testing.assert_allclose(states[g, :memory], state, rtol=1e-9, atol=1e-14)
            np.testing.assert_allclose(means[g, :n], mean, rtol=1e-9, atol=1e-14)
            np.testing.assert_allclose(variances[g, :n], variance, rtol=1e-9)
            s = inputs[g, k + 1, :n]
            sums = mean @ s, variance @ s**2, variance.sum(), mean @ mean
            if labels[g]:
                np.testing.assert_allclose(stats[g, SUMS], sums, rtol=1e-9, atol=1e-12)
        assert not means[:, n:].any()
        assert not variances[:, n:].any()
    assert means[0].any()
    assert not stats[1, SUMS].any()


class Twice(BinaryBayes):
    """Moves each weight by itself, but has a loop of its own."""

    def bind(self):
        def learn(state, mean, variance, x, o):
            for i in range(x.size):
                state[i] += 2.0 * o.label * x[i]
                mean[i], variance[i] = state[i], 0.5

        return learn


def test_a_loop_of_a_rules_own_is_used():
    """After one example the mean is 2 y x, and x.x = 1 for signs."""
    given = {"dim": 12, "alpha": 1 / 12, "stream": rb.streams.UniformBits(12)}
    run = rb.simulate(Twice(), rb.schedules.Constant(), **given)
    assert run.norm.item() == pytest.approx((4 / 12) ** 0.5, rel=1e-14)


@pytest.mark.parametrize("stream", [None, rb.streams.UniformBits(70)])
def test_bits_do_not_depend_on_pieces_groups_or_blocks(stream, monkeypatch):
    module = importlib.import_module("rosenblatt.simulation.beliefs")
    given = {"dim": 70, "alpha": [1, 2.5], "replicas": 6, "workers": 1}
    given |= {"stream": stream, "teacher": rb.teachers.Sign(0.1)}

    def run():
        return rb.simulate(BinaryBayes(0.1), rb.schedules.Constant(), **given)

    wanted = run()
    for name, value in (("_PIECE", 900), ("_GROUP", 1), ("_AHEAD", 5), ("_PIECE", 70)):
        monkeypatch.setattr(module, name, value)
        assert run().identical(wanted), name


def test_what_is_moved_is_what_the_rule_says():
    """The pass over the weights has the rule's own function in it."""
    known = Belief(0.2, np.tanh(0.2), np.cosh(0.2) ** -2)
    signal = BinaryBayes().signal()(Observation(0.1, 1.0, 0.1, 1.0, 1.0, 1.0, 0.9, 0.9))
    wanted = move(known, 0.5, signal)
    arrays = [np.zeros((1, 8)) for _ in range(3)]
    for array, value in zip(arrays, known, strict=True):
        array[0, 0] = value
    inputs, stats = np.zeros((1, 2, 8)), np.zeros((1, STATISTICS))
    inputs[0, 0, 0] = 0.5
    stats[0, SEEN] = 0.1, 1.0, 0.1, 1.0, 1.0, 1.0, 0.9, 0.9
    group_update(BinaryBayes())(*arrays, inputs, stats, (0, 1, 1), 1.0)
    assert [a[0, 0] for a in arrays] == pytest.approx(list(wanted), rel=1e-14)
