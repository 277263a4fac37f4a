import pytest

from rosenblatt.tables import Column, check_columns, choose, open_table, target_of


@pytest.fixture
def opened(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,side,won\n1,left,0\n2,right,1\n")
    return open_table(str(path))


KINDS = [Column("a", "number"), Column("side", "text"), Column("won", "number")]


def test_columns_are_chosen_by_their_kinds(opened):
    found = choose(opened, KINDS, "won")
    assert found.columns[:3] == (("a",), ("side",), "won")
    assert found.kinds == ("",)
    found = choose(opened, KINDS, "won", {"a": "categorical", "side": "ignore"})
    assert found.columns[:3] == ((), ("a",), "won")
    assert found.kinds == ("category",)
    found = choose(opened, KINDS, "won", {"a": "weight", "side": "dates"})
    assert found.columns[:2] == (("a",), ("side",))
    assert found.kinds == ("date",)


def test_wrong_choices_are_named(opened):
    with pytest.raises(ValueError, match="numeric must not have the target, 'won'"):
        choose(opened, KINDS, "won", {"won": "numeric"})
    with pytest.raises(ValueError, match="has no column besides the target"):
        choose(opened, KINDS, "won", {"a": "ignore", "side": "ignore"})
    odd = [*KINDS[:2], Column("when", "duration[s]"), KINDS[2]]
    with pytest.raises(ValueError, match=r"'when': duration\[s\] is neither number"):
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


def test_another_delimiter_is_suggested(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a;won\n1;0\n")
    with pytest.raises(ValueError, match=r"it has 'a;won'; is ';' its delimiter\?"):
        target_of(open_table(str(path)), "won")
    assert target_of(open_table(str(path), delimiter=";"), "won") == "won"


def test_a_missing_header_is_suspected(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("1.5,left,0\n")
    with pytest.raises(ValueError, match=r"first line a row\? then take --no-header"):
        target_of(open_table(str(path)), "won")
