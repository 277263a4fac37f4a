import numpy as np
import pytest
from sklearn import metrics as peer

import rosenblatt as rb
from rosenblatt.training.record import Classify, Metrics, Numbers, Regress


def drawn(rows, classes, seed=0):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(classes), rows)
    codes = (shares.cumsum(axis=1) > rng.random((rows, 1))).argmax(axis=1)
    return codes, shares.argmax(axis=1), shares


def test_metrics_are_those_of_scikit_learn():
    codes, predicted, shares = drawn(4000, 2)
    found = Metrics.of(codes[:1000], predicted[:1000], 2, shares[:1000])
    found.add(Metrics.of(codes[1000:], predicted[1000:], 2, shares[1000:]))
    known = found.evaluation(["no", "yes"])
    assert known["error"] == pytest.approx(1 - peer.accuracy_score(codes, predicted))
    assert known["log_loss"] == pytest.approx(peer.log_loss(codes, shares))
    assert known["f1"] == pytest.approx(peer.f1_score(codes, predicted))
    assert known["recall"] == pytest.approx(peer.recall_score(codes, predicted))
    # bins of 0.05 in log-odds make ties
    area = peer.roc_auc_score(codes, shares[:, 1])
    assert known["auc"] == pytest.approx(area, abs=2e-4)
    table = [list(row.values()) for row in known["confusion"].values()]
    assert table == peer.confusion_matrix(codes, predicted).tolist()


def test_calibrated_predictions_look_calibrated():
    codes, predicted, shares = drawn(20_000, 2, seed=1)
    found = Metrics.of(codes, predicted, 2, shares)
    groups = found.evaluation([0, 1])["calibration"]
    assert sum(group["rows"] for group in groups) == 20_000
    for group in groups:
        p, rows = group["predicted"], group["rows"]
        assert abs(group["observed"] - p) < 5 * np.sqrt(p * (1 - p) / rows) + 0.01


def test_more_classes_and_weights_count():
    codes, predicted, shares = drawn(500, 3)
    weights = np.arange(500) % 3
    found = Metrics.of(codes, predicted, 3, shares, weights)
    one = found.evaluation("abc", [1, 2, 3])
    many = np.repeat(np.arange(500), weights)
    found = Metrics.of(codes[many], predicted[many], 3, shares[many])
    two = found.evaluation("abc", [1, 2, 3])
    assert one.pop("log_loss") == pytest.approx(two.pop("log_loss"))
    assert one == two
    assert one["f1"] == pytest.approx(
        peer.f1_score(codes[many], predicted[many], average="macro")
    )


def test_weak_predictions_have_the_auc_of_scikit_learn():
    rng = np.random.default_rng(0)
    odds = 0.03 * rng.standard_normal(100_000)
    codes = (odds + rng.logistic(size=odds.size) > 0).astype(int)
    chance = 1 / (1 + np.exp(-odds))
    both = np.column_stack([1 - chance, chance])
    exact = peer.roc_auc_score(codes, chance)
    found = Metrics.of(codes, (odds > 0).astype(int), 2, both).auc
    # Bins of 0.01 hide 0.5% of the excess over 1/2, those of 0.05 about 12%.
    assert abs(found - exact) < 0.02 * (exact - 0.5)


def test_costs_decide_and_are_of_known_labels():
    X, y = np.array([[0.0], [1.0]] * 20), np.array(["no", "yes"] * 20)
    model = rb.BayesPerceptron().fit(X, y)
    rows = np.linspace(-1, 2, 50)[:, None]
    dear = Classify(("no", "yes"), {"yes": 4})
    found = next(dear.columns(model, dear.law(model, rows))) == "yes"
    assert found.tolist() == (model.predict_proba(rows)[:, 1] > 0.2).tolist()
    wanted = "costs must be of the labels no, yes, got 'si'"
    with pytest.raises(ValueError, match=wanted):
        Classify(("no", "yes"), {"si": 2}).check(model, "bayes")


def test_sums_over_numbers_are_those_of_all_rows():
    random = np.random.default_rng(0)
    X, weights = random.standard_normal((400, 3)), random.integers(0, 6, 400) / 2
    y = X[:, 0] + 0.5 * random.standard_normal(400) + 1e6
    model = rb.BayesRegressor().fit(X[:100], y[:100])
    total = Numbers()
    for part in (slice(100, 150), slice(150, 400)):
        law = model.predict_law(X[part])
        total.add(Regress().measured(model, law, y[part], weights[part]))
    known, rows, w = total.evaluation(), X[100:], weights[100:]
    truth = {"sample_weight": w}
    assert known["rows"] == w.sum()
    error = peer.root_mean_squared_error(y[100:], model.predict(rows), **truth)
    assert known["rmse"] == pytest.approx(error, rel=1e-9)
    center = np.full(300, np.average(y[100:], weights=w))
    spread = peer.root_mean_squared_error(y[100:], center, **truth)
    assert known["mean_rmse"] == pytest.approx(spread, rel=1e-9)
    low, high = model.predict_interval(rows, 0.9).T
    inside = np.average((low < y[100:]) & (y[100:] < high), weights=w)
    assert known["coverage"] == pytest.approx(inside, abs=1.01 * w.max() / w.sum())
    logs = model.predict_law(rows).scores(y[100:]).log_density
    assert known["log_loss"] == pytest.approx(-np.average(logs, weights=w))
