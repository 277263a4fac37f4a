"""The kernels of the Gaussian filters against the formulas, written in NumPy."""

import numpy as np
import pytest

from rosenblatt import filters as filtering
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.filters.label_law import LOG_EVIDENCE
from rosenblatt.filters.learning import _learn_dense
from rosenblatt.filters.standardisation import Standardisation
from rosenblatt.numerics.evidence_table import ACCURACY
from tests.filters.formulas import (
    CLIP,
    beginning,
    covariance,
    tally_for,
    twin,
)

PAIRED = 500
DENSE = filtering.COVARIANCES
NOTHING, ONCE = np.zeros((0, 0)), np.zeros(0, np.int64)
# Relative to the size of the numbers. The table errs by ACCURACY in the slope, and an
# error of the slope is not amplified: each label pulls the belief towards the boundary.
DOUBLE = 10 * ACCURACY
SINGLE = 2e-5  # 100 labels, each rounded to 6e-8 of a weight, and sums of 40 terms


def problem(rows, features, models, seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    scale = np.geomspace(0.01, 100.0, features)
    X = ((rng.standard_normal((rows, features)) + 0.5) * scale).astype(dtype)
    center = 0.4 * scale
    inverse = 1 / scale
    if features > 2:
        X[:, 2], inverse[2] = 7.0, 0.0  # a column without spread
    weights = rng.standard_normal((max(models, 2), features))
    codes = ((X / scale) @ weights.T).argmax(axis=1)
    repeats = rng.choice([0, 1, 1, 1, 2, 3], rows)
    return X, codes, repeats, center, inverse


def advance(kind, X, codes, repeats, center, inverse, width, noise, mean, belief):
    """Return the same as the twin, by the kernel, and the row of a fault."""
    settings = {"width": width, "half_life": 1e300}  # all rows count for the frame
    filter = seen(kind, center, inverse, noise, mean, belief, **settings)
    odds = np.empty((len(X), len(mean)))
    fault = run(filter, X, codes, repeats, odds)
    return (
        fault,
        filter.mean,
        filter.belief,
        filter.statistics,
        filter.standardisation.sums,
        odds,
    )


def seen(kind, center, inverse, noise, mean, belief, sums=None, **settings):
    """Return a filter that never changes by itself, with copies of what is given."""
    models, size = mean.shape
    features = len(center)
    filter = filtering.start(
        features, covariance=kind, models=models, intercept=size > features, clip=CLIP
    )
    sums = np.zeros((2, features)) if sums is None else sums
    own = Standardisation(center.copy(), inverse.copy(), sums, 0.0, False)
    return filter.replaced(
        **settings,
        noise=noise.copy(),
        statistics=tally_for(noise),
        mean=mean.copy(),
        belief=belief.copy(),
        standardisation=own,
    )


def run(filter, X, codes, repeats, odds=NOTHING):
    """Let a kernel learn; return the row of a fault, or -1."""
    double = X.astype(float) if filter.covariance == "full" else X
    with np.errstate(all="ignore"):  # only plain Python would warn
        return _learn_dense(filter, double, codes, repeats, odds)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("noise", [0.0, 0.07])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("features", [1, 37])
@pytest.mark.parametrize("kind", DENSE)
def test_kernels_do_what_the_formulas_say(kind, features, models, noise, dtype):
    rows = 5 if PLAIN else 100
    for intercept in (0, 1):
        size = features + intercept
        X, codes, repeats, center, inverse = problem(
            rows, features, models, dtype=dtype
        )
        mean = np.linspace(-0.1, 0.1, models * size).reshape(models, size)
        given = (X, codes, repeats, center, inverse, 1.0, np.full(models, noise), mean)
        belief = beginning(kind, models, size)
        wanted, V, counts, squares, chances = twin(kind, *given, belief)
        fault, mean, belief, tally, sums, odds = advance(kind, *given, belief)
        close = {"atol": DOUBLE if dtype == np.float64 else SINGLE, "rtol": 0}
        if kind == "full":
            close["atol"] = DOUBLE  # whatever the rows: only they are rounded
        found = np.stack([covariance(kind, b, size) for b in belief])
        assert fault == -1
        assert np.allclose(mean, wanted, **close)
        assert np.allclose(found, V, **close)
        # a field adds up the errors of all weights, each times an input
        assert np.allclose(odds, chances, rtol=0, atol=CLIP * size * close["atol"])
        assert np.allclose(tally, counts, rtol=close["atol"], atol=close["atol"])
        assert np.allclose(sums, squares, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("noise", [0.0, 0.07])
@pytest.mark.parametrize("features", [1, 16, 37, PAIRED + 1])
@pytest.mark.parametrize("kind", ["spherical", "diagonal"])
def test_rows_that_come_once_are_learned_as_the_formulas_say(
    kind, features, noise, dtype
):
    for rows, intercept in ((5, 1),) if PLAIN else ((41, 0), (40, 1)):
        size = features + intercept
        X, codes, _, center, inverse = problem(rows, features, 1, dtype=dtype)
        X[1:3] = X[0]  # what is known of a row that comes again changes most
        mean = np.linspace(-0.1, 0.1, size)[None]
        belief = 10 * beginning(kind, 1, size)
        given = (center, inverse, 1.0, np.full(1, noise), mean, belief)
        wanted, V, counts, squares, chances = twin(
            kind, X, codes, np.ones(rows, np.int64), *given
        )
        fault, mean, belief, tally, sums, odds = advance(kind, X, codes, ONCE, *given)
        # ten times the variance, and sums of so many terms
        close = 10 * (DOUBLE if dtype == np.float64 else SINGLE)
        found = covariance(kind, belief[0], size)
        assert fault == -1
        assert np.allclose(mean, wanted, rtol=0, atol=close)
        assert np.allclose(found, V[0], rtol=0, atol=close)
        assert np.allclose(odds, chances, rtol=close, atol=CLIP * size * close)
        assert np.allclose(tally, counts, rtol=close, atol=close)
        assert np.allclose(sums, squares, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("kind", DENSE)
def test_pieces_give_the_same_as_one_go(kind, models, dtype):
    rows, features = (22, 9) if PLAIN else (300, 70)
    X, codes, repeats, center, inverse = problem(rows, features, models, dtype=dtype)
    mean = np.zeros((models, features + 1))
    belief = beginning(kind, models, features + 1)
    rest = (center, inverse, 1.0, np.full(models, 0.01))
    whole = advance(kind, X, codes, repeats, *rest, mean, belief)
    odds = []
    for piece in np.split(np.arange(rows), [1, 2, 3, 7, 20, 21]):
        _, mean, belief, _, _, found = advance(
            kind, X[piece], codes[piece], repeats[piece], *rest, mean, belief
        )
        odds.append(found)
    # Rows are learned in pairs or blocks, which begin with a piece: a rounding a row.
    near = rows * np.finfo(float if kind == "full" else dtype).eps
    np.testing.assert_allclose(mean, whole[1], rtol=0, atol=near)
    np.testing.assert_allclose(belief, whole[2], rtol=0, atol=near)
    np.testing.assert_allclose(np.concatenate(odds), whole[5], rtol=0, atol=9 * near)


@pytest.mark.parametrize("features", [37, PAIRED])
@pytest.mark.parametrize("kind", ["spherical", "diagonal"])
def test_a_row_counts_for_the_frame_by_its_clock(kind, features):
    X, codes, _, center, inverse = problem(30, features, 1)
    mean, belief = np.zeros((1, features)), beginning(kind, 1, features)
    filter = seen(kind, center, inverse, np.zeros(1), mean, belief, clock=1015)
    for first, stop in ((0, 3), (3, 5), (5, 30)):  # clocks 1015 to 1044
        assert run(filter, X[first:stop], codes[first:stop], ONCE) == -1
    sums = filter.standardisation.sums
    assert (filter.clock, filter.standardisation.weight) == (1045, 9)
    z = ((X - center) * inverse)[:9]
    assert np.allclose(sums, [z.sum(axis=0), (z * z).sum(axis=0)])


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 16, 33])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", DENSE)
@pytest.mark.parametrize("features", [34, PAIRED])
def test_what_is_not_finite_is_found_and_harms_nothing(
    kind, dtype, place, bad, features
):
    X, codes, repeats, center, inverse = problem(6, features, 1, dtype=dtype)
    mean, belief = np.zeros((1, features + 1)), beginning(kind, 1, features + 1)
    rest = (center, inverse, 1.0, np.zeros(1), mean, belief)
    for fault in (3, 4):  # the second of two, and the first
        X[fault, place] = bad
        for times in (repeats, ONCE):
            assert advance(kind, X, codes, times, *rest)[0] == fault
            part = slice(fault, fault + 1)
            found, *after = advance(kind, X[part], codes[part], times[part], *rest)
            assert found == 0
            assert np.array_equal(after[0], mean)
            assert np.array_equal(after[1], belief)
        X[fault, place] = 1.0


@pytest.mark.parametrize("kind", DENSE)
def test_a_step_that_sees_nothing_learns_nothing(kind):
    mean, belief = np.zeros((1, 2)), beginning(kind, 1, 2)
    X, once = np.zeros((1, 2)), np.ones(1, np.int64)
    rest = (np.zeros(2), np.ones(2), 0.0, np.zeros(1), mean, belief)
    fault, after, found, tally, _, odds = advance(kind, X, once, once, *rest)
    assert fault == -1
    assert np.array_equal(after, mean)
    assert np.array_equal(found, belief)
    assert tally[0, LOG_EVIDENCE] == pytest.approx(np.log(0.5))
    assert odds[0, 0] == 0.0


def belief_of_doubled_columns(examples):
    """Return the covariance after examples whose columns come twice."""
    rng = np.random.default_rng(0)
    features = 6
    mean, known = np.zeros((1, features + 1)), np.eye(features + 1)[None]
    frame, none = (np.zeros(features), np.ones(features)), np.zeros((2, 0))
    filter = seen("full", *frame, np.zeros(1), mean, known, sums=none, width=1.0)
    block = min(examples, 10_000)
    for _ in range(examples // block):
        half = rng.standard_normal((block, features // 2))
        X = np.concatenate([half, half], axis=1)
        codes = (half.sum(axis=1) + rng.standard_normal(block) > 0).astype(np.int64)
        assert run(filter, X, codes, np.ones(block, np.int64)) == -1
    return filter.belief[0]


def test_the_covariance_stays_positive_definite():
    examples = 100 if PLAIN else 10**6
    V = belief_of_doubled_columns(examples)
    assert np.array_equal(V, V.T)
    values = np.linalg.eigvalsh(V)
    assert values[0] > 0
    # The difference of two equal columns is not seen by any label: its variance stays
    # that of the prior, while each label narrows their sum.
    apart = np.array([1.0, 0, 0, -1, 0, 0, 0]) / np.sqrt(2)
    assert apart @ V @ apart == pytest.approx(1.0, abs=1e-9)
    assert values[0] < 10 / examples
