from rosenblatt.cli.tables.options import delimiter_of


def test_a_tab_has_a_name():
    assert [delimiter_of(text) for text in ("tab", "|", None)] == ["\t", "|", None]
