"""Hostile arguments: tables, labels, weights, and values of parameters."""

import copy
import datetime
import decimal

import numpy as np
import pandas as pd
from scipy import sparse

import rosenblatt as rb

# Values that hardly any parameter takes.
WRONG = (
    np.array([1.0, 2.0]),
    np.zeros((3, 2)),
    np.array([], dtype=object),
    np.ma.masked,
    pd.NA,
    pd.DataFrame({"a": [1, 2]}),
    float("nan"),
    -float("inf"),
    -(10**5000),
    -1.5,
    1j,
    "no such word",
    b"auto",
    None,
    [1, 2],
    list(range(10_000)),
    (),
    {"a": "b"},
    object(),
    object,
    slice(3),
)
# Values for a parameter that wants something else; none of them asks for long work.
VALUES = (
    *WRONG, *(True, -1, 0, 2, 0.5, -0.5, 1e308, -1e308, 1e-320, float("inf")),
    *("", "x", "auto", b"x", [], {}, {1: 2}, {"a": float("nan")}, -(2**70), len),
    *(decimal.Decimal("0.5"), np.float32(0.25), np.array(0.5)),
    *(np.ma.masked_array([1.0], [True]), np.datetime64("NaT")),
    datetime.date(2000, 1, 1),
)  # fmt: skip


def value(random):
    """Return a value that is probably of the wrong kind."""
    return copy.deepcopy(random.choice(VALUES))


def _entries(random, shape):
    """Return numbers, sometimes of two levels, sometimes hostile ones among them."""
    source = np.random.default_rng(random.getrandbits(32))
    X = source.standard_normal(shape)
    if random.random() < 0.6:
        X = np.where(X > 0, 1.0, random.choice((-1.0, 0.0)))
    if random.random() < 0.2 and X.size:
        strange = (np.nan, np.inf, -np.inf, 1e308, -1e200, 1e-320, 2.0**63)
        X.reshape(-1)[random.randrange(X.size)] = random.choice(strange)
    return X


def _unaligned(X):
    room = np.zeros(X.nbytes + 1, np.uint8)[1:].view(np.float64)
    room[:] = X.reshape(-1)
    return room.reshape(X.shape)


def _read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def _structured(X):
    return np.zeros(X.shape, dtype=[("a", "f8"), ("b", "i4")])


def _masked(X):
    return np.ma.masked_array(X, X > 0)


def _spoilt(X):
    return np.where(X > 1, None, X.astype(object))


_DENSE = {
    "as it is": lambda X: X,
    "single precision": lambda X: X.astype(np.float32),
    "half precision": lambda X: X.astype(np.float16),
    "long double": lambda X: X.astype(np.longdouble),
    "big-endian": lambda X: X.astype(">f8"),
    "big-endian single": lambda X: X.astype(">f4"),
    "whole": lambda X: np.nan_to_num(X).clip(-9, 9).astype(np.int8),
    "unsigned": lambda X: np.nan_to_num(X).clip(0, 9).astype(np.uint64),
    "bool": lambda X: X > 0,
    "complex": lambda X: X + 0j,
    "objects": lambda X: X.astype(object),
    "objects with None": _spoilt,
    "words": lambda X: X.astype(str),
    "bytes": lambda X: np.full(X.shape, b"a"),
    "dates": lambda X: np.zeros(X.shape, "M8[s]"),
    "records": _structured,
    "masked": _masked,
    "read-only": _read_only,
    "by columns": np.asfortranarray,
    "transposed": lambda X: X.T,
    "every second column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1],
    "broadcast": lambda X: np.broadcast_to(X[:1], X.shape),
    "unaligned": _unaligned,
    "one dimension": lambda X: X.reshape(-1),
    "three dimensions": lambda X: X[None],
    "no dimension": lambda X: np.float64(0.5),
    "no rows": lambda X: X[:0],
    "no columns": lambda X: X[:, :0],
    "one column less": lambda X: X[:, 1:],
    "one row less": lambda X: X[1:],
    "list": lambda X: X.tolist(),
    "ragged": lambda X: [*X.tolist(), [1.0]],
    "matrix of text in lists": lambda X: [["a"] * X.shape[1]] * X.shape[0],
    "data frame": lambda X: pd.DataFrame(
        X, columns=[f"c{i}" for i in range(X.shape[1])]
    ),
    "other names": lambda X: pd.DataFrame(X, columns=list("zyxwvutsr")[: X.shape[1]]),
    "names that are numbers": lambda X: pd.DataFrame(X),
    "one name twice": lambda X: pd.DataFrame(X, columns=["a"] * X.shape[1]),
    "nullable": lambda X: pd.DataFrame(X).astype("Float64").mask(X > 1),
    "categories": lambda X: pd.DataFrame(X).astype("category"),
    "None": lambda X: None,
    "text": lambda X: "abc",
    "dictionary": lambda X: {0: X},
    "generator": lambda X: (row for row in X),
    "packed bits": lambda X: rb.bits.pack(X > 0),
}


