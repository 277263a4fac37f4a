import pytest
from bokeh.layouts import column

from rosenblatt.core.figures import FigureData, Picture, Series
from rosenblatt.lab.curves.paper_figures import draw, show
from tests.laboratory import browser, finished, opened, servers, visit

__all__ = ["browser", "opened", "servers", "visit"]  # fixtures


@pytest.mark.parametrize("shape", ["line", "points", "steps"])
def test_every_shape_of_series_is_drawn_with_its_name(shape):
    series = Series(
        "error $e$", [1, 10], [0.5, 0.1], "theory", [0.4, 0.05], [0.6, 0.2], shape
    )
    figure = FigureData(
        "A <figure>", "At N^2 too.", "1/alpha", "error", (series,), True, True
    )
    title, plot, caption = draw(figure).children
    assert title.text == "<strong>A &lt;figure&gt;</strong><p>error</p>"
    assert [item.label["value"] for item in plot.legend[0].items] == ["error e"]
    assert plot.xaxis[0].axis_label == "1/\u03b1"
    assert 0.2 in plot.yaxis[0].ticker.ticks  # as in the report
    assert caption.text.startswith("At <math><msup><mi>N</mi>")


def test_pictures_are_side_by_side():
    pictures = tuple(Picture(str(k), [[k, -1.0], [0.5, 1.0]]) for k in range(3))
    figure = FigureData("Pictures", "Some.", "", "", (), pictures=pictures)
    _, row, _ = draw(figure).children
    assert [plot.title.text for plot in row.children] == ["0", "1", "2"]


def test_lines_that_are_there_grow_and_others_are_drawn_anew():
    def figure(name, *points):
        line = Series(name, [*points], [*points], "simulation")
        return FigureData("A figure", "It grows.", "time", "error", (line,))

    place = column()
    show(place, figure("a", 1, 2))
    (drawn,) = place.children
    show(place, figure("a", 1, 2, 3))
    assert place.children == [drawn]
    (line,) = place.select({"name": "0"})
    assert list(line.data_source.data["x"]) == [1, 2, 3]
    for other in (figure("b", 1, 2), figure("b", 1)):
        before = place.children
        show(place, other)
        assert place.children != before
    place.children = []  # another run of the same experiment
    show(place, figure("b", 1))
    assert place.children


@pytest.mark.slow
def test_a_figure_of_a_paper_is_typeset_fits_on_a_phone_and_is_seen_in_the_dark(opened):
    page = opened("figure=barkai1995/excess", width=390, color_scheme="dark")
    finished(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.get_by_text("Error of the regular rule").locator("math").count() == 1
    assert page.get_by_text("error above").locator("math").count() == 1
    black = """colour => [...Bokeh.documents[0]._all_models.values()]
        .filter(m => m.type === "GlyphRenderer")
        .some(m => (m.glyph.line_color?.value ?? m.glyph.line_color) === colour)"""
    page.wait_for_function(black, arg="#f5f5f5")
    assert not page.evaluate(black, "#000000")
