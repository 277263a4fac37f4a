"""BayesPerceptron keeps scikit-learn's conventions and its own promises."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt.estimators import BayesPerceptron
from tests.estimators.bayes_data import KINDS, data, same, snapshot
from tests.estimators.checking import (
    bad_data,
    depends_on_order,
    refuses,
    refuses_others,
    spoilt,
    stays_unfitted,
)


@pytest.mark.filterwarnings("ignore:labels come in long runs")  # of iris
@parametrize_with_checks(
    [
        BayesPerceptron(half_life=50),
        BayesPerceptron("diagonal", noise=0.0, class_weight="balanced"),
        BayesPerceptron("spherical", half_life=50),
    ],
    expected_failed_checks=depends_on_order,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_pieces_of_any_size_give_the_same_model(kind, classes):
    X, y = data(classes)
    wanted = BayesPerceptron(kind, half_life=100).fit(X, y)
    for size in (1, 7, 64):
        model = BayesPerceptron(kind, half_life=100)
        for first in range(0, len(X), size):
            piece = slice(first, first + size)
            model.partial_fit(X[piece], y[piece], classes=np.arange(classes))
        same(model, wanted)
        singly = BayesPerceptron(kind, half_life=100)
        singly.partial_fit(X[:5], y[:5], classes=np.arange(classes))
        for x, label in zip(X[5:], y[5:], strict=True):
            singly.partial_fit(x[None], [label])  # the short way for one row
        same(singly, wanted)


@pytest.mark.parametrize("kind", ["diagonal", "auto", "sparse"])
def test_weights_are_repetitions_and_zero_leaves_a_row_out(kind):
    X, y = data(3)
    X = csr_matrix(X) if kind == "sparse" else X
    make = BayesPerceptron if kind == "sparse" else partial(BayesPerceptron, kind)
    times = np.random.default_rng(1).integers(0, 4, X.shape[0])
    model = make().fit(X, y, sample_weight=times)
    copies = np.repeat(np.arange(len(y)), times)
    wanted = make().fit(X[copies], y[copies])
    for one, two in zip(model._experts.filters, wanted._experts.filters, strict=True):
        np.testing.assert_allclose(one.mean, two.mean, rtol=1e-7, atol=1e-9)
    if kind == "diagonal":  # one filter: nothing is mixed
        same(model, wanted)
    assert model.t_ == times.sum()
    only = make().fit(X, y, sample_weight=y != 2)
    assert only.classes_.tolist() == [0, 1]


def test_weights_drawn_by_chance_change_predictions_little():
    """A row presented again is no sign that the teacher changes."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((6000, 8))
    y = X @ rng.standard_normal(8) + 3 * rng.standard_normal(6000) > 0
    losses = []
    for times in (None, rng.integers(1, 5, 3000)):
        model = BayesPerceptron(horizon=1)
        model.fit(X[:3000], y[:3000], sample_weight=times)
        losses.append(log_loss(y[3000:], model.predict_proba(X[3000:])))
    # weights of 1 to 4 are worth 5/6 of the rows, and a parameter costs 1 / (2 rows)
    assert abs(losses[1] - losses[0]) < 9 / 3000


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", [*KINDS, "sparse"])
def test_predict_then_learn_is_predict_and_learn_row_by_row(kind, classes):
    X, y = data(classes, rows=100)
    X = csr_matrix(X) if kind == "sparse" else X
    make = partial(BayesPerceptron, "auto" if kind == "sparse" else kind, horizon=1)
    model, slow = make(), make()
    shares = model.predict_then_learn(X, y, classes=np.arange(classes))
    assert shares.shape == (100, classes)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    slow.partial_fit(X[:1], y[:1], classes=np.arange(classes))
    for row in range(1, 100):
        # where a filter is about to change it predicts in the frame to come
        if all(part.clock < part.next_change for part in slow._experts.filters):
            alone = slow.predict_proba(X[[row]])
            np.testing.assert_allclose(alone, shares[[row]], rtol=1e-7, atol=1e-12)
        again = slow.predict_then_learn(X[[row]], y[[row]])
        np.testing.assert_allclose(again, shares[[row]], rtol=1e-7, atol=1e-12)
    same(slow, model)
    right = shares[np.arange(100), y]
    if classes == 2 or model._experts.mixture:
        np.testing.assert_allclose(np.log(right).sum(), model.log_evidence_[0])
    if model._experts.mixture:
        right = shares[np.arange(100), y]
        as_likely = (shares >= right[:, None]).sum(axis=1) > 1
        assert model.mistakes_.tolist() == [as_likely.sum()]


def test_forgetting_follows_a_stream_that_changes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((8000, 3))
    y = np.where(np.arange(8000) < 4000, X[:, 0], X[:, 1]) > 0
    kept = BayesPerceptron("full").fit(X, y)
    fresh = rng.standard_normal((2000, 3))
    for faded in (
        BayesPerceptron(),  # one of its filters forgets
        BayesPerceptron(half_life=200),
        BayesPerceptron("full", half_life=200),
    ):
        faded.fit(X, y)
        assert faded.score(fresh, fresh[:, 1] > 0) > 0.93
        assert faded.log_evidence_[0] > kept.log_evidence_[0] + 500


