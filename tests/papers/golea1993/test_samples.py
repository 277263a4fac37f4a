import math

import numpy as np
import pytest

from rosenblatt.bits import unpack
from rosenblatt.estimators import BinaryPerceptron
from rosenblatt.papers.golea1993.samples import cells, drawn, learn, target
from rosenblatt.streams import ProductBits, UniformBits


def test_samples_differ_and_repeat():
    stream = UniformBits(20)
    given = [(target(20), 0, 0.0), (target(20), 1, 0.0), (target(20), 0, 0.2)]
    given += [(target(20, 0), 0, 0.0), (target(20, 20), 0, 0.0)]
    tables = [drawn(stream, w, 50, *rest)[0] for w, *rest in given]
    assert drawn(stream, target(20), 50, 0)[0] == tables[0]
    assert drawn(stream, target(20), 80, 0)[0][:50] == tables[0]
    assert len({bits.words.tobytes() for bits in tables}) == len(given)
    # nor are they the same at another n, in the columns that both have
    wide = unpack(drawn(UniformBits(40), target(40, 10), 50, 0)[0])
    assert (wide[:, :20] != unpack(tables[0])).mean() > 0.3


@pytest.mark.parametrize("eps", [0.1, 0.5])
@pytest.mark.parametrize("threshold", [-2, 0, 3])
def test_the_algorithm_is_that_of_the_estimator(eps, threshold):
    rng = np.random.default_rng(1993)
    weights, law = rng.choice([-1, 1], 8), (0.001, *rng.uniform(0.2, 0.8, 7))
    bits = ProductBits(law).draw(3000, 0)
    x = np.where(unpack(bits) > 0, 1, -1)
    labels = np.where(x @ weights > threshold, 1, -1)
    found = learn(bits, labels, eps)
    model = BinaryPerceptron(eps=eps, threshold="paper").fit(bits, labels)
    np.testing.assert_array_equal(found.weights, model.coef_[0])
    guess = np.where(x @ found.weights > found.threshold, 1, -1)
    np.testing.assert_array_equal(guess, model.predict(bits))
    error = found.error(weights, threshold, np.array(law))
    # on the examples it is the same, within 5 standard errors
    share = np.mean(guess != labels)
    assert abs(share - error) <= 5 * math.sqrt(max(error, 1e-3) / 3000)


def test_how_often_is_the_same_as_repeating():
    rng = np.random.default_rng(1993)
    table, weights = cells(4), np.array([1, -1, 1, 1])
    times = rng.multinomial(300, table.chances(np.array([0.3, 0.6, 0.5, 0.9])))
    labels = table.labels(weights, 1)
    rows = np.repeat(np.arange(16), times)
    short = learn(table.bits, labels, 0.3, times=times)
    long = learn(table.bits[rows], labels[rows], 0.3)
    np.testing.assert_array_equal(short.weights, long.weights)
    assert short[1:] == long[1:]


def test_constants_are_infinite_thresholds():
    table = cells(3)
    for label in (1, -1):
        found = learn(table.bits, np.full(8, label), 0.5)
        assert found.threshold == -label * math.inf
        assert found.error(np.ones(3), -label * math.inf, np.full(3, 0.5)) == 0
    # an error of one cell, which is 1/8 and not above eps/4
    found = learn(table.bits, table.labels(np.ones(3), 2), 0.5)
    assert found.error(np.ones(3), 2, np.full(3, 0.5)) == pytest.approx(1 / 8)
