"""The learner on real examples is the naive one, to rounding."""

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_matrix, random_array

from rosenblatt.core import FixedShift
from rosenblatt.engines import dense_rows, shifted_rows, sparse_rows
from rosenblatt.engines.dataset import absorb, learn, learn_classes, prepared
from rosenblatt.engines.learner import EXAMPLES, MISTAKES, Learner
from rosenblatt.engines.problem import RefusalError
from rosenblatt.rules import (
    AdaTron,
    AverageShift,
    Decay,
    Delta,
    Hebb,
    Normalised,
    PassiveAggressive,
    Perceptron,
    Shifted,
    SphericalBayes,
    Tanh,
)
from rosenblatt.schedules import Constant, PerMistake, Power
from tests import references

UNIFORM = {"shifted": "uniform"}
RULES = [
    (Perceptron(margin=0.3), references.perceptron(0.3), {}),
    (Hebb(), references.hebb, {}),
    (AdaTron(), references.adatron, {}),
    (Delta(Tanh()), references.delta_tanh, {}),
    (PassiveAggressive(), references.passive_aggressive, {}),
    (Normalised(Perceptron()), references.normalised_perceptron, {}),
    (Decay(Perceptron(), 0.5), references.decayed_perceptron(0.5), {}),
    (Shifted(Perceptron(), opening=0), references.perceptron(0.0), UNIFORM),
    (
        Shifted(Perceptron(), opening=3),
        references.perceptron(0.0),
        UNIFORM | {"opening": 3},
    ),
    (
        Shifted(Normalised(Perceptron()), AverageShift(uniform=False), opening=2),
        references.normalised_perceptron,
        {"shifted": "along the field", "opening": 2},
    ),
    (
        Shifted(Normalised(Perceptron()), AverageShift(uniform=False), opening=0),
        references.normalised_perceptron,
        {"shifted": "along the field"},
    ),
]
SCHEDULES = [
    (Power(scale=0.7, exponent=0.5), lambda time, mistakes, n: 0.7 / np.sqrt(time)),
    (PerMistake(scale=0.7), lambda time, mistakes, n: 0.7 / max(mistakes, 1 / n)),
]


def examples(rows=60, columns=7, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.standard_normal((rows, columns)) + 0.5) / np.sqrt(columns)
    return X, np.where(X @ rng.standard_normal(columns) > 0.2, 1.0, -1.0)


def started(weights):
    return Learner.zero(len(weights))._replace(weights=np.asarray(weights, float))