_OTHER_SPARSE = {
    "CSC": sparse.csc_array,
    "COO": sparse.coo_array,
    "LIL": sparse.lil_array,
    "DOK": sparse.dok_array,
    "DIA": sparse.dia_matrix,
    "COO of one dimension": lambda X: sparse.coo_array(X.reshape(-1)),
}


def table(random, rows, columns):
    """Return examples, and what is strange about them; often nothing is."""
    X = _entries(random, (rows, columns))
    chance = random.random()
    if chance < 0.5:
        return X, "as it is"
    if chance < 0.7:
        return csr(X, random)
    if chance < 0.73:
        name = random.choice(tuple(_OTHER_SPARSE))
        return _OTHER_SPARSE[name](np.nan_to_num(X)), name
    name = random.choice(tuple(_DENSE))
    with np.errstate(all="ignore"):
        return _DENSE[name](X), name


_LABELS = {
    "numbers": lambda y: y,
    "bool": lambda y: y > 0,
    "short": lambda y: y.astype(np.int8),
    "unsigned": lambda y: y.astype(np.uint64),
    "big-endian": lambda y: y.astype(">i8"),
    "floats": lambda y: y.astype(float),
    "half floats": lambda y: y.astype(np.float16),
    "not whole": lambda y: y + 0.5,
    "NaN": lambda y: np.where(y > 0, np.nan, 0.0),
    "infinite": lambda y: np.where(y > 0, np.inf, 0.0),
    "words": lambda y: np.array(["no", "yes", "perhaps"])[y],
    "bytes": lambda y: np.array([b"no", b"yes", b"\xff"])[y],
    "objects": lambda y: np.array(["no", "yes", "perhaps"], dtype=object)[y],
    "mixed": lambda y: np.array([0, "yes", 2.5], dtype=object)[y],
    "None": lambda y: np.array([None, 1, 2], dtype=object)[y],
    "tuples": lambda y: _objects([(0,), (1, 2), ()])[y],
    "lists": lambda y: _objects([[0], [1, 2], []])[y],
    "objects of numbers": lambda y: y.astype(object),
    "big numbers": lambda y: _objects([2**80, -(2**80), 3])[y],
    "extreme": lambda y: np.array([-(2**63), 2**63 - 1, 0])[y],
    "extreme unsigned": lambda y: np.array([0, 2**64 - 1, 7], dtype=np.uint64)[y],
    "complex": lambda y: y + 1j,
    "dates": lambda y: y.astype("M8[D]"),
    "NaT": lambda y: np.where(y > 0, np.datetime64("NaT"), np.datetime64("2000-01-01")),
    "masked": lambda y: np.ma.masked_array(y, y > 0),
    "masked words": lambda y: np.ma.masked_array(np.array(["a", "b", "c"])[y], y > 0),
    "masked objects": lambda y: _objects([np.ma.masked, 1, 2])[y],
    "one class": lambda y: y * 0,
    "column": lambda y: y[:, None],
    "two columns": lambda y: np.stack([y, y], axis=1),
    "one less": lambda y: y[1:],
    "none": lambda y: y[:0],
    "scalar": lambda y: 1,
    "missing": lambda y: None,
    "text": lambda y: "no",
    "list": lambda y: y.tolist(),
    "list of words": lambda y: [["no", "yes", "perhaps"][i] for i in y],
    "ragged": lambda y: [*y.tolist()[1:], [1, 2]],
    "series": lambda y: pd.Series(y),
    "categories": lambda y: pd.Series(np.array(["a", "b", "c"])[y]).astype("category"),
    "nullable": lambda y: pd.Series(y, dtype="Int64").mask(y > 0),
    "index": lambda y: pd.Index(y),
    "strings": lambda y: np.array(["a", "b", "c"], dtype=np.dtypes.StringDType())[y],
    "sparse": lambda y: sparse.csr_array(y[None]),
    "read-only": lambda y: np.broadcast_to(y[:1], y.shape),
    "backwards": lambda y: y[::-1],
    "records": lambda y: np.zeros(len(y), dtype=[("a", "i4")]),
}


def _objects(entries):
    found = np.empty(len(entries), dtype=object)
    for i, entry in enumerate(entries):
        found[i] = entry
    return found


