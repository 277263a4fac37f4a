import numpy as np
import pytest

from rosenblatt.training.distributed.file_pieces import file_pieces
from rosenblatt.training.settings import Settings
from tests.tables.examples import table, write


@pytest.fixture
def paths(tmp_path):
    arrays = tmp_path / "x.npy"
    np.save(arrays, np.column_stack([np.arange(50.0), np.arange(50) % 3]))
    return [str(arrays), str(write(table(40), tmp_path / "y.csv"))]


def test_arrays_are_cut_and_text_is_not(paths):
    arrays = file_pieces(Settings.of(paths[:1], "1", {"batch_rows": 10}), 20)
    assert [(piece.first, piece.stop) for piece in arrays] == [
        (0, 20),
        (20, 40),
        (40, None),
    ]
    assert str(arrays[1]).endswith("x.npy, rows from 20")
    (text,) = file_pieces(Settings.of(paths[1:], "won", {}), 20)
    assert (text.first, text.stop, str(text)) == (0, None, paths[1])


def test_a_piece_has_the_labels_of_its_own_rows(paths):
    pieces = file_pieces(Settings.of(paths[:1], "1", {"batch_rows": 2}), 2)
    assert [piece.labels().tolist() for piece in pieces[:2]] == [["0", "1"], ["0", "2"]]