@pytest.mark.parametrize("kind", [*KINDS, "sparse"])
def test_models_that_learned_apart_merge(kind):
    X, y = data(3, rows=2000)
    X = csr_matrix(X) if kind == "sparse" else X
    make = BayesPerceptron if kind == "sparse" else partial(BayesPerceptron, kind)
    y = np.where(np.arange(2000) % 3 > 0, y, 2)  # of which there are few
    parts = [make().fit(X[i::4], y[i::4]) for i in range(4)]
    before = snapshot(parts[1])
    model = clone(parts[0]).fit(X[::4], y[::4])
    for part in parts[1:]:
        model.merge(part)
    assert snapshot(parts[1]) == before
    whole = make().fit(X, y)
    assert model.t_ == 2000
    if kind != "sparse":
        np.testing.assert_allclose(model.center_, X.mean(axis=0))
        np.testing.assert_allclose(model.scale_, X.std(axis=0))
    assert abs(model.score(X, y) - whole.score(X, y)) < 0.02
    for one, two in zip(model._experts.filters, parts[0]._experts.filters, strict=True):
        deviations = [
            np.sqrt(part.variances[:, :-1]) * part.standardisation.inverse_scale
            for part in (one, two)
        ]
        assert (deviations[0] < deviations[1]).all()
    model.partial_fit(X, y)
    with pytest.raises(ValueError, match="other must be a model like"):
        model.merge(BayesPerceptron("full", noise=0.1).fit(X, y))
    with pytest.raises(ValueError, match=r"same classes_, \[0, 1, 2\], got \[0, 1\]"):
        model.merge(make().fit(X[y < 2], y[y < 2]))


def test_labels_may_be_of_any_type():
    X, y = data(3)
    words = np.array(["c", "a", "b"])[y]
    model = BayesPerceptron().partial_fit(X, words, classes=["a", "b", "c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    same(model, BayesPerceptron().fit(X, words))
    model.partial_fit(X[:1], words[:1]).partial_fit(X[:1], list(words[:1]))
    objects = np.array([None, "x", 2], object)
    with pytest.raises(TypeError):
        BayesPerceptron().fit(X, objects[y])
    truth = BayesPerceptron().fit(X, y == 0)
    assert truth.predict(X).dtype == bool
    truth.partial_fit(X[:1], [True])
    with pytest.raises(ValueError, match=r"among classes \[False, True\], got 5"):
        truth.partial_fit(X[:1], [5])


def test_names_of_columns_are_kept_and_checked():
    pandas = pytest.importorskip("pandas")
    X, y = data()
    table = pandas.DataFrame(X, columns=list("abcde"))
    model = BayesPerceptron().partial_fit(table, y, classes=[0, 1])
    assert model.feature_names_in_.tolist() == list("abcde")
    same(
        model.partial_fit(table, y),
        BayesPerceptron().fit(*map(np.tile, (X, y), ((2, 1), 2))),
    )
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(table[list("edcb")].assign(z=0.0), y)
    before = model.t_
    assert model.merge(BayesPerceptron().fit(X, y)).t_ == before + len(X)
    other = BayesPerceptron().fit(table.rename(columns={"a": "z"}), y)
    with pytest.raises(ValueError, match="other must have the same feature_names_in_"):
        model.merge(other)


def test_sparse_rows_after_dense_ones_are_made_dense_and_back():
    X, y = data()
    model = BayesPerceptron().fit(X, y)
    same(clone(model).fit(X, y).partial_fit(csr_matrix(X), y), model.partial_fit(X, y))
    model = BayesPerceptron().fit(csr_matrix(X), y)
    np.testing.assert_allclose(
        model.predict_proba(X), model.predict_proba(csr_matrix(X))
    )


@pytest.mark.parametrize("method", ["fit", "partial_fit", "predict_then_learn"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *bad_data(data()),
        ((csr_matrix(spoilt(data(), np.inf)[0]), data()[1]), "got inf in row 7"),
        ((*data(), np.full(300, 0.5)), "sample_weight must be whole"),
    ],
)
def test_bad_data_leave_the_model_as_it_was(method, arguments, message):
    model = BayesPerceptron().fit(*data(seed=1))
    refuses(model, method, arguments, message, snapshot)


def test_bad_rows_columns_and_classes_leave_the_model_as_it_was():
    X, y = data()
    model = BayesPerceptron().fit(X, y)
    before = snapshot(model)
    for bad in (np.nan, np.inf):
        row = X[:1].copy()
        row[0, 2] = bad
        with pytest.raises(ValueError, match=r"NaN or inf.* in row 0, column 2"):
            model.partial_fit(row, [0])
    refuses_others(model, X, y)
    assert snapshot(model) == before
    stays_unfitted(BayesPerceptron(), data(), spoilt(data(), np.nan))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"covariance": "round"}, ValueError, "covariance must be one of 'auto'"),
        ({"noise": 0.5}, ValueError, "noise must be 'auto' or below 0.5"),
        ({"noise": "some"}, ValueError, "noise must be"),
        ({"half_life": -1}, ValueError, "half_life must be None or a number above 0"),
    ],
)
def test_bad_parameters_are_named(parameters, error, message):
    with pytest.raises(error, match=message):
        BayesPerceptron(**parameters).fit(*data())
