import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.estimators.inputs.single_rows import single_row_code

ROW = np.zeros((1, 2))


@pytest.fixture(scope="module")
def model():
    X = np.array([[0.0, 1.0], [1.0, 0.0]])
    return rb.OnlinePerceptron().partial_fit(X, ["no", "yes"])


def test_a_plain_row_has_the_code_of_its_label(model):
    assert single_row_code(model, ROW, ["yes"], None, None).tolist() == [1]


@pytest.mark.parametrize(
    ("X", "y", "classes", "weight"),
    [
        (ROW, ["other"], None, None),
        (ROW, [["list"]], None, None),
        (ROW, ["yes", "no"], None, None),
        (ROW, ["yes"], ["no", "yes"], None),
        (ROW, ["yes"], None, [2]),
        (np.zeros((1, 3)), ["yes"], None, None),
        (ROW.astype(int), ["yes"], None, None),
        (ROW.tolist(), ["yes"], None, None),
        (np.zeros((1, 4))[:, ::2], ["yes"], None, None),
    ],
)
def test_any_other_row_takes_the_usual_path(model, X, y, classes, weight):
    assert single_row_code(model, X, y, classes, weight) is None


def test_a_model_before_its_first_row_has_no_codes():
    assert single_row_code(rb.OnlinePerceptron(), ROW, ["yes"], None, None) is None