def labels(random, rows):
    """Return labels of two or three classes, and what is strange about them."""
    source = np.random.default_rng(random.getrandbits(32))
    y = source.integers(0, random.choice((2, 2, 3)), rows)
    if random.random() < 0.7:
        return y, "numbers"
    name = random.choice(tuple(_LABELS))
    with np.errstate(all="ignore"):
        return _LABELS[name](y), name


def weights(random, rows):
    """Return weights of examples, and what is strange about them."""
    one = np.ones(rows)
    known = {
        "none": None,
        "ones": one,
        "whole": np.arange(rows),
        "zeros": 0 * one,
        "halves": one / 2,
        "negative": -one,
        "NaN": one * np.nan,
        "infinite": one * np.inf,
        "huge": one * 1e300,
        "large": one * 2.0**62,
        "beyond int64": one * 2.0**64,
        "one more": np.ones(rows + 1),
        "column": one[:, None],
        "words": np.array(["a"] * rows),
        "objects": one.astype(object),
        "None among them": np.array([None] * rows),
        "masked": np.ma.masked_array(one, one > 0),
        "bool": one > 0,
        "scalar": 2,
        "negative scalar": -1,
        "text": "x",
        "complex": one * 1j,
        "list": [1] * rows,
        "sparse": sparse.csr_array(one[None]),
        "big-endian": one.astype(">f8"),
    }
    if random.random() < 0.7:
        return None, "none"
    name = random.choice(tuple(known))
    return known[name], name


def csr(X, random):
    """Return sparse rows, mostly with something wrong in their structure."""
    kinds = sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.bsr_array
    good = random.choice(kinds)(np.nan_to_num(X))
    fault = random.choice(tuple(_STRUCTURES))
    _STRUCTURES[fault](good, random)
    return good, f"{type(good).__name__}: {fault}"


def _entry(name, change):
    """Return a function that changes one entry of one of the three arrays."""

    def changed(X, random):
        array = getattr(X, name).copy()
        if array.size:
            place = random.randrange(array.size)
            array[place] = change(array[place], random)
            setattr(X, name, array)

    return changed


def _set(name, change):
    def changed(X, random):
        setattr(X, name, change(getattr(X, name)))

    return changed


def _both(change):
    def changed(X, random):
        X.indices, X.indptr = change(X.indices), change(X.indptr)

    return changed


_STRUCTURES = {
    "none": lambda X, random: None,
    "index too large": _entry("indices", lambda old, random: 1000),
    "huge index": _entry("indices", lambda old, random: 2**31 - 1),
    "negative index": _entry("indices", lambda old, random: -1),
    "duplicates": _entry("indices", lambda old, random: max(0, old - 1)),
    "unsorted": _set("indices", lambda old: old[::-1].copy()),
    "start not 0": _entry("indptr", lambda old, random: old + 1),
    "start back": _entry("indptr", lambda old, random: 0),
    "start negative": _entry("indptr", lambda old, random: -5),
    "start huge": _entry("indptr", lambda old, random: 2**31 - 1),
    "fewer starts": _set("indptr", lambda old: old[:-1].copy()),
    "more starts": _set("indptr", lambda old: np.append(old, old[-1])),
    "fewer data": _set("data", lambda old: old[:-2].copy()),
    "more data": _set("data", lambda old: np.append(old, [1.0, 2.0])),
    "fewer indices": _set("indices", lambda old: old[:-2].copy()),
    "no indices": _set("indices", lambda old: old[:0].copy()),
    "wide indices": _both(lambda old: old.astype(np.int64)),
    "wide indices only": _set("indices", lambda old: old.astype(np.int64)),
    "wide starts only": _set("indptr", lambda old: old.astype(np.int64)),
    "unsigned indices": _both(lambda old: old.astype(np.uint32)),
    "short indices": _both(lambda old: old.astype(np.int8)),
    "indices of floats": _both(lambda old: old.astype(np.float64)),
    "big-endian indices": _both(lambda old: old.astype(">i4")),
    "strided indices": _set("indices", lambda old: np.repeat(old, 2)[::2]),
    "strided data": _set("data", lambda old: np.repeat(old, 2)[::2]),
    "data of objects": _set("data", lambda old: old.astype(object)),
    "big-endian data": _set("data", lambda old: old.astype(">f8")),
    "single data": _set("data", lambda old: old.astype(np.float32)),
    "whole data": _set("data", lambda old: old.astype(np.int64)),
    "two-dimensional data": _set("data", lambda old: old[None]),
    "masked data": _set("data", lambda old: np.ma.masked_array(old, old > 0)),
    "more rows": lambda X, random: setattr(X, "_shape", (X.shape[0] + 5, X.shape[1])),
    "fewer columns": lambda X, random: setattr(X, "_shape", (X.shape[0], 1)),
}
