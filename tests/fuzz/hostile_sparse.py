"""Hostile sparse rows: matrices whose structure is wrong."""

import numpy as np
from scipy import sparse


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