def equal(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(("schedule", "rate"), SCHEDULES)
@pytest.mark.parametrize(("rule", "step", "options"), RULES)
def test_weights_and_mistakes_are_those_of_the_reference(
    rule, step, options, schedule, rate, intercept
):
    X, y = examples()
    w = np.random.default_rng(1).standard_normal(7 + intercept)
    got = learn(rule, schedule, X, y, started(w))
    wanted, mistakes = references.stream(step, rate, X, y, w, intercept, **options)
    np.testing.assert_allclose(got.weights, wanted, rtol=1e-10, atol=1e-12)
    assert got.counts[EXAMPLES] == len(X)
    assert got.counts[MISTAKES] == mistakes


@pytest.mark.parametrize(
    "rule", [Normalised(Perceptron()), Shifted(Hebb(), opening=2), SphericalBayes(0.1)]
)
@pytest.mark.parametrize("columns", [1, 3, 16, 37, 130])
def test_chunks_equal_whole_to_the_bit(rule, columns):
    X, y = examples(rows=40, columns=columns)
    whole = learn(rule, Power(), X, y, Learner.zero(columns + 1))
    part = Learner.zero(columns + 1)
    for rows in np.split(np.arange(40), [1, 2, 7, 7, 20]):
        part = learn(rule, Power(), X[rows], y[rows], part)
    assert equal(whole, part)


def test_whole_weights_equal_repetition_and_zero_skips():
    X, y = examples()
    weights = np.random.default_rng(2).integers(0, 4, len(X))
    repeated = np.repeat(np.arange(len(X)), weights)
    for rule in (Hebb(), Shifted(Perceptron(0.2))):
        start = Learner.zero(7)
        a = learn(rule, Power(), X, y, start, sample_weight=weights.astype(float))
        b = learn(rule, Power(), X[repeated], y[repeated], start)
        c = learn(rule, Power(), X, y, start, order=repeated)
        assert equal(a, b)
        assert equal(a, c)


def test_normalised_gets_its_length_at_the_first_update_from_zero():
    X, y = examples()
    got = learn(Normalised(Perceptron()), Constant(0.1), X[:1], y[:1], Learner.zero(7))
    assert got.weights @ got.weights == pytest.approx(7, rel=1e-12)
    np.testing.assert_allclose(np.cross(got.weights[:3], X[0, :3]), 0, atol=1e-14)


def test_zero_inputs_to_zero_weights_are_counted_and_move_nothing():
    X, y = np.zeros((2, 3)), np.array([1.0, -1.0])
    got = learn(Normalised(Perceptron()), Constant(), X, y, Learner.zero(3))
    assert not got.weights.any()
    assert got.counts.tolist() == [2, 2, 0]


def test_constant_input_is_all_shift():
    X, _ = examples()
    y = np.where(np.arange(len(X)) % 3 == 2, -1.0, 1.0)  # never balanced again
    got = learn(Shifted(Hebb(), opening=0), Power(), X, y, Learner.zero(8))
    assert got.weights[-1] == 8.0  # the first rate, Power()'s at time 1/8


def test_fixed_shift_is_refused():
    X, y = examples()
    rule = Shifted(Perceptron(), FixedShift(1.0, 0.0))
    with pytest.raises(RefusalError, match=r"fixed shift.*AverageShift"):
        learn(rule, Constant(), X, y, Learner.zero(7))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_input_that_is_not_finite_is_named(bad):
    X, y = examples()
    X[5, 2] = bad
    for dim in (7, 8):
        with pytest.raises(ValueError, match=rf"got {bad} in row 5, column 2"):
            learn(Hebb(), Constant(), X, y, Learner.zero(dim))


def test_update_that_is_not_finite_is_named_and_does_no_harm():
    X, y = examples()
    start = started(np.arange(7.0))
    before = start.copy()
    with pytest.raises(
        ArithmeticError, match=r"row 0 of X.*Hebb\(\) returned gain -inf"
    ):
        learn(Hebb(), lambda clock: clock.dim * np.inf, X, y, start)
    with pytest.raises(ArithmeticError, match=r"row 59 of X"):
        learn(Hebb(), Constant(1e200), X, y, start, order=np.array([59]))
    assert equal(start, before)


@pytest.mark.parametrize("bad", [-1.0, np.nan, 1e300])
def test_bad_weights_are_named(bad):
    X, y = examples()
    weights = np.ones(len(X))
    weights[3] = bad
    with pytest.raises(
        ValueError, match=r"sample_weight must be numbers not below 0.*in row 3"
    ):
        learn(Hebb(), Constant(), X, y, Learner.zero(7), sample_weight=weights)


def test_shapes_must_fit():
    X, y = examples()
    with pytest.raises(ValueError, match="X must have 9 columns, or one less"):
        learn(Hebb(), Constant(), X, y, Learner.zero(9))
    with pytest.raises(ValueError, match="must have 60 entries"):
        learn(Hebb(), Constant(), X, y[1:], Learner.zero(7))


WEIGHTS = np.random.default_rng(5).choice([0.0, 0.25, 1.0, 1.7, 3.0], 60)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(("schedule", "rate"), SCHEDULES)
@pytest.mark.parametrize(("rule", "step", "options"), RULES)
def test_parts_of_a_presentation_are_those_of_the_reference(
    rule, step, options, schedule, rate, intercept
):
    X, y = examples()
    w = np.random.default_rng(1).standard_normal(7 + intercept)
    got = learn(rule, schedule, X, y, started(w), sample_weight=WEIGHTS)
    wanted, mistakes = references.stream(
        step, rate, X, y, w, intercept, weights=WEIGHTS, **options
    )
    np.testing.assert_allclose(got.weights, wanted, rtol=1e-10, atol=1e-12)
    assert got.counts[EXAMPLES] == pytest.approx(WEIGHTS.sum(), rel=1e-14)
    assert got.counts[MISTAKES] == pytest.approx(mistakes, rel=1e-14)


def test_weights_change_continuously():
    """Near whole weights, from both sides, as far as no tie is in between."""
    X, y = examples(rows=20)
    for rule in (Hebb(), Delta(Tanh()), Normalised(Hebb())):
        for whole in (0.0, 1.0, 2.0):
            weights = np.ones(20)
            weights[4] = whole
            exact = learn(
                rule, Power(0.1), X, y, Learner.zero(7), sample_weight=weights
            )
            for off in (1e-9, -1e-9) if whole else (1e-9,):
                weights[4] = whole + off
                near = learn(
                    rule, Power(0.1), X, y, Learner.zero(7), sample_weight=weights
                )
                np.testing.assert_allclose(near.weights, exact.weights, atol=1e-6)


def sparsely(rows=60, columns=40, seed=3):
    rng = np.random.default_rng(seed)
    X = random_array((rows, columns), density=0.15, rng=rng, format="csr")
    X = csr_matrix(X)
    X.data -= 0.4
    return X, np.where(X @ rng.standard_normal(columns) > 0.05, 1.0, -1.0)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["once", "weighted"])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize(("rule", "step", "options"), RULES)
