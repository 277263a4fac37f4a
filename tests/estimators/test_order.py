import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris

import rosenblatt as rb
from rosenblatt.estimators.inputs import LabelRuns

WORDS = "changes in 150 rows: 2, in random order 100; shuffle"
MODELS = [rb.BayesPerceptron, rb.BinaryBayesPerceptron, rb.OnlinePerceptron]


def test_changes_are_those_of_the_whole_stream_however_it_is_cut():
    codes = np.random.default_rng(0).integers(3, size=200)
    whole, pieces = LabelRuns().add(codes), LabelRuns()
    for piece in np.split(codes, [0, 1, 70, 71, 200]):
        pieces.add(piece)
    assert pieces.changes == whole.changes == np.count_nonzero(np.diff(codes))
    assert pieces.expected == whole.expected


def test_the_expected_number_is_the_mean_over_random_orders():
    """A number that is off by 0.2 of 28.6 is caught."""
    rng, codes = np.random.default_rng(0), np.repeat([0, 1, 2], [30, 15, 5])
    found = [np.count_nonzero(np.diff(rng.permutation(codes))) for _ in range(5000)]
    spread = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found) - LabelRuns().add(codes).expected) < 5 * spread


@pytest.mark.parametrize("model", MODELS)
def test_fit_warns_of_sorted_labels_where_it_was_called(model):
    X, y = load_iris(return_X_y=True)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model().fit(X, y)
    (warning,) = [one for one in told if "long runs" in str(one.message)]
    assert WORDS in str(warning.message)
    assert warning.filename == __file__


@pytest.mark.parametrize("model", MODELS)
def test_random_order_few_rows_and_pieces_of_a_stream_give_no_warning(model):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model().fit(X[order], y[order])
        model().fit(X[20:80], y[20:80])
        model().partial_fit(X, y, classes=[0, 1, 2])
    assert not told


def test_a_shuffled_pass_gives_no_warning():
    model = rb.OnlinePerceptron(shuffle=True, random_state=0)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.fit(*load_iris(return_X_y=True))
    assert not told


def test_train_warns_of_a_sorted_file(tmp_path):
    rows = [f"{x:.3f},{int(i >= 300)}" for i, x in enumerate(np.arange(600) % 7)]
    (tmp_path / "sorted.csv").write_text("\n".join(["x,y", *rows]))
    with pytest.warns(UserWarning, match=r"in 600 rows: 1, in random order 300;"):
        rb.train(tmp_path / "sorted.csv", "y", batch_rows=64)
    np.random.default_rng(0).shuffle(rows)
    (tmp_path / "mixed.csv").write_text("\n".join(["x,y", *rows]))
    rb.train(tmp_path / "mixed.csv", "y", batch_rows=64)
