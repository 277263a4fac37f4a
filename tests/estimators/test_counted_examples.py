"""Classifiers that count: examples in batches, in files, and learned apart."""

import weakref

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import rosenblatt as rb
from rosenblatt.bits import Bits, pack
from rosenblatt.estimators import BinaryPerceptron, ClippedHebb
from rosenblatt.streams import UniformBits
from tests.estimators.counting_data import SEED, both, data, decided, same, snapshot


@both
@pytest.mark.parametrize("classes", [2, 3])
def test_batches_equal_one_fit_to_the_bit(kind, classes):
    X, y = data(classes)
    whole = kind().fit(X, y)
    parts = np.array_split(np.arange(len(X)), [1, 2, 3, 40])
    assert same(whole, kind().fit_batches([(X[rows], y[rows]) for rows in parts]))
    again = kind().fit_batches(lambda: ((pack(X[rows]), y[rows]) for rows in parts))
    assert same(whole, again)


@both
def test_classes_and_levels_may_come_late(kind):
    X, y = data(3)
    X = X * 3 + 1  # levels 1 and 4: a 1 alone is taken for the high one
    order = np.lexsort([X[:, 0], y])
    X, y = X[order], y[order]
    batches = [(X[i : i + 7], y[i : i + 7]) for i in range(0, len(X), 7)]
    assert same(kind().fit(X, y), kind().fit_batches(batches))
    assert same(kind().fit(X, y), kind().fit_batches(batches[::-1]))


@pytest.mark.filterwarnings("ignore:the share of positive")
@both
def test_any_pieces_in_any_order_give_the_whole(kind):
    rng = np.random.default_rng(SEED)
    for _ in range(40):
        rows, columns = int(rng.integers(4, 60)), int(rng.integers(1, 8))
        levels = np.sort(rng.choice([-3, -1, 0, 1, 2, 5.5], (columns, 2)), axis=1)
        high = rng.random((rows, columns)) < rng.random(columns) ** 4
        X = np.where(high, levels[:, 1], levels[:, 0])
        y = np.append([0, 1], rng.integers(0, 4, rows - 2))
        whole = kind(binarise=None).fit(X, y)
        cuts = np.sort(rng.integers(1, rows, 3))
        pieces = [p for p in np.split(rng.permutation(rows), cuts) if p.size]
        batches = [(X[piece], y[piece]) for piece in pieces]
        assert same(whole, kind(binarise=None).fit_batches(batches))
        parts = [
            kind(binarise=None).partial_fit(*batch, classes=whole.classes_)
            for batch in batches
        ]
        merged = parts[0]
        for part in parts[1:]:
            merged.merge(part)
        stream = kind(binarise=None)
        for batch in batches:
            stream.partial_fit(*batch, classes=whole.classes_)
        for model in (merged, stream):
            if kind is not ClippedHebb:
                model.fit_threshold(batches)
            assert same(whole, model)


@both
def test_data_larger_than_memory_come_one_batch_at_a_time(kind):
    stream, alive, most = UniformBits(65), [], [0]

    def batches():
        for first in range(0, 2000, 100):
            bits = stream.draw(100, seed=SEED, first=first)
            alive.append(weakref.ref(bits))
            most[0] = max(most[0], sum(ref() is not None for ref in alive))
            yield bits, rb.bits.unpack(bits)[:, :3].sum(axis=1) > 0

    model = kind().fit_batches(batches)
    bits = stream.draw(2000, seed=SEED)
    assert same(model, kind().fit(bits, rb.bits.unpack(bits)[:, :3].sum(axis=1) > 0))
    assert most[0] <= 3  # the one being made, the one being counted, the first


@both
def test_words_may_stay_in_a_file(kind, tmp_path):
    bits = UniformBits(70).draw(500, seed=SEED)
    y = rb.bits.unpack(bits)[:, :3].sum(axis=1) > 0
    np.save(tmp_path / "words.npy", bits.words)
    words = np.load(tmp_path / "words.npy", mmap_mode="r")
    assert same(kind().fit(Bits(words, 70), y), kind().fit(bits, y))
    parts = [(Bits(words[i : i + 100], 70), y[i : i + 100]) for i in range(0, 500, 100)]
    assert same(kind().fit_batches(parts), kind().fit(bits, y))


@both
def test_empty_batches_are_passed_over(kind):
    X, y = data()
    frame = pd.DataFrame(X, columns=list("abcdefghi"))
    for full, empty in [
        (X, X[:0]),
        (X, []),
        (pack(X), pack(X)[:0]),
        (sparse.csr_matrix(X), sparse.csr_matrix(X[:0])),
        (frame, frame[:0]),
    ]:
        batches = [(empty, y[:0]), (full, y), (empty, y[:0], y[:0])]
        model = kind().fit_batches(batches)
        assert same(model, kind().fit(full, y))
        if isinstance(model, BinaryPerceptron):
            assert same(model.fit_threshold(batches), kind().fit(full, y))
            with pytest.raises(ValueError, match="one example or more, got none"):
                model.fit_threshold(batches[:1])
        with pytest.raises(ValueError, match="one or more with examples, got none"):
            kind().fit_batches([(empty, y[:0])] * 2)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            kind().fit_batches([(full, y), (empty, y)])


@both
def test_halves_learned_apart_give_the_whole(kind):
    X, y = decided(rows=2000)
    left, right = kind().fit(X[:900], y[:900]), kind().fit(X[900:], y[900:])
    before = snapshot(right)
    # the weights are the same in both, so that the histograms add up too
    np.testing.assert_array_equal(left.coef_, right.coef_)
    assert same(left.merge(right), kind().fit(X, y))
    assert snapshot(right) == before


def test_halves_may_differ_in_classes_and_levels():
    X, y = data(3)
    X = X + 1
    order = np.lexsort([X[:, 0], y])
    X, y = X[order], y[order]
    cut = np.searchsorted(y, 2)
    left, right = ClippedHebb().fit(X[:cut], y[:cut]), ClippedHebb()
    right.partial_fit(X[cut:], y[cut:], classes=[1, 2])
    assert same(left.merge(right), ClippedHebb().fit(X, y))
