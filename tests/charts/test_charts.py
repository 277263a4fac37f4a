import json
import math

import pytest

from rosenblatt.charts.charts import bokeh_script, chart
from rosenblatt.core.figures import FigureData, Picture, Series, styles


def figure(*series, **options):
    return FigureData("title", "caption", "x", "y", series, **options)


def parts(data, kind):
    """Return attributes of all models of a kind in a chart."""
    found = []

    def look(value):
        if isinstance(value, dict):
            if value.get("name") == kind and "attributes" in value:
                found.append(value["attributes"])
            for entry in value.values():
                look(entry)
        elif isinstance(value, list):
            for entry in value:
                look(entry)

    look(json.loads(chart(data)))
    return found


LINE = Series("line", [1, 10], [0.5, 0.1], "theory", low=[0.0, 0.05], high=[0.6, 0.2])
POINTS = Series(
    "points", [2, 5], [0.4, 0.2], "simulation", [0.3, 0.1], [0.5, 0.3], "points"
)
STEPS = Series("steps", [1, 2, 3], [1, 2, 1], "simulation", shape="steps")


def test_what_a_series_looks_like_is_what_is_drawn_on_paper():
    data = figure(LINE, POINTS, STEPS)
    (line, points, steps) = (look for _, look in styles(data))
    drawn = parts(data, "Line")[0]
    assert drawn["line_color"] == line.colour
    assert drawn["line_dash"] == [6]  # as Bokeh writes "dashed"
    assert line.dash == "dashed"
    circle = {"value": "circle"}  # which Bokeh does not say
    marks = [mark.get("marker", circle)["value"] for mark in parts(data, "Scatter")]
    assert set(marks) == {points.mark}
    assert len(parts(data, "VArea")) >= 1
    assert len(parts(data, "Segment")) >= 1
    assert parts(data, "Step")[0]["mode"] == "center"
    assert steps.steps


def test_logarithmic_axes_are_logarithmic_and_bands_end_with_them():
    data = figure(LINE, x_log=True, y_log=True)
    assert len(parts(data, "LogAxis")) == 2
    columns = dict(parts(data, "ColumnDataSource")[0]["data"]["entries"])
    ends = parts(data, "Range1d")[1]
    assert columns["low"][0] == pytest.approx(ends["start"])
    assert 0 < ends["start"] < 0.05
    assert ends["end"] > 0.6


def test_a_short_logarithmic_axis_has_ticks_that_do_not_overlap():
    wide = Series("wide", [1, 3000], [0.5, 0.1], "theory")
    (ticker,) = parts(figure(wide, x_log=True, y_log=True), "FixedTicker")
    shown = [tick for tick in ticker["ticks"] if 0.1 <= tick <= 0.5]
    assert shown == [0.1, 0.2, 0.5]
    assert parts(figure(wide), "FixedTicker") == []


def test_all_that_belongs_to_a_series_has_its_number():
    names = [r.get("name") for r in parts(figure(LINE, POINTS), "GlyphRenderer")]
    assert names == ["0", "0", "1", "1"]


def test_gaps_are_kept():
    nan = math.nan
    data = figure(Series("two lines", [1, nan, 2], [1, nan, 2], "theory"))
    assert '"nan"' in chart(data)


def test_pictures_have_scales_of_their_own():
    data = FigureData(
        "t", "c", "", "", (), pictures=(Picture("a", [[1, -3]]), Picture("b", [[0.0]]))
    )
    ends = [(m["low"], m["high"]) for m in parts(data, "LinearColorMapper")]
    assert ends == [(-3, 3), (-1, 1)]


def test_a_chart_is_the_same_at_every_call_and_shares_no_names_with_another():
    assert chart(figure(LINE)) == chart(figure(LINE))
    one, other = (json.loads(chart(figure(s)))["root_id"] for s in (LINE, STEPS))
    assert one != other


def test_one_value_is_in_the_middle_of_an_axis():
    ends = parts(figure(Series("one", [2], [0.5], "theory"), y_log=True), "Range1d")
    assert ends[0] == {"start": 1.5, "end": 2.5}
    assert ends[1]["start"] < 0.5 < ends[1]["end"]


def test_the_library_can_be_put_into_a_page():
    script = bokeh_script()
    assert "</script" not in script.lower()
    assert len(script) > 1e6
