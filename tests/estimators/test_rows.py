import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import rosenblatt as rb

NAMES = rb.estimators.__all__
X = np.where(np.random.default_rng(0).standard_normal((12, 4)) > 0, 1.0, -1.0)
Y = np.arange(12) % 2


def damaged(kind, name, change):
    """Return sparse rows of which one of the arrays is changed."""
    rows = kind(X, **({"blocksize": (2, 2)} if kind is sparse.bsr_array else {}))
    setattr(rows, name, change(getattr(rows, name).copy()))
    return rows


def with_entry(place, value):
    def change(array):
        array[place] = value
        return array

    return change


CSR, LIL, BSR = sparse.csr_array, sparse.lil_array, sparse.bsr_array
DAMAGES = [
    (CSR, "indices", with_entry(3, 4), "column indices from 0 to 3"),
    (CSR, "indices", with_entry(3, 2**31 - 1), "column indices from 0 to 3"),
    (CSR, "indices", with_entry(3, -1), "column indices .*got -1"),
    (CSR, "indptr", with_entry(5, 2**31 - 1), "indptr must increase"),
    (CSR, "indptr", with_entry(-1, 1000), "indptr must increase"),
    (CSR, "indptr", with_entry(0, 2), "indptr must increase"),
    (CSR, "indptr", with_entry(5, 1), "indptr must increase"),
    (CSR, "indptr", lambda old: old[:-1], "13 entries for 12 rows"),
    (CSR, "indices", lambda old: old[:-2], "one index for each entry"),
    (CSR, "data", lambda old: old[:-2], "one index for each entry"),
    (CSR, "indices", lambda old: old / 1.0, "int32 or int64"),
    (CSR, "data", lambda old: old.astype(">f8"), "native byte order"),
    (CSR, "data", lambda old: old.repeat(2)[::2], "must be contiguous"),
    (CSR, "data", np.ma.masked_array, "X.data must not be a masked array"),
    (CSR, "indices", lambda old: old.astype("u4"), "int32 or int64"),
    (LIL, "rows", with_entry(1, [10**7] * 4), "column indices .*got 10000000"),
    (LIL, "rows", with_entry(1, [-5] * 4), "column indices .*got -5"),
    (LIL, "data", with_entry(1, [1.0] * 10**7), "got 4 and 10000000 in row 1"),
    (BSR, "indices", with_entry(3, 10**7), "block column indices from 0 to 1"),
    (BSR, "indptr", with_entry(3, 10**8), "indptr must increase"),
    (BSR, "data", lambda old: old[:-1], "one index for each entry"),
    (sparse.csc_array, "indices", with_entry(3, 99), "row indices from 0 to 11"),
    (sparse.coo_array, "col", with_entry(3, 99), "column indices from 0 to 3, got 99"),
]


@pytest.mark.parametrize("name", NAMES)
def test_damaged_sparse_rows_are_refused_before_compiled_code_reads_them(name):
    new, fitted = getattr(rb, name)(), getattr(rb, name)().fit(CSR(X), Y)
    for kind, array, change, message in DAMAGES:
        rows = damaged(kind, array, change)
        with pytest.raises((ValueError, TypeError), match=message):
            new.fit(rows, Y)
        with pytest.raises((ValueError, TypeError), match=message):
            new.partial_fit(rows, Y, classes=[0, 1])
        assert not hasattr(new, "classes_")
        with pytest.raises((ValueError, TypeError), match=message):
            fitted.predict(rows)


@pytest.mark.parametrize("damage", DAMAGES)
def test_bits_are_not_packed_from_damaged_sparse_rows(damage):
    with pytest.raises((ValueError, TypeError), match=damage[-1]):
        rb.bits.pack(damaged(*damage[:-1]))


@pytest.mark.parametrize("kind", [CSR, LIL, BSR, sparse.dok_array, sparse.dia_array])
def test_sparse_rows_of_any_format_are_rows(kind):
    model = rb.OnlinePerceptron().fit(kind(X), Y)
    assert np.array_equal(model.coef_, rb.OnlinePerceptron().fit(X, Y).coef_)