def test_sparse_rows_learn_as_dense_ones(rule, step, options, intercept, weights):
    X, y = sparsely()
    w = np.random.default_rng(1).standard_normal(40 + intercept)
    given = {"sample_weight": weights}
    dense = learn(rule, PerMistake(0.7), X.toarray(), y, started(w), **given)
    for kind in (csr_matrix, csc_matrix):
        got = learn(rule, PerMistake(0.7), kind(X), y, started(w), **given)
        np.testing.assert_allclose(got.weights, dense.weights, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(got.counts, dense.counts)


def test_sparse_weights_stay_right_through_strong_decay():
    """The scale of the weights passes the ends at which it is put into them."""
    X, y = sparsely(rows=400)
    for strength in (41.0, 20.0, 100.0):  # 1 - 41 / 41 is zero; the last turns signs
        rule = Decay(Hebb(), strength)
        dense = learn(rule, Constant(), X.toarray(), y, Learner.zero(41))
        got = learn(rule, Constant(), X, y, Learner.zero(41))
        np.testing.assert_allclose(got.weights, dense.weights, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("rule", "step", "options"), RULES)
def test_single_precision_is_near(rule, step, options):
    """Rates that fall and few rows: no tie is so near that rounding decides on it."""
    X, y = examples()
    single = X.astype(np.float32)
    exact = learn(rule, Power(0.7), single.astype(float), y, Learner.zero(8))
    got = learn(rule, Power(0.7), single, y, Learner.zero(8))
    scale = max(np.abs(exact.weights).max(), 1.0)
    np.testing.assert_allclose(got.weights, exact.weights, atol=60 * 6e-8 * 8 * scale)
    np.testing.assert_array_equal(got.counts, exact.counts)


@pytest.mark.parametrize("table", ["float32", "float64", "sparse"])
@pytest.mark.parametrize(
    "rule", [Perceptron(), Normalised(Hebb()), Shifted(Perceptron(), opening=1)]
)
def test_several_classes_are_one_learner_for_each(rule, table):
    X, _ = examples()
    codes = np.digitize(X[:, 0], [0.0, 0.4])
    if table == "sparse":
        X = csr_matrix(np.where(X > 0, X, 0))
    elif table == "float32":
        X = X.astype(np.float32)
    plan = prepared(rule, Power(), 8)
    order = np.random.default_rng(0).permutation(60)[:50]
    zero = Learner.zero(8, models=3)
    got = learn_classes(plan, X, codes, zero, weights=WEIGHTS, order=order)
    for k in range(3):
        labels = np.where(codes == k, 1.0, -1.0)
        given = {"sample_weight": WEIGHTS, "order": order}
        one = learn(rule, Power(), X, labels, Learner.zero(8), **given)
        assert equal(one, [array[k] for array in got])


@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize(
    "rule", [Perceptron(), Normalised(Hebb()), Shifted(Perceptron(), opening=1)]
)
def test_rows_absorbed_one_by_one_are_a_pass(rule, number):
    X, y = examples()
    X, codes = X.astype(number), (y > 0).astype(np.int64)
    plan = prepared(rule, Power(), 8)
    whole = learn_classes(plan, X, codes, Learner.zero(8, models=1))
    own = Learner.zero(8, models=1)
    for i in range(len(X)):
        absorb(plan, own, X[i : i + 1], codes[i : i + 1])
    assert equal(whole, own)
    before = own.copy()
    with np.errstate(all="ignore"):  # plain Python would warn
        for bad in (np.nan, np.inf):
            row = X[:1].copy()
            row[0, 3] = bad
            with pytest.raises(ValueError, match="row 0, column 3"):
                absorb(plan, own, row, codes[:1])
        with pytest.raises(ArithmeticError):
            absorb(prepared(Hebb(), Constant(1e200), 8), own, X[:1], codes[:1])
    assert equal(own, before)


def test_grown_learner_is_one_that_knew_the_columns_before():
    X, y = examples(columns=5)
    wide = np.column_stack([X, np.zeros((60, 2))])
    rule = Perceptron()
    a = learn(rule, Constant(), X, y, Learner.zero(6)).grown(7, intercept=True)
    b = learn(rule, Constant(), wide, y, Learner.zero(8))
    assert equal(a, b)
    more = examples(columns=7, seed=1)
    assert equal(*(learn(rule, Constant(), *more, one) for one in (a, b)))
    with pytest.raises(ValueError, match="columns must not be below 7"):
        a.grown(6, intercept=True)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_sparse_input_that_is_not_finite_is_named(bad):
    X, y = sparsely()
    row = 7
    X.data[X.indptr[row]] = bad
    column = X.indices[X.indptr[row]]
    for rule in (Hebb(), Perceptron(), Shifted(Hebb())):
        with pytest.raises(ValueError, match=rf"got {bad} in row 7, column {column}"):
            learn(rule, Constant(), X, y, Learner.zero(41))


def test_order_must_be_of_rows():
    X, y = examples()
    with pytest.raises(ValueError, match="order must be rows from 0 to 59"):
        learn(Hebb(), Constant(), X, y, Learner.zero(7), order=np.array([60]))
    nothing = learn(Hebb(), Constant(), X, y, Learner.zero(7), order=np.array([], int))
    assert equal(nothing, Learner.zero(7))


def test_kernels_have_one_signature():
    X, y = examples()
    X.flags.writeable = False
    for table in (X, X.astype(np.float32), csr_matrix(X), csr_matrix(X, dtype="f")):
        for rule in (Hebb(), Shifted(Hebb())):
            learn(rule, Constant(), table, y, Learner.zero(7))
    for module in (dense_rows, sparse_rows, shifted_rows):
        for kernel in (module.present_single, module.present_double):
            if hasattr(kernel, "build"):  # not with NUMBA_DISABLE_JIT=1
                assert len(kernel.build().signatures) == 1
