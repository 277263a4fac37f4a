import pytest

from rosenblatt.core.curve_styles import COLOURS, style_of
from rosenblatt.core.figures import Series


@pytest.mark.parametrize(
    ("given", "dash", "mark", "band"),
    [
        ({"role": "theory"}, "dashed", None, "none"),
        ({"role": "simulation", "low": [1, 2], "high": [4, 5]}, "solid", None, "area"),
        ({"role": "published", "shape": "points"}, None, "square", "none"),
    ],
)
def test_the_role_chooses_dash_and_mark(given, dash, mark, band):
    style = style_of(Series("a", x=[1, 2], y=[3, 4], **given), 0)
    assert (style.dash, style.mark, style.band) == (dash, mark, band)


def test_colours_repeat_after_the_last():
    series = Series("a", x=[1, 2], y=[3, 4], role="theory")
    assert style_of(series, len(COLOURS)).colour == style_of(series, 0).colour
