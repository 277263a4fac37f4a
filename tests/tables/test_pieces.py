import pytest

from rosenblatt.tables import cuts, open_table
from tests.tables.examples import table, write


@pytest.mark.parametrize(
    ("name", "rows", "starts"),
    [
        ("x.npy", 100, [0, 120, 240]),  # batches of 40
        ("x.npy", 1000, [0]),
        ("x.parquet", 1, [0, 120, 200]),  # groups begin at 97 and 194
        ("x.parquet", 150, [0, 200]),
        ("x.csv", 1, [0]),
        ("x.arrow", 1, [0]),
    ],
)
def test_pieces_begin_with_a_batch_and_where_it_is_cheap(name, rows, starts, tmp_path):
    given = table(290)
    del given["side"]
    assert cuts(open_table(str(write(given, tmp_path / name))), rows, 40) == starts


def test_an_empty_file_is_one_piece(tmp_path):
    for name in ("x.npy", "x.parquet"):
        given = {"a": table(0)["a"]}
        assert cuts(open_table(str(write(given, tmp_path / name))), 1, 40) == [0]
