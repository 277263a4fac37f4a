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


@pytest.mark.parametrize("y", [[], [1.0], [1.0, 2.0, 3.0]])
def test_lengths_must_match(y):
    with pytest.raises(ValueError, match="one number per point"):
        Series("a", [1.0, 2.0], y, "theory")


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


def test_csv_keeps_all_digits_and_quotes():
    data = TableData("t", "c", ("a, b", "c"), ((0.1 + 0.2, None),))
    text = comma_separated(data).decode()
    assert text == '"a, b",c\n0.30000000000000004,\n'
