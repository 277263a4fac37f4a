"""The learner on real examples is the naive one, to rounding."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt.linear import dense as dense_rows
from rosenblatt.linear import shifted as shifted_rows
from rosenblatt.linear import sparse as sparse_rows
from rosenblatt.linear.learner import EXAMPLES, MISTAKES, Learner
from rosenblatt.linear.learning import learn
from rosenblatt.rules import Hebb, Normalised, Perceptron, Shifted, SphericalBayes
from rosenblatt.schedules import Constant, Power
from tests import references
from tests.linear.row_data import compared, equal, examples, started


@compared
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


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
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
        for kernel in (module.learn_single, module.learn_double):
            if hasattr(kernel, "build"):  # not with NUMBA_DISABLE_JIT=1
                assert len(kernel.build().signatures) == 1
