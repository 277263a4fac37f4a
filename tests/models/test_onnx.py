"""Graphs in onnxruntime predict what the models predict."""

import numpy as np
import pytest
from pandas import DataFrame
from scipy.special import log_ndtr, ndtr
from sklearn.base import clone

import rosenblatt as rb
from rosenblatt.models.onnx import Graph
from tests.models.examples import CLASSIFIERS, Case, cases, curved_model
from tests.models.mixed_tables import given, table
from tests.models.onnx_runs import compare, exported, session


@pytest.mark.parametrize(
    "case",
    [case for case in cases() if case.name in CLASSIFIERS],
    ids=lambda case: "-".join(map(str, case)),
)
def test_predictions_are_the_same(case, tmp_path):
    model = case.fitted()
    run = exported(model, tmp_path)
    X, _ = case._replace(kind="dense").rows(7, 200)
    given, _ = case.rows(7, 200)
    compare(model, run, given, X)
    (single,) = run.run(["label"], {"X": X[:1]})
    assert single.shape == (1,)


@pytest.mark.parametrize("labels", ["numbers", "words"])
@pytest.mark.parametrize(
    "case",
    [
        *(("BayesPerceptron", s) for s in range(5)),
        ("BinaryBayesPerceptron", 0),
        ("OnlinePerceptron", 0),
    ],
    ids=str,
)
def test_any_numbers_give_the_same(case, labels, tmp_path):
    """Columns of all scales, and rows far away from where all others were."""
    name, setting = case
    random = np.random.default_rng(3)
    scales = 10.0 ** np.arange(-3, 3)
    X = random.standard_normal((300, 6)) * scales + scales
    made = Case(name, setting, "dense", labels)
    code = np.digitize(X[:, 0] / 1e-3 + X[:, 3] / scales[3], [0.5, 2.5])
    classes = ["a", "b", "c"] if labels == "words" else [0, 1, 1]
    model = made.new().fit(X, np.array(classes)[code])
    far = np.vstack([X, 30 * X, -1e6 * X, np.zeros((1, 6)), 1e300 * np.ones((1, 6))])
    if name != "BayesPerceptron":  # others overflow
        far = far[:-1]
    compare(model, exported(model, tmp_path), far, far)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("horizon", [None, 1])
def test_curves_that_lines_cannot_follow_are_in_the_graph(classes, horizon, tmp_path):
    model, X = curved_model(classes, horizon)
    compare(model, exported(model, tmp_path), X, X)


@pytest.mark.parametrize("labels", [[0, 1], ["a", "b", "c"]], ids=["two", "three"])
@pytest.mark.parametrize("weight", ["balanced", "given"])
@pytest.mark.parametrize("name", ["BayesPerceptron", "BinaryBayesPerceptron"])
def test_weights_of_classes_are_in_the_graph(name, weight, labels, tmp_path):
    random = np.random.default_rng(4)
    X = random.standard_normal((300, 5))
    y = np.array(labels)[np.digitize(X[:, 0], [1.0, 1.5][: len(labels) - 1])]
    given = weight if weight == "balanced" else {labels[1]: 20.0}
    model = getattr(rb, name)(class_weight=given).fit(X, y)
    plain = model.predict(X)
    compare(model, exported(model, tmp_path), X, X)
    assert (plain != model.set_params(class_weight=None).predict(X)).any()


def test_counting_models_see_the_same_levels(tmp_path):
    """Columns with levels of their own, with one level so far, and cut ones."""
    random = np.random.default_rng(6)
    X = random.choice([0.0, 1.0], (200, 6)) * [1, 2, 5, 0, 0, 1] + [0, 3, -9, 4, -4, 0]
    y = X[:, 0] + X[:, 1] > 4
    model = rb.BinaryPerceptron(threshold="least error").fit(X, y)
    run = exported(model, tmp_path)
    compare(model, run, X, X)
    other = X.copy()
    other[::2, 3:5] = 77.0  # a second level, where only one was seen
    compare(model, run, other, other)
    cut = rb.ClippedHebb(binarise=0.25).fit(random.standard_normal((99, 5)), y[:99])
    wide = random.standard_normal((300, 5))
    compare(cut, exported(cut, tmp_path), wide, wide)


def test_names_of_columns_are_kept(tmp_path):
    model = Case("OnlinePerceptron", 0, "named", "words").fitted()
    properties = exported(model, tmp_path).get_modelmeta().custom_metadata_map
    assert properties["estimator"] == "OnlinePerceptron"
    assert properties["feature_names"].startswith('["column 0", ')