def test_entries_after_the_last_row_are_passed_over():
    rows = damaged(CSR, "data", lambda old: np.append(old, 7.0))
    rows.indices = np.append(rows.indices, np.int32(99))
    model, wanted = rb.OnlinePerceptron(), rb.OnlinePerceptron().fit(X, Y)
    assert np.array_equal(model.fit(rows, Y).coef_, wanted.coef_)


@pytest.mark.parametrize("name", NAMES)
def test_masked_entries_are_refused_in_words(name):
    hidden = np.ma.masked_array(X, X > 0)
    labels = np.ma.masked_array(Y, Y > 0)
    new, model = getattr(rb, name)(), getattr(rb, name)().fit(X, Y)
    with pytest.raises(ValueError, match="X must not have masked entries"):
        new.fit(hidden, Y)
    with pytest.raises(ValueError, match="y must not have masked entries, got 6"):
        new.fit(X, labels)
    with pytest.raises(ValueError, match="X must not have masked entries"):
        model.predict(hidden)
    with pytest.raises(ValueError, match="y must not have masked entries, got 6"):
        model.partial_fit(X, labels)
    with pytest.raises(ValueError, match="sample_weight must not have masked"):
        model.fit(X, Y, sample_weight=np.ma.masked_array(np.ones(12), Y > 0))


@pytest.mark.parametrize("name", NAMES)
def test_masked_arrays_without_masked_entries_are_arrays(name):
    model, wanted = getattr(rb, name)(), getattr(rb, name)()
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
        wanted.set_params(random_state=0)
    model.fit(np.ma.masked_array(X), np.ma.masked_array(Y))
    wanted.fit(X, Y)
    assert np.array_equal(model.predict(X), wanted.predict(X))


@pytest.mark.parametrize("name", NAMES)
def test_labels_that_cannot_be_sorted_are_refused_in_words(name):
    labels = np.array([0, "a"] * 6, dtype=object)
    model = getattr(rb, name)()
    with pytest.raises(TypeError, match="y must have labels that can be compared"):
        model.fit(X, labels)
    with pytest.raises(TypeError, match="classes must have labels that can be"):
        model.partial_fit(X, Y, classes=np.array([0, "a"], dtype=object))


@pytest.mark.parametrize("name", NAMES)
def test_labels_of_another_type_than_the_classes_are_refused_in_words(name):
    model = getattr(rb, name)().fit(X, np.array(["a", "b"] * 6, dtype=object))
    with pytest.raises((TypeError, ValueError), match=r"y must .* classes .*, got 0"):
        model.partial_fit(X, Y)


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("name", NAMES)
def test_dates_are_refused_by_models_of_numbers(name, kind):
    dates = kind(np.zeros(X.shape, "M8[ms]"))
    if kind is np.asarray:
        with pytest.raises(TypeError, match="X must be numbers, got dates"):
            getattr(rb, name)().fit(dates, Y)
    with pytest.raises(TypeError, match="X must be numbers, got dates"):
        getattr(rb, name)().fit(X, Y).predict(dates)


def test_columns_of_text_and_dates_are_named():
    table = pd.DataFrame({"age": [1, 2, 3], "plan": ["9", "basic", "9"]})
    model = rb.BayesPerceptron().fit(table[["age"]], [0, 1, 0])
    text = "got text in column 'plan': 'basic'; encode it with"
    with pytest.raises(ValueError, match=text):
        model.predict(table)
    table["plan"] = table["plan"].astype("category")
    with pytest.raises(ValueError, match=text):
        model.partial_fit(table, [0, 1, 0])
    with pytest.raises(TypeError, match="dates or durations in column 'day'"):
        model.predict(table.assign(day=pd.Timestamp("2024-02-29"))[["day"]])
