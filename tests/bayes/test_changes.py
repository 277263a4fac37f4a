"""Changes inside the kernels against those between them, by NumPy."""

import itertools

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes.filter import learn_in_place
from rosenblatt.bayes.growing import likelihood
from rosenblatt.bayes.label_law import use_estimates
from rosenblatt.bayes.standardisation import (
    REACH,
    SMALLEST,
    following_change,
    next_change,
)
from rosenblatt.compiling.jit import PLAIN

NOTHING, LARGEST = np.zeros((0, 0)), 4e307
ROWS = 12 if PLAIN else 150
SCALES = np.array([1.0, 1e-300, 1e300, 1e-3, 1e5, 1.0, 1.0])
SETTINGS = [
    dict(
        zip(
            ("models", "intercept", "clip", "input_half_life", "noise"),
            each,
            strict=True,
        )
    )
    for each in itertools.product(
        (1, 3), (False, True), (3.0, 1e4), (None, 6.0, 40.0), ("auto", 0.1)
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


def rescaled(filter, shifts, ratios):
    """Return means and covariances: scales by each variance, shifts exactly."""
    known = (ratios > 0) & (ratios < 1e4)
    ratio, shift = np.where(known, ratios, 0.0), np.where(known, shifts, 0.0)
    prior, features, weights = filter.prior, len(ratios), filter.mean.shape[1]
    means, covariances = [], []
    for m, V in zip(filter.mean, filter.belief, strict=True):
        part = np.minimum(V.diagonal()[:features] / prior, 1.0)
        q = np.where(known, ratio**2 + (1 - ratio**2) * part, np.inf)
        scale = np.append(1 / np.sqrt(q), np.ones(weights - features))
        V = scale[:, None] * V * scale
        V[np.diag_indices(features)] += np.where(known, 0.0, prior)
        m = np.append(ratio / q, np.ones(weights - features)) * m
        if weights > features:
            move, old = np.eye(weights), np.append(shift, -1.0)
            move[-1, :-1] = shift
            A = np.linalg.inv(move @ V @ move.T)
            told = A @ (move @ m)
            A[-1, -1] += 1 / prior
            V = np.linalg.inv(A - np.outer(old, old) / prior)
            m = V @ told
        means.append(m)
        covariances.append(V)
    return np.stack(means), np.stack(covariances)


def changed(filter, row):
    """Return a filter after a change before a row, by NumPy."""
    keep = 1.0
    if filter.input_half_life is not None:
        keep = 0.5 ** ((filter.clock - filter.last_change) / filter.input_half_life)
    old = filter.standardisation
    old = old._replace(sums=keep * old.sums, weight=keep * old.weight)
    z = np.clip((row - old.center) * old.inverse_scale, -REACH, REACH)
    first, second = old.sums + np.stack([z, z * z])
    if old.weight > 0:
        mean = first / (old.weight + 1)
        spread = np.sqrt(np.maximum(second / (old.weight + 1) - mean * mean, 0))
        center = np.clip(old.center + mean / old.inverse_scale, -LARGEST, LARGEST)
        scale = spread / old.inverse_scale
    else:
        center, scale = np.clip(row, -LARGEST, LARGEST), np.zeros(len(row))
    alone = np.where(center == 0, 1.0, np.abs(center))
    scale = np.clip(np.where(scale > 0, scale, alone), SMALLEST, LARGEST)
    new, *move = old.to(center, 1.0 / scale)
    used = [0]
    while next_change(used[-1]) <= filter.clock:
        used.append(next_change(used[-1]))
    due = filter.clock > 0 and used[-1] == filter.clock
    if filter.covariance == "full" and not due:
        mean, belief = rescaled(filter, *move)
    else:
        found = likelihood(filter, new.center, new.inverse_scale)
        mean, belief = filter.kind.posterior(found, filter.prior)
    statistics, noise, slope = filter.statistics.copy(), filter.noise.copy(), 1.0
    if due:
        later = used[-2] / filter.clock
        slope = use_estimates(statistics.reshape(-1), noise, len(noise), later)
    return filter.replaced(
        mean=slope * mean,
        belief=belief,
        standardisation=new,
        statistics=statistics,
        noise=noise,
        last_change=filter.clock,
        next_change=following_change(filter.clock, filter.piece),
    )


def slowly(filter, X, codes):
    """Return a filter after rows, with each change by NumPy."""
    result, odds, first = filter.copy(), np.empty((len(X), len(filter.mean))), 0
    with np.errstate(all="ignore"):
        while True:
            stop = min(first + result.next_change - result.clock, len(X))
            piece = slice(first, stop)
            if stop > first:
                result = filtering.learn(
                    result, X[piece], codes[piece], odds=odds[piece]
                )
            if stop == len(X):
                return result, odds
            result = changed(result, X[stop].astype(float))
            first = stop


def same(found, wanted, rounding):
    for name in ("clock", "last_change", "next_change"):
        assert getattr(found, name) == getattr(wanted, name)
    assert found.standardisation.weight == pytest.approx(
        wanted.standardisation.weight, rel=rounding
    )
    arrays = [(getattr(f, n) for n in ("mean", "belief", "statistics", "noise"))
              for f in (found, wanted)]  # fmt: skip
    for one, other in zip(*arrays, strict=True):
        near = rounding * np.abs(other).max()
        np.testing.assert_allclose(one, other, rtol=rounding, atol=near)
    one, other = found.standardisation, wanted.standardisation
    unit = rounding / other.inverse_scale  # a centre may be next to 0
    assert (
        np.abs(one.center - other.center) <= rounding * np.abs(other.center) + unit
    ).all()
    np.testing.assert_allclose(one.inverse_scale, other.inverse_scale, rtol=rounding)
    near = rounding * max(other.weight, 1.0)
    np.testing.assert_allclose(one.sums, other.sums, rtol=rounding, atol=near)


# Each setting in one of both precisions, which are spread evenly over all settings.
CASES = [
    pytest.param(
        seed,
        number,
        marks=[pytest.mark.slow] if seed.bit_count() % 2 == even else [],
        id=f"{seed}-{number.__name__}",
    )
    for seed in range(len(SETTINGS))
    for even, number in enumerate((np.float64, np.float32))
]


@pytest.mark.parametrize("kind", filtering.COVARIANCES)
@pytest.mark.parametrize(("seed", "number"), CASES)
def test_kernels_change_filters_as_numpy_does(kind, seed, number):
    filter = filtering.start(
        SCALES.size,
        covariance=kind,
        standardised=True,
        label_variance=1.0,
        **SETTINGS[seed],
    )
    X, codes = rows(seed, number)
    odds = np.empty((ROWS, len(filter.mean)))
    found = filtering.learn(filter, X, codes, odds=odds)
    wanted, before = slowly(filter, X, codes)
    # A rounding for each row; matrices are inverted.
    rounding = ROWS * float(np.finfo(float).eps) * (100 if kind == "full" else 1)
    same(found, wanted, rounding)
    np.testing.assert_allclose(odds, before, rtol=rounding, atol=filter.clip * rounding)


@pytest.mark.parametrize("models", [1, 2])
@pytest.mark.parametrize("kind", filtering.COVARIANCES)
def test_a_row_that_fails_after_a_change_leaves_none(kind, models):
    settings = {
        "standardised": True,
        "clip": np.inf,
        "models": models,
        "input_half_life": 8.0,
    }
    X, codes = np.random.default_rng(0).standard_normal((48, 3)), np.zeros(48, int)
    filter = filtering.start(3, covariance=kind, **settings)
    filter = filtering.learn(filter, X, codes)
    before = filter.copy()
    assert filter.clock == filter.next_change
    for bad in (1e300, np.nan, np.inf):
        row = np.array([[0.0, bad, 0.0]])  # 1e300 is far outside of any frame
        with pytest.raises(ValueError, match="in row 0, column 1"):
            learn_in_place(filter, row, codes[:1], NOTHING)
        same(filter, before, 0.0)


def test_copies_have_places_of_their_own():
    X, codes = rows(0)
    filter = filtering.start(SCALES.size, covariance="diagonal", standardised=True)
    learn_in_place(filter, X[:1], codes[:1], NOTHING)
    place = filter.state.address
    assert filter.state.address == place
    other = filter.copy()
    assert other.state.address != place
    before = other.mean.copy()
    for i in range(1, 9):
        learn_in_place(filter, X[i : i + 1], codes[i : i + 1], NOTHING)
    assert np.array_equal(other.mean, before)
    assert not np.array_equal(filter.mean, before)


def test_arrays_that_may_only_be_read_are_copied():
    X, codes = rows(0)
    filter = filtering.start(SCALES.size, covariance="diagonal", standardised=True)
    wanted = filtering.learn(filter, X[:1], codes[:1])
    filter.mean.flags.writeable = False
    learn_in_place(filter, X[:1], codes[:1], NOTHING)
    same(filter, wanted, 1e-12)


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
def test_a_column_that_was_constant_for_long_is_soon_standardised_again(covariance):
    rng = np.random.default_rng(0)
    X = rng.normal([0.0, 5.0], size=(20_100, 2))
    X[100:20_000] = 0.0, 5.0  # for 1660 half-lives: more than powers of 2 there are
    codes = (rng.random(len(X)) < 0.5).astype(np.int64)
    given = {"label_variance": 1.0, "standardised": True, "intercept": True}
    given |= {"input_half_life": 12.0, "clip": 3.0}
    start = filtering.start(2, covariance=covariance, **given)
    found = filtering.learn(start, X[:20_000], codes[:20_000])
    assert (found.inverse_scale > 1e100).all()
    found = filtering.learn(found, X[20_000:], codes[20_000:])
    scale = 1.0 / found.inverse_scale
    assert ((scale > 0.5) & (scale < 2.0)).all()
    assert np.isfinite(found.mean).all()
