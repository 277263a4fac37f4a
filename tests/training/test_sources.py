import pytest

from rosenblatt.training.settings import Settings
from rosenblatt.training.sources import Position, Sources
from tests.tables.examples import table, write


@pytest.fixture
def paths(tmp_path):
    return [
        str(write(table(rows, seed=rows), tmp_path / f"{rows}.csv"))
        for rows in (30, 20)
    ]


def sources(paths, **more):
    return Sources(Settings.of(paths, "won", {"batch_rows": 8} | more))


def test_batches_from_any_position_are_the_rest_of_all_batches(paths):
    found = sources(paths)
    encoder = found.encoder()
    every = list(found.batches(encoder, Position()))
    assert [len(rows.codes) for rows, _ in every] == [8, 8, 8, 6, 8, 8, 4]
    for number, (_, end) in enumerate(every):
        rest = list(sources(paths).batches(encoder, end))
        assert [one.end for one in rest] == [one.end for one in every[number + 1 :]]


def test_the_share_of_the_work_grows_to_one(paths):
    found = sources(paths)
    shares = [found.done(end) for _, end in found.batches(found.encoder(), Position())]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert found.done(Position()) == 0.0


def test_wide_tables_have_smaller_batches(tmp_path):
    wide = {f"c{k}": [1.0, 2.0] for k in range(300)} | {"won": ["a", "b"]}
    path = write(wide, tmp_path / "wide.csv")
    narrow = write(table(10), tmp_path / "narrow.csv")
    rows = [
        Sources(Settings.of([str(one)], "won", {})).batch_rows for one in (path, narrow)
    ]
    assert rows == [2048, 8192]


def test_a_target_with_one_label_is_an_error(tmp_path):
    path = write({"a": [1.0, 2.0], "won": ["x", "x"]}, tmp_path / "one.csv")
    with pytest.raises(ValueError, match=r"must have two labels or more, got \['x'\]"):
        sources([str(path)]).encoder()
