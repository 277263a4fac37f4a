"""Both classifiers that count: conventions, tables, weights, names of columns."""

import itertools
import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt.bits import pack
from rosenblatt.estimators import BinaryPerceptron, ClippedHebb
from tests.estimators.checking import spoilt, stays_unfitted
from tests.estimators.counting_data import (
    both,
    data,
    decided,
    fitted,
    least,
    same,
    snapshot,
)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks([least(class_weight="balanced"), ClippedHebb(binarise=0.0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


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
def test_models_of_bits_and_of_numbers_predict_both(kind):
    X, y = data()
    numbers, bits = kind().fit(X + 5, y), kind().fit(pack(X), y)
    for model, table in ((numbers, pack(X)), (bits, X), (bits, 2 * X - 1)):
        np.testing.assert_array_equal(model.predict(table), bits.predict(pack(X)))


@both
@pytest.mark.parametrize("classes", [2, 3])
def test_decision_is_field_minus_threshold(kind, classes):
    X, y = data(classes)
    model = kind().fit(X, y)
    scores = (2 * X - 1) @ model.coef_.T - model.threshold_
    wanted = scores.ravel() if classes == 2 else scores
    np.testing.assert_array_equal(model.decision_function(X), wanted)
    best = (scores[:, 0] > 0).astype(int) if classes == 2 else scores.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[best])


@both
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_predictions_follow_every_change(kind, classes):
    X, y = data(classes)
    opposite = classes - 1 - y  # so that more of them turn the weights
    other = kind().fit(X, opposite, np.full(len(X), 3))
    model = kind()
    changes = [
        lambda: model.fit(X[:50], y[:50]),
        lambda: model.partial_fit(X[50:], opposite[50:]),
        lambda: model.fit_batches([(X[:30], y[:30]), (X[30:], y[30:])]),
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
        seen.append(model.coef_.tolist())
    assert all(before != after for before, after in itertools.pairwise(seen))


@both
@pytest.mark.parametrize("classes", [2, 3])
def test_whole_weights_equal_repetition(kind, classes):
    X, y = data(classes)
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    wanted = kind().fit(X.repeat(weights, 0), y.repeat(weights))
    assert same(wanted, kind().fit(X, y, sample_weight=weights))
    assert same(wanted, kind().fit(pack(X), y, sample_weight=weights))
    assert same(wanted, kind().fit_batches([(X, y, weights)]))


@both
def test_examples_of_weight_zero_may_be_anything(kind):
    X, y = data()
    wanted = kind().fit(X, y)
    odd = np.vstack([np.full((1, 9), 7), X])
    model = kind(binarise=None).fit(odd, np.append(5, y), np.append(0, np.ones(300)))
    assert same(wanted, model)


@both
def test_clone_pickle_pipeline_and_grid_search(kind):
    X, y = decided()
    model = kind().fit(X, y)
    assert same(pickle.loads(pickle.dumps(model)), model)
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(model), "coef_")
    words = np.array(["no", "yes"])[X]
    pipeline = make_pipeline(OrdinalEncoder(), kind())
    name = pipeline.steps[-1][0]
    search = GridSearchCV(pipeline, {f"{name}__binarise": ["auto", 0.5]}, cv=3)
    assert search.fit(words, np.array(["red", "blue"])[y]).best_score_ > 0.9
    frame = pd.DataFrame(X, columns=list("abcdefghi"))
    assert kind().fit(frame, y).feature_names_in_.tolist() == list("abcdefghi")


@both
def test_names_of_columns_are_those_of_the_first_call(kind):
    X, y = data()
    frame = pd.DataFrame(X, columns=list("abcdefghi"))
    model = kind().partial_fit(frame, y, classes=[0, 1])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.partial_fit(X, y)
    assert model.feature_names_in_.tolist() == list("abcdefghi")


@both
def test_columns_in_another_order_are_not_mixed(kind):
    X, y = data()
    frame = pd.DataFrame(X, columns=list("abcdefghi"))
    other = frame[list("bacdefghi")]
    model = kind().fit(frame, y)
    before = snapshot(model)
    with pytest.raises(ValueError, match=r"the same feature_names_in_, \['a', 'b'"):
        model.merge(kind().fit(other, y))
    with pytest.raises(ValueError, match="feature names should match"):
        model.fit_batches([(frame, y), (other, y)])
    if isinstance(model, BinaryPerceptron):
        with pytest.raises(ValueError, match="feature names should match"):
            model.fit_threshold([(other, y)])
    assert snapshot(model) == before
    assert model.merge(kind().fit(X, y)).t_ == 600  # one of them has no names


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


@pytest.mark.parametrize("method", ["fit", "partial_fit", "fit_batches"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (spoilt(data(), np.nan), "NaN"),
        (spoilt(data(), np.inf), "infinity"),
        (spoilt(data(), 0.5), r"two levels in each column, got 0.5 in column 3"),
        ((*data(), np.full(300, 0.5)), "sample_weight must be whole"),
        ((*data(), np.full(300, -1)), "sample_weight must be whole|negative"),
        ((*data(), np.ones(299)), "sample_weight"),
        ((*data(), np.zeros(300)), "non-zero|0 everywhere"),
        ((data()[0], np.linspace(0, 1, 300)), "Unknown label type"),
        ((data()[0], data()[1][:-1]), "inconsistent numbers of samples"),
        ((pack(data()[0]), data()[1][:-1]), "inconsistent numbers of samples"),
        ((pack(data()[0]), None), "y is None"),
        ((data()[0][:, :0], data()[1]), "0 feature"),
    ],
)
@both
def test_bad_data_leave_the_model_as_it_was(kind, method, arguments, message):
    model = kind(binarise=None).fit(*data(seed=1))
    before = snapshot(model)
    X, y, weights = (*arguments, None)[:3]
    if method == "fit_batches":
        learn = partial(model.fit_batches, [data(), (X, y, weights)])
    else:
        learn = partial(getattr(model, method), X, y, sample_weight=weights)
    with pytest.raises(ValueError, match=message):
        learn()
    assert snapshot(model) == before


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@both
def test_no_rows_leave_the_model_as_it_was(kind, method):
    X, y, model, before = fitted(kind)
    for empty, message in [(X[:0], "0 sample"), (pack(X)[:0], "a row and a column")]:
        with pytest.raises(ValueError, match=message):
            getattr(model, method)(empty, y[:0])
        assert snapshot(model) == before


@both
def test_bad_columns_and_classes_leave_the_model_as_it_was(kind):
    X, y, model, before = fitted(kind)
    for call, error, message in [
        (lambda: model.partial_fit(X[:, 1:], y), ValueError, "X has 8 features"),
        (lambda: model.partial_fit(X, y + 1), ValueError, r"classes \[0, 1\], got 2"),
        (lambda: model.partial_fit(X + 1, y), ValueError, "two levels in each"),
        (lambda: model.partial_fit(pack(X), y), TypeError, "Bits and numbers"),
        (
            lambda: model.partial_fit(X, y, classes=[0, 1, 2]),
            ValueError,
            "classes must be those of the first call",
        ),
        (lambda: model.fit(X, y * 0), ValueError, "more than one class"),
        (lambda: model.fit(X[:1], y[:1]), ValueError, "more than one class"),
        (lambda: model.predict(X[:, 1:]), ValueError, "X has 8 features"),
        (lambda: model.predict(pack(X[:, 1:])), ValueError, "X has 8 features"),
        (lambda: model.predict(X + 1), ValueError, "two levels in each column"),
        (lambda: model.fit_batches([]), ValueError, "batches must be one or more"),
        (lambda: model.fit_batches([X]), TypeError, "got ndarray as batch 0"),
        (
            lambda: model.fit_batches([(X, y), (X[:, 1:], y)]),
            ValueError,
            "9 columns, got 8 in batch 1",
        ),
        (lambda: model.fit_batches([(X, y * 0)]), ValueError, "more than one class"),
    ]:
        with pytest.raises(error, match=message):
            call()
        assert snapshot(model) == before


@both
def test_bad_first_call_leaves_the_model_unfitted(kind):
    stays_unfitted(kind(), data(), spoilt(data(), np.nan))
