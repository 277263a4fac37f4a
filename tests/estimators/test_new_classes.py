"""Classes that were not announced are learned from their first row on."""

import numpy as np
import pytest
from sklearn.base import clone

from rosenblatt.estimators import BayesPerceptron, GradientPerceptron, OnlinePerceptron
from rosenblatt.models import load_model, save_model
from rosenblatt.rules import PassiveAggressive
from rosenblatt.schedules import Power
from tests.conformance.estimators import state

MODELS = {
    "bayes": BayesPerceptron(),
    "diagonal": BayesPerceptron("diagonal", half_life=50),
    "online": OnlinePerceptron(PassiveAggressive(), Power(1.0, 0.5)),
    "gradient": GradientPerceptron(presentation="fixed"),
}
NAMES = np.array(["pear", "fig", "apple", "quince"])  # not in their order
CENTRES = 2.0 * np.array([[1, 1, 0], [-1, 1, 1], [1, -1, 1], [-1, -1, -1]])


def stream(rows=400, seed=0):
    """Three classes, and from the middle on a fourth."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, rows)
    later = np.arange(rows) > rows // 2
    codes[later & (rng.random(rows) < 0.4)] = 3
    return CENTRES[codes] + rng.standard_normal((rows, 3)), NAMES[codes]


def new(name):
    return clone(MODELS[name])


@pytest.mark.parametrize("name", MODELS)
def test_rows_in_pieces_give_the_same_model(name):
    X, y = stream()
    whole, pieces = new(name).partial_fit(X, y), new(name)
    for row in range(0, 12):
        pieces.partial_fit(X[row : row + 1], y[row : row + 1])
    for first in range(12, 400, 97):
        pieces.partial_fit(X[first : first + 97], y[first : first + 97])
    assert whole.classes_.tolist() == sorted(NAMES)
    near = {"rtol": 1e-7, "atol": 1e-9}
    np.testing.assert_allclose(
        pieces.decision_function(X), whole.decision_function(X), **near
    )
    assert np.mean(whole.predict(X[-100:]) == y[-100:]) > 0.8
    assert whole.t_ == 400


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("second", ["a", "z"])
def test_of_two_classes_the_model_is_that_of_announced_ones(name, second):
    """The second may come before or after the first in the alphabet."""
    X, _ = stream()
    y = np.where(X[:, 0] > 0, "m", second)
    y[:20] = "m"
    model = new(name).partial_fit(X[:20], y[:20])
    assert set(model.predict(X)) == {"m"}
    model.partial_fit(X[20:], y[20:])
    told = new(name).partial_fit(X, y, classes=["m", second])
    scores, same = model.decision_function(X), told.decision_function(X)
    np.testing.assert_allclose(scores, same, rtol=1e-7, atol=1e-9)


def test_a_third_class_leaves_the_weights_of_two():
    X, y = stream()
    two = (y == "fig") | (y == "pear")
    model = OnlinePerceptron().partial_fit(X[two], y[two])
    before = model.coef_[0]
    model.partial_fit(X[:1] * 0.0, ["apple"])
    np.testing.assert_array_equal(model.coef_, [0 * before, -before, before])


def test_unknown_classes_have_probability_zero():
    X, y = stream()
    model = BayesPerceptron()
    shares = model.predict_then_learn(X, y)
    first = {label: np.flatnonzero(y == label)[0] for label in NAMES}
    for column, label in enumerate(model.classes_):
        assert not shares[: first[label] + 1, column].any()
        assert shares[first[label] + 1 :, column].all()
    np.testing.assert_allclose(shares[1:].sum(axis=1), 1.0)
    assert not shares[0].any()
    rows, one = [], BayesPerceptron()
    for row in range(5):
        found = one.predict_then_learn(X[row : row + 1], y[row : row + 1])
        rows.append(found[0, found[0] > 0].tolist())
    same = [share[share > 0] for share in shares[:5]]
    for found, wanted in zip(rows, same, strict=True):
        np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize("name", MODELS)
def test_labels_that_cannot_be_classes_leave_the_model_as_it_was(name):
    X, y = stream()
    told = new(name).partial_fit(X, y, classes=NAMES)
    open_ = new(name).partial_fit(X, y)
    for model, labels, error, message in (
        (told, ["kiwi"], ValueError, r"among classes .*, got 'kiwi'"),
        (told, [3], (TypeError, ValueError), "like those of classes|among classes"),
        (open_, [3], TypeError, "like those of classes .*, text, got 3"),
        (open_, [True], TypeError, "like those of classes .*, text, got True"),
        (new(name).fit(X, y), ["kiwi"], ValueError, "among classes .*, got 'kiwi'"),
    ):
        before = state(model)
        with pytest.raises(error, match=message):
            model.partial_fit(X[:1], labels)
        assert state(model) == before
    bad = X.copy()
    bad[-1, 0] = np.nan
    before = state(open_)
    with pytest.raises(ValueError, match="NaN"):
        open_.partial_fit(bad, np.append(y[1:], "kiwi"))
    assert state(open_) == before


def test_rows_of_weight_zero_bring_no_class():
    X, y = stream()
    times = (y != "apple").astype(int)
    for model in (BayesPerceptron(), OnlinePerceptron()):
        model.partial_fit(X, y, sample_weight=times)
        assert model.classes_.tolist() == ["fig", "pear", "quince"]


def test_models_with_other_classes_merge():
    X, y = stream()
    parts = []
    for left_out in ("apple", "pear"):
        own = y != left_out
        parts.append(BayesPerceptron().partial_fit(X[own], y[own]))
    announced = BayesPerceptron().partial_fit(X, y, classes=NAMES)
    with pytest.raises(ValueError, match="same classes_"):
        announced.merge(parts[0])
    merged = parts[0].merge(parts[1])
    assert merged.classes_.tolist() == sorted(NAMES)
    assert merged.t_ == np.sum(y != "apple") + np.sum(y != "pear")
    X, y = stream(seed=1)
    assert merged.score(X, y) > announced.score(X, y) - 0.05


@pytest.mark.parametrize("name", MODELS)
def test_model_files_say_if_classes_may_appear(name, tmp_path):
    X, y = stream()
    model, told = new(name), new(name).partial_fit(X, y, classes=NAMES)
    model.partial_fit(X[:9], y[:9])
    pairs = []
    for each in (model, told):
        save_model(each, tmp_path / "m.safetensors")
        pairs.append((each, load_model(tmp_path / "m.safetensors")))
    for one in pairs[0]:
        one.partial_fit(X, y)
    scores = [one.decision_function(X) for one in pairs[0]]
    np.testing.assert_array_equal(*scores)
    with pytest.raises(ValueError, match="among classes"):
        pairs[1][1].partial_fit(X[:1], ["kiwi"])
    one = new(name).partial_fit(X[:1], y[:1])
    with pytest.raises(ValueError, match=r"classes_ must be .* two or more"):
        save_model(one, tmp_path / "m.safetensors")


def test_class_weights_may_name_classes_that_come_later():
    X, y = stream()
    model = BayesPerceptron(class_weight={"quince": 5.0})
    model.partial_fit(X[:3], y[:3]).partial_fit(X, y)
    plain = BayesPerceptron().partial_fit(X[:3], y[:3]).partial_fit(X, y)
    more = model.predict_proba(X)[:, 3] > plain.predict_proba(X)[:, 3]
    assert more.all()
