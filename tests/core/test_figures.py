import pytest

from rosenblatt.core.figures import (
    FigureData,
    Picture,
    Series,
    TableData,
    comma_separated,
)


def line(name="a", **fields):
    return Series(name, [1, 2], [3, 4], "theory", **fields)


def test_a_series_is_a_value():
    assert line() == line()
    assert hash(line()) == hash(line())


def test_a_band_needs_both_ends():
    with pytest.raises(ValueError, match="both low and high"):
        line(low=[1, 2])


@pytest.mark.parametrize("y", [[], [1.0], [1.0, 2.0, 3.0]])
def test_lengths_must_match(y):
    with pytest.raises(ValueError, match="one number per point"):
        Series("a", [1.0, 2.0], y, "theory")


def test_an_empty_series_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        Series("a", [], [], "theory")


def test_a_figure_needs_series_of_different_names():
    with pytest.raises(ValueError, match="at least one series"):
        FigureData("t", "c", "x", "y", ())
    with pytest.raises(ValueError, match="different names"):
        FigureData("t", "c", "x", "y", (line(), line()))


def test_rows_hold_every_point_of_every_series():
    data = FigureData(
        "t", "c", "x", "y", (line("a", low=[2, 3], high=[4, 5]), line("b"))
    )
    assert data.rows() == [
        ("series", "role", "x", "y", "low", "high"),
        ("a", "theory", 1.0, 3.0, 2.0, 4.0),
        ("a", "theory", 2.0, 4.0, 3.0, 5.0),
        ("b", "theory", 1.0, 3.0, None, None),
        ("b", "theory", 2.0, 4.0, None, None),
    ]


def test_rows_of_a_table_must_fit_its_columns():
    with pytest.raises(ValueError, match="must have 2 cells"):
        TableData("t", "c", ("a", "b"), ((1,),))


def test_shapes_have_names():
    assert line(shape="steps").shape == "steps"
    with pytest.raises(ValueError, match="line, points, steps, got 'dots'"):
        line(shape="dots")


def test_pictures_are_rows_of_numbers_and_stand_alone():
    picture = Picture("a", [[1, 2], [3, 4]])
    assert hash(picture) == hash(Picture("a", ((1.0, 2.0), (3.0, 4.0))))
    data = FigureData("t", "c", "", "", (), pictures=(picture,))
    assert data.rows()[:3] == [
        ("picture", "row", "column", "value"),
        ("a", 0, 0, 1.0),
        ("a", 0, 1, 2.0),
    ]
    for pixels in ([], [[]], [[1], [1, 2]]):
        with pytest.raises(ValueError, match="rows of one length"):
            Picture("a", pixels)
    with pytest.raises(ValueError, match="or else pictures"):
        FigureData("t", "c", "x", "y", (line(),), pictures=(picture,))


def test_figures_of_both_kinds_become_tables():
    line = FigureData("t", "c", "x", "y", (Series("s", [1], [2], "theory"),))
    assert comma_separated(line).splitlines()[1] == b"s,theory,1.0,2.0,,"
    pixels = FigureData("t", "c", "x", "y", (), pictures=(Picture("p", [[1]]),))
    assert comma_separated(pixels).splitlines()[1] == b"p,0,0,1.0"


def test_csv_keeps_all_digits_and_quotes():
    data = TableData("t", "c", ("a, b", "c"), ((0.1 + 0.2, None),))
    text = comma_separated(data).decode()
    assert text == '"a, b",c\n0.30000000000000004,\n'
