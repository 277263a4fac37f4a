"""Tables as people have them: at least as accurate as the way through scikit-learn."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix, hstack
from sklearn import metrics
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction import FeatureHasher
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

import rosenblatt as rb
from tests.training.mixed_table import mixed_table, write_mixed
from tests.training.running import learn

ROWS = 20_000
NUMBERS = [f"x{j}" for j in range(14)]
FEW = ["plan", "region", "device", "month"]


def left_out(*names):
    return dict.fromkeys(names, "ignore")


def filled(table):
    """Numbers of the table, with the mean of the first batch for gaps, and marks."""
    columns = []
    for name in NUMBERS:
        text = table[name].astype(str)
        gone = (text == "") | (text == "NA")
        number = np.where(gone, "nan", text).astype(float)
        columns.append(np.where(gone, np.nanmean(number[:8192]), number))
        if gone.any():
            columns.append(gone)
    return np.column_stack(columns)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("mixed") / "t.csv"
    return write_mixed(path, ROWS), mixed_table(ROWS)


def log_loss(model, X, y):
    model.partial_fit(X, y, classes=["no", "yes"])
    return -model.log_evidence_[0] / len(y)


def one_hot(table):
    """Features of numbers and few categories, as scikit-learn makes them."""
    few = np.column_stack([table[name] for name in FEW])
    numbers = filled(table)
    both = np.column_stack([numbers.astype(object), few])
    width = numbers.shape[1]
    route = ColumnTransformer(
        [
            ("numbers", FunctionTransformer(), list(range(width))),
            ("few", OneHotEncoder(sparse_output=False), list(range(width, width + 4))),
        ]
    )
    return route.fit_transform(both).astype(float)


def loss_of(run):
    return run.record.metrics.log_loss / run.record.metrics.rows


def test_few_categories_are_as_accurate_as_one_hot_encoding(made):
    path, table = made
    peer = log_loss(rb.BayesPerceptron(), one_hot(table), table["churned"])
    ours = learn(path, "churned", columns=left_out("id", "zip", "signed_up"))
    assert not ours.encoder.hashed_columns
    assert loss_of(ours) <= peer + 1e-3
    # a date with a weekend in it is worth something
    dated = learn(path, "churned", columns=left_out("id", "zip"))
    assert loss_of(dated) < loss_of(ours) - 1e-3


def test_rows_held_out_are_predicted_as_well_as_by_the_other_way(made):
    """Both models learn the same rows, and are evaluated on the same other rows."""
    path, table = made
    X, y = one_hot(table), table["churned"]
    ours = learn(
        path,
        "churned",
        columns=left_out("id", "zip", "signed_up"),
        holdout_last=0.2,
    )
    first, test = ours.record.rows, ours.record.test
    assert first + test.rows == ROWS
    assert 0.15 * ROWS < test.rows < 0.25 * ROWS
    peer = rb.BayesPerceptron().fit(X[:first], y[:first])
    chances = peer.predict_proba(X[first:])
    loss = metrics.log_loss(y[first:], chances, labels=peer.classes_)
    area = metrics.roc_auc_score(y[first:] == "yes", chances[:, 1])
    known = test.evaluation(["no", "yes"])
    assert known["log_loss"] <= loss + 1e-3
    assert known["auc"] >= area - 2e-3
    assert known["error"] <= np.mean(peer.predict(X[first:]) != y[first:]) + 2e-3


def test_many_categories_are_as_accurate_as_hashing_standardised_numbers(made):
    path, table = made
    names = [*FEW, "zip"]
    rows = zip(*(table[name] for name in names), strict=True)
    words = [[f"{n}={v}" for n, v in zip(names, r, strict=True)] for r in rows]
    scaler = StandardScaler().fit(filled(table)[:8192])
    hashed = FeatureHasher(2**14, input_type="string").transform(words)
    X = csr_matrix(hstack([scaler.transform(filled(table)), hashed]))
    peer = log_loss(rb.BayesPerceptron(), X, table["churned"])
    ours = learn(path, "churned", columns=left_out("id", "signed_up"))
    assert ours.encoder.hashed_columns
    assert loss_of(ours) <= peer + 1e-3
    assert "zip=z0" in ours.encoder.names
