"""Classifiers that count: tables, levels, batches, merging."""

import itertools
import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from rosenblatt.bits import pack
from rosenblatt.estimators import BinaryPerceptron, ClippedHebb
from tests import references
from tests.conformance.estimators import state

SEED = 1993
least = partial(BinaryPerceptron, threshold="least error")
both = pytest.mark.parametrize("kind", [ClippedHebb, BinaryPerceptron, least])


def data(classes=2, rows=300, columns=9, seed=SEED):
    """Return inputs 0 and 1, and a class that some of them decide, mostly."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (rows, columns))
    W = rng.integers(-1, 2, (columns, classes))
    return X, ((2 * X - 1) @ W + rng.normal(0, 0.1, (rows, classes))).argmax(axis=1)


def known(model):
    """Return everything that is learned."""
    found = [model.classes_, model.coef_, model.t_, model._counted.tally.high]
    found += [model.threshold_, model.intercept_, model._counted.tally.rows]
    if isinstance(model, BinaryPerceptron):
        found += [model.influences_, model.threshold_examples_, model.neglected_]
    return found


def same(a, b):
    for x, y in zip(known(a), known(b), strict=True):
        np.testing.assert_array_equal(x, y)
    return True


@both
def test_rows_that_are_taken_are_those_that_are_not_refused(kind):
    X, y = data(2)
    model = kind(binarise=None).fit(X, y)
    odd = X.astype(float)
    odd[3, 1], odd[5, 0], odd[5, 2] = 2.0, -1.0, 0.5
    taken = np.ones(len(X), bool)
    taken[[3, 5]] = False
    for table in (odd, sparse.csr_array(odd)):
        np.testing.assert_array_equal(model.takes(table), taken)
    model.predict(odd[taken])
    for row in (3, 5):
        with pytest.raises(ValueError, match="two levels in each column"):
            model.predict(odd[[row]])
    assert kind(binarise=0.7).fit(X, y).takes(odd).all()
    assert kind().fit(pack(X), y).takes(odd).all()
    assert model.takes(pack(X)).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_clipped_hebb_weights_are_those_of_the_reference_class_by_class(classes):
    X, y = data(classes, rows=60)
    model = ClippedHebb().fit(X, y)
    for k, weights in enumerate(model.coef_):
        signs = np.where(y == (1 if classes == 2 else k), 1, -1)
        wanted = references.clipped_hebb(2 * X - 1, signs)
        np.testing.assert_array_equal(weights, wanted)
    assert not model.threshold_.any()


@both
@pytest.mark.parametrize("classes", [2, 4])
def test_all_kinds_of_tables_give_the_same(kind, classes):
    X, y = data(classes)
    model = kind().fit(X, y)
    tables = [X.astype(t) for t in (bool, np.int8, np.float32)] + [2 * X - 1, X + 1]
    tables += [sparse.csr_array(X), sparse.coo_matrix(X.astype(float)), X.tolist()]
    tables += [X * np.arange(1, 10) - 3, pack(X), np.asfortranarray(X)]
    for table in tables:
        other = kind().fit(table, y)
        assert same(model, other)
        np.testing.assert_array_equal(other.predict(table), model.predict(X))
    assert model.decision_function(X).dtype == np.float64  # calibration needs it


@both
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_decisions_are_fields_minus_thresholds_after_every_change(kind, classes):
    X, y = data(classes)
    opposite = classes - 1 - y  # so that more of them turn the weights
    other = kind().fit(X, opposite, np.full(len(X), 3))
    model = kind()
    changes = [
        lambda: model.fit(X[:50], y[:50]),
        lambda: model.partial_fit(X[50:], opposite[50:]),
        lambda: model.fit(X, y),
        lambda: model.merge(other),
    ]
    seen = []
    for change in changes:
        change()
        if isinstance(model, BinaryPerceptron):
            model.fit_threshold([(X, y)])
        wanted = (2 * X - 1) @ model.coef_.T - model.threshold_
        for copy in (model, pickle.loads(pickle.dumps(model))):
            found = copy.decision_function(pack(X))
            np.testing.assert_array_equal(found.reshape(wanted.shape), wanted)
        best = wanted.argmax(axis=1) if classes > 2 else (wanted[:, 0] > 0).astype(int)
        np.testing.assert_array_equal(model.predict(X), best)
        seen.append(model.coef_.tolist())
    assert all(before != after for before, after in itertools.pairwise(seen))


@both
def test_rows_of_other_levels_are_not_merged(kind):
    X, y = data()
    model = kind(binarise=None).fit(X, y)
    before = state(model)
    for rows, error, message in (
        (pack(X), TypeError, "got both Bits and numbers"),
        (X + 1, ValueError, "two levels in each column"),
    ):
        with pytest.raises(error, match=message):
            model.merge(kind(binarise=None).fit(rows, y))
        assert state(model) == before


@both
def test_duplicate_and_constant_columns_are_allowed(kind):
    X, y = data()
    X = np.column_stack([X, X[:, 0], np.zeros(300, int), np.ones(300, int)])
    model = kind().fit(X, y)
    assert model.coef_[0, 0] == model.coef_[0, 9]
    # a value that was never seen is the other level
    strange = X.copy()
    strange[:, 10] = 1
    model.predict(strange)
    assert model.decision_function(strange).shape == (300,)


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


def test_empty_batches_are_passed_over():
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
        model = BinaryPerceptron().fit(full, y)
        assert same(model.fit_threshold(batches), BinaryPerceptron().fit(full, y))
        with pytest.raises(ValueError, match="one example or more, got none"):
            model.fit_threshold(batches[:1])
        with pytest.raises(ValueError, match="sample"):
            model.fit_threshold([(full, y), (empty, y)])


def test_halves_may_differ_in_classes_and_levels():
    X, y = data(3)
    X = X + 1
    order = np.lexsort([X[:, 0], y])
    X, y = X[order], y[order]
    cut = np.searchsorted(y, 2)
    left, right = ClippedHebb().fit(X[:cut], y[:cut]), ClippedHebb()
    right.partial_fit(X[cut:], y[cut:], classes=[1, 2])
    assert same(left.merge(right), ClippedHebb().fit(X, y))


@pytest.mark.parametrize(("given", "level"), [(1, 1), (0, 0), (-1, 0), (5, 1)])
def test_a_single_value_is_high_if_it_is_above_zero(given, level):
    X = np.array([[given, 0], [given, 1]])
    model = ClippedHebb().fit(X, [0, 1])
    both = pack(np.array([[level, 0], [level, 1]]))
    np.testing.assert_array_equal(
        model.decision_function(X), model.fit(both, [0, 1]).decision_function(both)
    )


def test_more_values_are_cut_in_the_middle_where_they_stay():
    X, y = np.array([[0.0], [4.9], [5.1], [10.0]]), [0, 0, 1, 1]
    with pytest.warns(DataConversionWarning, match="1 of 1 columns .* column 0"):
        model = ClippedHebb().fit(X, y)
    assert model.predict(X).tolist() == y
    model.partial_fit(X * 100, y)
    assert model.predict([[4.0], [5.2], [400.0]]).tolist() == [0, 1, 1]
    with (
        pytest.warns(DataConversionWarning),
        pytest.raises(ValueError, match="cut columns at the same values"),
    ):
        model.merge(ClippedHebb().fit(X + 1, y))


def test_a_number_cuts_all_columns():
    X, y = np.array([[0.5, 3.0], [0.6, 0.0]]), [0, 1]
    model = ClippedHebb(binarise=0.5).fit(X, y)
    same_bits = ClippedHebb().fit(pack(np.array([[0, 1], [1, 0]])), y)
    np.testing.assert_array_equal(model.coef_, same_bits.coef_)
