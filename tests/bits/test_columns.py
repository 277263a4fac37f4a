import numpy as np
import pytest

from rosenblatt.bits.columns import ColumnLevels
from rosenblatt.tables.batches import Texts


def column(*values):
    known = sorted({v for v in values if v is not None})
    codes = [-1 if v is None else known.index(v) for v in values]
    return Texts(known, np.array(codes, np.int32))


def test_levels_of_words_are_found_over_batches():
    coding = ColumnLevels("x.csv", ["a", "b"], {})
    batches = iter([[column("yes"), column("0")], [column("no"), column("1")]])
    assert coding.find(batches) == {"a": ("no", "yes")}
    assert coding.unknown == ["b"]  # numbers have the same levels in every file
    assert coding.high("a", column("no", "yes"), 0).tolist() == [False, True]
    assert coding.high("b", column("0", "1"), 0).tolist() == [False, True]


def test_reading_stops_once_both_words_are_known():
    coding = ColumnLevels("x.csv", ["a"], {})
    batches = iter([[column("no", "yes")], [column("never read")]])
    coding.find(batches)
    assert len(list(batches)) == 1


def test_given_levels_are_not_looked_for():
    coding = ColumnLevels("x.csv", ["a"], {"a": (2, 1)})
    assert coding.unknown == []
    assert coding.high("a", column("1", "2"), 0).tolist() == [True, False]


def test_other_entries_are_named_with_their_row():
    coding = ColumnLevels("x.csv", ["a"], {"a": ("no", "yes")})
    with pytest.raises(ValueError, match=r"x.csv: column 'a', row 12: .* got 'maybe'"):
        coding.high("a", column("no", "maybe"), 10)
    with pytest.raises(ValueError, match="row 1: must be 'no' or 'yes', got nothing"):
        coding.high("a", column(None), 0)
