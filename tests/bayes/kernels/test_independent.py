"""The loops over dense rows against the formulas, written in NumPy."""

import numpy as np
import pytest

from rosenblatt import bayes as filtering
from rosenblatt.bayes.label_law import LOG_EVIDENCE
from rosenblatt.bayes.learning import learn_in_place
from rosenblatt.compiling.jit import PLAIN
from tests.bayes.formulas import CLIP, beginning, covariance, twin
from tests.bayes.problems import DOUBLE, ONCE, SINGLE, advance, problem, run, seen

LONG = 501  # columns, an odd number of registers
DENSE = filtering.COVARIANCES


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
@pytest.mark.parametrize("features", [1, 16, 37, LONG])
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


@pytest.mark.parametrize("features", [37, LONG - 1])
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
@pytest.mark.parametrize("features", [34, LONG - 1])
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
            filter = seen(
                kind, center, inverse, np.zeros(1), mean, belief, label_variance=1.0
            )
            with pytest.raises(ValueError, match="in row 0"):
                learn_in_place(filter, X[[fault]], codes[[fault]], np.zeros((0, 0)))
            assert np.array_equal(filter.mean, mean)
            assert np.array_equal(filter.belief, belief)
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
