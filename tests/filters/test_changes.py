"""Changes inside the kernels against those between them, by NumPy."""

import itertools

import numpy as np
import pytest

from rosenblatt.compiling.jit import PLAIN
from rosenblatt.filters import learning as filtering
from rosenblatt.filters.addresses import seated
from rosenblatt.filters.changes import change
from rosenblatt.filters.presentation import present

ONCE, NOTHING = np.zeros(0, np.int64), np.zeros((0, 0))
ROWS = 12 if PLAIN else 150
SCALES = np.array([1.0, 1e-300, 1e300, 1e-3, 1e5, 1.0, 1.0])
SETTINGS = [
    dict(zip(("models", "intercept", "clip", "half_life", "noise"), each, strict=True))
    for each in itertools.product(
        (1, 3), (False, True), (3.0, 1e4), (None, 3.0, 40.0), (None, 0.1)
    )
]


def rows(seed, number=np.float64):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((ROWS, SCALES.size)) + rng.standard_normal(SCALES.size)
    X[:, 5] = 7.0  # a column without spread
    X[: ROWS // 2, 6] = 0.0  # one that begins late
    codes = rng.integers(0, 2, ROWS)
    scales = SCALES if number == np.float64 else np.clip(SCALES, 1e-30, 1e30)
    return (X * scales).astype(number), codes


def slowly(filter, X, codes):
    """Return what a filter becomes by rows, with each change by NumPy."""
    result, odds, first = filter.copy(), np.empty((len(X), len(filter.mean))), 0
    with np.errstate(all="ignore"):
        while True:
            stop = min(first + result.change - result.clock, len(X))
            piece = slice(first, stop)
            present(result, X, codes, piece, ONCE, odds[piece])
            if stop == len(X):
                return result, odds
            change(result, X[stop].astype(float))
            first = stop


def same(found, wanted, rounding):
    for name in ("clock", "changed", "change"):
        assert getattr(found, name) == getattr(wanted, name)
    assert found.frame.weight == pytest.approx(wanted.frame.weight, rel=rounding)
    arrays = [(getattr(f, n) for n in ("mean", "belief", "tally", "noise"))
              for f in (found, wanted)]  # fmt: skip
    for one, other in zip(*arrays, strict=True):
        near = rounding * np.abs(other).max()
        np.testing.assert_allclose(one, other, rtol=rounding, atol=near)
    for one, other in zip(found.frame[:3], wanted.frame[:3], strict=True):
        np.testing.assert_allclose(one, other, rtol=rounding)


@pytest.mark.parametrize("number", [np.float64, np.float32])
@pytest.mark.parametrize("kind", ["spherical", "diagonal"])
@pytest.mark.parametrize("seed", range(len(SETTINGS)))
def test_kernels_change_filters_as_numpy_does(kind, seed, number):
    filter = filtering.start(
        SCALES.size, covariance=kind, framed=True, width=1.0, **SETTINGS[seed]
    )
    X, codes = rows(seed, number)
    odds = np.empty((ROWS, len(filter.mean)))
    found = filtering.learn(filter, X, codes, odds=odds)
    wanted, before = slowly(filter, X, codes)
    # A rounding for each row: changes are computed in double precision.
    rounding = ROWS * float(np.finfo(float).eps)
    same(found, wanted, rounding)
    np.testing.assert_allclose(odds, before, rtol=rounding, atol=filter.clip * rounding)


@pytest.mark.parametrize("kind", ["spherical", "diagonal"])
@pytest.mark.parametrize("seed", range(0, len(SETTINGS), 5))
def test_a_single_row_changes_a_filter_in_place(kind, seed):
    filter = filtering.start(
        SCALES.size, covariance=kind, framed=True, width=1.0, **SETTINGS[seed]
    )
    X, codes = rows(seed)
    found = filter.copy()
    arrays = (found.mean, found.belief, found.tally, found.noise, *found.frame[:3])
    for i in range(len(X)):
        filtering.absorb(found, X[i : i + 1], codes[i : i + 1], NOTHING)
    same(found, slowly(filter, X, codes)[0], 1e-9)
    after = (found.mean, found.belief, found.tally, found.noise, *found.frame[:3])
    assert all(one is other for one, other in zip(arrays, after, strict=True))


@pytest.mark.parametrize("models", [1, 2])
@pytest.mark.parametrize("kind", filtering.COVARIANCES)
def test_a_row_that_fails_after_a_change_leaves_none(kind, models):
    settings = {"framed": True, "clip": np.inf, "models": models, "half_life": 8.0}
    X, codes = np.random.default_rng(0).standard_normal((40, 3)), np.zeros(40, int)
    filter = filtering.start(3, covariance=kind, **settings)
    filter = filtering.learn(filter, X, codes)
    before = filter.copy()
    assert filter.clock == filter.change
    for bad in (1e300, np.nan, np.inf):
        row = np.array([[0.0, bad, 0.0]])  # 1e300 is far outside of any frame
        with pytest.raises(ValueError, match="in row 0, column 1"):
            filtering.absorb(filter, row, codes[:1], NOTHING)
        same(filter, before, 0.0)


def test_copies_have_places_of_their_own():
    X, codes = rows(0)
    filter = filtering.start(SCALES.size, covariance="diagonal", framed=True)
    filtering.absorb(filter, X[:1], codes[:1], NOTHING)
    place = seated(filter).place
    assert seated(filter).place == place
    other = filter.copy()
    assert seated(other).place != place
    before = other.mean.copy()
    for i in range(1, 9):
        filtering.absorb(filter, X[i : i + 1], codes[i : i + 1], NOTHING)
    assert np.array_equal(other.mean, before)
    assert not np.array_equal(filter.mean, before)


def test_arrays_that_may_only_be_read_are_copied():
    X, codes = rows(0)
    filter = filtering.start(SCALES.size, covariance="diagonal", framed=True)
    wanted = filtering.learn(filter, X[:1], codes[:1])
    filter.mean.flags.writeable = False
    filtering.absorb(filter, X[:1], codes[:1], NOTHING)
    same(filter, wanted, 1e-12)
