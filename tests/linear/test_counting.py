"""Thresholds from histograms are those that trying all of them would find."""

from fractions import Fraction

import numpy as np
import pytest

from rosenblatt.bits import count, pack
from rosenblatt.linear.counting import (
    against_rest,
    histogram,
    least_error_threshold,
    printed_threshold,
    tally,
)
from tests import references

SEED = 1993


def examples(rng, columns):
    rows = int(rng.integers(1, 60))
    X = rng.choice([-1, 1], (rows, columns))
    w = rng.integers(-1, 2, columns)
    theta = rng.integers(-columns, columns)
    wrong = rng.random(rows) < rng.choice([0, 0.1])
    return X, np.where((X @ w > theta) ^ wrong, 1, -1), w


def search(X, y, w, eps):
    """Return step 7 of figure 1 for weights that are given."""
    n = X.shape[1]
    for r in range(-(n + 1), n + 1):
        right = references.frequency(y == 1, X @ w > r)
        if right is not None and right > 1 - eps / 4:
            return r, True
    return n, False


def test_searches_find_what_trying_all_thresholds_finds():
    rng = np.random.default_rng(SEED)
    ends = set()
    for _ in range(300):
        X, y, w = examples(rng, int(rng.integers(1, 7)))
        fields = histogram(pack(X), y == 1, 2, w[None])[0]
        found = printed_threshold(fields, 0.4)
        assert found == search(X, y, w, Fraction("0.4"))
        ends.add(found.found)
        assert least_error_threshold(fields) == (references.least_error(X, y, w), True)
    assert ends == {True, False}


def test_a_tie_does_not_pass():
    # 9 of 10 above everything, and eps/4 = 1/10
    fields = np.array([[1, 0, 0], [4, 0, 5]])
    assert printed_threshold(fields, 0.4) == (-1, True)
    assert printed_threshold(fields, 0.41) == (-2, True)


@pytest.mark.parametrize("weighted", [False, True])
def test_histograms_of_several_models_count_every_example(weighted, monkeypatch):
    monkeypatch.setattr("rosenblatt.linear.counting._ROWS", 7)
    rng = np.random.default_rng(SEED)
    X, W = rng.choice([-1, 1], (50, 70)), rng.integers(-1, 2, (3, 70))
    codes = rng.integers(0, 4, 50)
    weights = rng.integers(0, 5, 50) if weighted else None
    found = histogram(pack(X), codes, 4, W, weights)
    wanted = np.zeros((3, 4, 141), int)
    for model in range(3):
        for row in range(50):
            field = W[model] @ X[row]
            repeated = 1 if weights is None else weights[row]
            wanted[model, codes[row], field + 70] += repeated
    np.testing.assert_array_equal(found, wanted)
    rest = against_rest(found, range(3), [1, 1, 1, 1])
    times = against_rest(found, range(3), [3, 1, 7, 10**20])
    for model in range(3):
        others = [code for code in range(4) if code != model]
        np.testing.assert_array_equal(rest[model, 1], wanted[model, model])
        np.testing.assert_array_equal(rest[model, 0], wanted[model, others].sum(axis=0))
        heavy = 10**20 * wanted[model, 3].astype(object)
        for code in set(others) - {3}:
            heavy += [3, 1, 7][code] * wanted[model, code]
        np.testing.assert_array_equal(times[model, 0], heavy)


@pytest.mark.parametrize("classes", [1, 2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_tally_counts_each_class(classes, weighted):
    rng = np.random.default_rng(1993)
    X, codes = rng.integers(0, 2, (90, 70)), rng.integers(0, classes, 90)
    weights = rng.integers(0, 4, 90) if weighted else None
    found = tally(pack(X), codes, classes, weights)
    repeated = np.ones(90, int) if weights is None else weights
    for k in range(classes):
        chosen = (codes == k) * repeated
        np.testing.assert_array_equal(found.high[k], chosen @ X)
        assert found.rows[k] == chosen.sum()
        assert found.against_rest(k) == count(pack(X), codes == k, weights)
