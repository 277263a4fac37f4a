import numpy as np

from rosenblatt.tables import Columns, first_encoder
from rosenblatt.tables.encoding.codings import Entries
from rosenblatt.tables.encoding.first_batch import moments
from rosenblatt.tables.encoding.matrices import dense, sparse
from tests.tables.reading import rows


def test_dense_and_sparse_matrices_are_the_same():
    numbers = np.array([[1.0, 0.0], [2.0, 3.0]])
    parts = [Entries(np.array([0, 1]), np.array([2, 3]), np.array([1.0, -1.0]))]
    block = dense(numbers, parts, 4, 0.5)
    assert block.tolist() == [[0.5, 0, 0.5, 0], [1, 1.5, 0, -0.5]]
    assert np.array_equal(sparse(numbers, parts, 4, 0.5).toarray(), block)


def test_moments_are_of_values_that_are_there():
    means, scales = moments(rows([[1.0, 5.0], [3.0, 5.0], [np.nan, 5.0]]))
    assert (means.tolist(), scales.tolist()) == ([2.0, 5.0], [1.0, 1.0])


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
