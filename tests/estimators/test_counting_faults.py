"""Classifiers that count: bad data leave the model as it was."""

from functools import partial

import numpy as np
import pytest

from rosenblatt.bits import pack
from tests.estimators.counting_data import both, data, snapshot


def spoilt(value):
    X, y = data()
    X = X.astype(float)
    X[7, 3] = value
    return X, y


@pytest.mark.parametrize("method", ["fit", "partial_fit", "fit_batches"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (spoilt(np.nan), "NaN"),
        (spoilt(np.inf), "infinity"),
        (spoilt(0.5), r"two levels in each column, got 0.5 in column 3"),
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
    X, y = data()
    model = kind().fit(X, y)
    before = snapshot(model)
    for empty, message in [(X[:0], "0 sample"), (pack(X)[:0], "a row and a column")]:
        with pytest.raises(ValueError, match=message):
            getattr(model, method)(empty, y[:0])
        assert snapshot(model) == before


@both
def test_bad_columns_and_classes_leave_the_model_as_it_was(kind):
    X, y = data()
    model = kind().fit(X, y)
    before = snapshot(model)
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
    X, y = data()
    model = kind()
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        model.partial_fit(X, y)
    with pytest.raises(ValueError, match="classes must have more than one class"):
        model.partial_fit(X, y, classes=[0])
    with pytest.raises(ValueError, match="NaN"):
        model.partial_fit(*spoilt(np.nan), classes=[0, 1])
    assert vars(model) == vars(kind())
