import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training.distributed.pieces import DataPiece, rows_of

X, Y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 2, 1])


def test_rows_come_from_pairs_functions_and_iterators():
    for source in (
        (X, Y),
        lambda: (X, Y),
        lambda: iter([(X[:3], Y[:3]), (X[3:], Y[3:])]),
    ):
        piece = DataPiece(0, source)
        assert sum(rows_of(rows) for rows, _, _ in piece.batches()) == 4
        assert piece.labels().tolist() == [0, 1, 2]


def test_rows_of_weight_zero_have_no_label():
    piece = DataPiece(0, (X, Y, np.array([1.0, 1.0, 0.0, 1.0])))
    assert piece.labels().tolist() == [0, 1]


def test_values_that_a_piece_waits_for_become_its_source():
    waiting = DataPiece(3, None, waiting=("x", "y"))
    assert waiting.waits_for == ("x", "y")
    assert waiting.filled((X, Y)).source == (X, Y)
    shifted = DataPiece(3, lambda pair: (pair[0] + 1, pair[1]), waiting=("x",))
    ((rows, _, _),) = shifted.filled(((X, Y),)).batches()
    np.testing.assert_array_equal(rows, X + 1)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ((X, Y[:2]), "piece 7 must have as many labels as rows, got 2 and 4"),
        ((X, Y, Y, Y), "piece 7 must be a pair of rows and labels"),
        ((np.where(X == 5, np.nan, X), Y), "piece 7, row 2: "),
    ],
)
def test_errors_name_piece_and_row(source, message):
    with pytest.raises((ValueError, TypeError), match=message):
        DataPiece(7, source).learn(rb.OnlinePerceptron(), np.array([0, 1, 2]))
