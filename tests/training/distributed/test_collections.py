import numpy as np
import pytest

from rosenblatt.training.distributed.collections import (
    Subgraph,
    collection_pieces,
    delayed_piece,
)

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

X, Y = np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 1, 0])


def test_every_chunk_of_rows_is_a_piece():
    pieces = collection_pieces(
        da.from_array(X, chunks=(4, 1)), da.from_array(Y, chunks=2), None
    )
    assert [piece.number for piece in pieces] == [0, 1]
    rows, labels, weights = next(pieces[1].batches())
    np.testing.assert_array_equal(rows, X[4:])
    np.testing.assert_array_equal(labels, Y[4:])
    assert weights is None
    assert pieces[1].labels().tolist() == [0, 1]


def test_a_piece_holds_the_part_of_the_graph_that_it_needs():
    table = da.from_array(X, chunks=(1, 2)) + 1
    (block,) = table.to_delayed()[2]
    part = Subgraph.of(dict(block.__dask_graph__()), [block.key])
    assert len(part.graph) < len(dict(block.__dask_graph__()))
    np.testing.assert_array_equal(part(), X[2:3] + 1)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "y must be given"),
        ("won", "y must be a column of X"),
        (da.ones(5, chunks=5), "y must have 6 rows as X has, got 5"),
        (da.ones((6, 2), chunks=6), "y must be one column"),
    ],
)
def test_wrong_labels_are_explained(labels, message):
    with pytest.raises(ValueError, match=message):
        collection_pieces(da.from_array(X, chunks=(3, 2)), labels, None)


def test_a_delayed_pair_is_a_piece():
    piece = delayed_piece(2, dask.delayed((X, Y)))
    assert (str(piece), piece.labels().tolist()) == ("piece 2", [0, 1])
