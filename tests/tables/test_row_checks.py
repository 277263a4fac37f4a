import numpy as np

from rosenblatt.tables import Columns, first_encoder
from tests.tables.reading import rows


def test_rows_that_cannot_be_learned_are_left_out_and_named():
    given = rows(
        [[1, 2], [np.nan, 2], [3, np.inf], [4, 2], [5, 2], [6, 2]],
        labels=["no", "no", "yes", None, "perhaps", "yes"],
    )
    encoder = first_encoder(given, Columns(("a", "b"), (), "won"), ["no", "yes"])
    found = encoder.encode(given)
    assert found.X.tolist() == [[1, 2], [6, 2]]
    assert found.codes.tolist() == [0, 1]
    assert [(b.line, b.kind, b.column, b.value) for b in found.bad] == [
        (11, "NaN", "a", None),
        (12, "infinite", "b", None),
        (13, "missing label", "won", None),
        (14, "unseen label", "won", "'perhaps'"),
    ]


def test_weights_that_are_no_whole_numbers_are_named():
    given = rows([[1, 2], [3, 0.5], [5, -1], [7, 0]], labels=["no", "no", "yes", "yes"])
    encoder = first_encoder(
        given, Columns(("a", "n"), (), "won"), ["no", "yes"], weighted=True
    )
    found = encoder.encode(given)
    assert found.weights.tolist() == [2, 0]
    assert [(b.line, b.column, b.value) for b in found.bad] == [
        (11, "n", "0.5"),
        (12, "n", "-1"),
    ]
