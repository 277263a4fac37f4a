import numpy as np
import pytest
from sklearn import metrics as peer

from rosenblatt.training.record import Metrics, class_costs, decide
from rosenblatt.training.report import evaluation


def drawn(rows, classes, seed=0):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(classes), rows)
    codes = (shares.cumsum(axis=1) > rng.random((rows, 1))).argmax(axis=1)
    return codes, shares.argmax(axis=1), shares


def test_metrics_are_those_of_scikit_learn():
    codes, predicted, shares = drawn(4000, 2)
    found = Metrics.of(codes[:1000], predicted[:1000], 2, shares[:1000])
    found.add(Metrics.of(codes[1000:], predicted[1000:], 2, shares[1000:]))
    known = evaluation(found, ["no", "yes"])
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
    groups = evaluation(Metrics.of(codes, predicted, 2, shares), [0, 1])["calibration"]
    assert sum(group["rows"] for group in groups) == 20_000
    for group in groups:
        p, rows = group["predicted"], group["rows"]
        assert abs(group["observed"] - p) < 5 * np.sqrt(p * (1 - p) / rows) + 0.01


def test_more_classes_and_weights_count():
    codes, predicted, shares = drawn(500, 3)
    weights = np.arange(500) % 3
    one = evaluation(Metrics.of(codes, predicted, 3, shares, weights), "abc", [1, 2, 3])
    many = np.repeat(np.arange(500), weights)
    two = evaluation(
        Metrics.of(codes[many], predicted[many], 3, shares[many]), "abc", [1, 2, 3]
    )
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
    shares = np.array([[0.9, 0.1], [0.6, 0.4]])
    costs = class_costs({"yes": 4}, ["no", "yes"])
    assert decide(shares, costs).tolist() == [0, 1]
    wanted = "costs must be of the labels no, yes, got 'si'"
    with pytest.raises(ValueError, match=wanted):
        class_costs({"si": 2}, ["no", "yes"])
