import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.tables.reading import BadRowError
from rosenblatt.training import predict

ROWS = ["size,won", *(f"{i % 7},{int(i % 7 > 3)}" for i in range(70))]


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "x.csv"
    found.write_text("\n".join(ROWS))
    return found


@pytest.fixture
def trained(path):
    return rb.train(path, "won")


def test_predictions_are_those_of_the_model_with_the_truth_beside(trained, path):
    (part,) = predict(trained, path, proba=True)
    sizes = np.array([[i % 7] for i in range(70)], float)
    assert part.columns["prediction"] == trained.predict(sizes).tolist()
    shares = np.column_stack([part.columns["p(0)"], part.columns["p(1)"]])
    np.testing.assert_array_equal(shares, trained.predict_proba(sizes))
    y = np.array([int(i % 7 > 3) for i in range(70)])
    loss = -np.log(shares[np.arange(70), y]).sum()
    assert part.metrics.labels == [40, 30]
    assert part.metrics.log_loss == pytest.approx(loss)


def test_a_bad_row_stops_or_leaves_a_gap(trained, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("size\n1\nlarge\n6\n")
    with pytest.raises(BadRowError, match=r"bad\.csv, row 3"):
        list(predict(trained, path))
    (part,) = predict(trained, path, on_error="skip", proba=True)
    assert part.columns["prediction"] == [0, None, 1]
    assert part.columns["p(1)"][1] is None
    assert len(part.bad) == 1


def test_probabilities_need_a_model_that_has_them(path):
    perceptron = rb.train(path, "won", model="perceptron")
    with pytest.raises(ValueError, match="OnlinePerceptron gives no probabilities"):
        predict(perceptron, path, proba=True)