def test_what_cannot_be_exported_is_told(tmp_path):
    path = tmp_path / "model.onnx"
    with pytest.raises(ValueError, match="not fitted"):
        rb.export_onnx(rb.BayesPerceptron(), path)
    with pytest.raises(TypeError, match="model must be one of"):
        rb.export_onnx(3, path)
    X = np.array([[1.0, 2.0], [2.0, 1.0]])
    dates = np.array(["2020-01-01", "2020-01-02"], "M8[D]")
    model = rb.OnlinePerceptron().fit(X, [0, 1])
    model.classes_ = dates
    with pytest.raises(TypeError, match="numbers or text"):
        rb.export_onnx(model, path)
    assert not path.exists()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_one_column_is_as_exact_as_many(name, tmp_path):
    """Vectors of one number are numbers to the runtime, and joined to products."""
    X = np.random.default_rng(8).standard_normal((200, 1)) * 3 + 1
    model = getattr(rb.estimators, name)()
    if hasattr(model, "binarise"):
        model.set_params(binarise=1.1)
    if hasattr(model, "activation"):
        model.set_params(schedule=rb.schedules.Constant(0.01))
    model.fit(X, X[:, 0] > 1.1)
    compare(model, exported(model, tmp_path), X, X)


def test_more_columns_with_full_covariances(tmp_path):
    random = np.random.default_rng(5)
    X = random.standard_normal((400, 60))
    model = rb.BayesPerceptron("full").fit(X, X[:, :9].sum(axis=1) > 0)
    compare(model, exported(model, tmp_path), X, X)


def test_the_tail_of_the_normal_law():
    graph = Graph()
    small, logarithm = graph.tail(graph.input("X", np.float64))
    graph.output("small", small, np.float64, [None, 1])
    graph.output("logarithm", logarithm, np.float64, [None, 1])
    far = np.concatenate([[0.0], np.logspace(-8, 3, 2001)])[:, None]
    found = session(graph.finished({})).run(None, {"X": far})
    # relative errors of exp(-x^2) grow like x^2 times rounding
    near = far[:, 0] < 37
    np.testing.assert_allclose(found[0][near], ndtr(-far[near]), rtol=1e-12)
    np.testing.assert_allclose(found[1], log_ndtr(-far), rtol=1e-13)


@pytest.mark.parametrize("encoder", [None, {"standardise": True}], ids=str)
@pytest.mark.parametrize(
    "model",
    [
        rb.BayesPerceptron(),
        rb.BayesPerceptron("diagonal", class_weight="balanced"),
        rb.BinaryBayesPerceptron(),
        rb.OnlinePerceptron(rb.rules.PassiveAggressive()),
        rb.BinaryPerceptron(binarise=0.5, threshold="least error"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_tables_go_in_by_column(model, encoder, tmp_path):
    frame, y = table(0)
    model = clone(model)
    if encoder is None:
        model.fit(frame, y)
    else:
        made = rb.TableEncoder(**encoder)
        model.fit(made.fit_transform(frame), y)
        model.encoder_ = made
    run = exported(model, tmp_path)
    assert {one.name for one in run.get_inputs()} == set(frame.columns)
    later, _ = table(1, unseen=True)
    compare(model, run, later, given(later))


def test_columns_that_cannot_be_exported_are_named(tmp_path):
    path = tmp_path / "model.onnx"
    words = [f"{i} and {i * i} and other words" for i in range(100)]
    frame = DataFrame({"size": np.arange(100.0), "notes": words})
    model = rb.BayesPerceptron().fit(frame, np.arange(100) % 2)
    for export in (rb.export_onnx, rb.export_c):
        with pytest.raises(
            ValueError, match=r"text columns .* got 'notes'; leave it out"
        ):
            export(model, path)
    frame = DataFrame({"label": ["a", "b"] * 9, "size": np.arange(18.0)})
    model = rb.BayesPerceptron().fit(frame, np.arange(18) % 2)
    with pytest.raises(ValueError, match="must not have a column 'label'"):
        rb.export_onnx(model, path)
    assert not path.exists()


@pytest.mark.parametrize("horizon", [None, 1])
def test_probabilities_are_for_the_horizon(horizon, tmp_path):
    random = np.random.default_rng(9)
    X = random.standard_normal((2000, 4))
    y = X[:, 0] * np.where(np.arange(2000) < 1900, 1, -1) > 0
    model = rb.BayesPerceptron(horizon=horizon).fit(X, y)
    compare(model, exported(model, tmp_path), X[:99], X[:99])
