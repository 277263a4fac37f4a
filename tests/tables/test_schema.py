import pytest

from rosenblatt.tables import Column, check_columns, choose, open_table, target_of


@pytest.fixture
def opened(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,side,won\n1,left,0\n2,right,1\n")
    return open_table(str(path))


KINDS = [Column("a", "number"), Column("side", "text"), Column("won", "number")]


def test_columns_are_chosen_by_their_kinds(opened):
    assert choose(opened, KINDS, "won")[:3] == (("a",), ("side",), "won")
    found = choose(opened, KINDS, "won", categorical=["a"], ignore=["side"])
    assert found[:3] == ((), ("a",), "won")


def test_wrong_choices_are_named(opened):
    with pytest.raises(ValueError, match="numeric must not have the target, 'won'"):
        choose(opened, KINDS, "won", numeric=["won"])
    with pytest.raises(ValueError, match="has no column besides the target"):
        choose(opened, KINDS, "won", ignore=["a", "side"])
    odd = [*KINDS[:2], Column("when", "date32[day]"), KINDS[2]]
    with pytest.raises(ValueError, match=r"'when': date32\[day\] is neither number"):
        choose(opened, odd, "won")


def test_columns_that_are_not_there_are_named(opened):
    check_columns(opened, ["a", "won"])
    with pytest.raises(ValueError, match="no column 'z'; it has 'a', 'side', 'won'"):
        check_columns(opened, ["z"])
    with pytest.raises(ValueError, match="no column 'z'"):
        target_of(opened, "z")


def test_columns_without_names_count_from_the_end_too(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("1,left,0\n")
    opened = open_table(str(path), header=False)
    assert target_of(opened, "-1") == target_of(opened, "2") == "2"
    with pytest.raises(ValueError, match="no column '-4'"):
        target_of(opened, "-4")
