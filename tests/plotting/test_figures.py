import io
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from rosenblatt.core.figures import FigureData, Picture, Series
from rosenblatt.plotting import draw, renderings


def data(**changes):
    lines = tuple(
        Series(role, [1, 10, 100], [0.5, 0.1, 0.01 * k], role, low=low, high=high)
        for k, role, low, high in (
            (1, "simulation", [0.4, 0.05, 0.005], [0.6, 0.2, 0.02]),
            (2, "theory", None, None),
            (3, "published", None, None),
        )
    )
    fields = {"x_log": True, "y_log": True} | changes
    return FigureData("title", "caption", "x", "y", lines, **fields)


def drawn(*series, **fields):
    """Return the axes of a figure of these series, with everything in its place."""
    figure = draw(FigureData("title", "caption", "x", "y", series, **fields))
    figure.draw_without_rendering()
    return figure.axes[0]


def test_the_drawing_shows_the_data():
    axes = draw(data()).axes[0]
    roles = [line.get_label() for line in axes.lines]
    assert roles == ["simulation", "theory", "published"]
    for line, series in zip(axes.lines, data().series, strict=True):
        np.testing.assert_array_equal(line.get_xydata().T, [series.x, series.y])
    assert len({line.get_linestyle() for line in axes.lines}) == 3
    assert len({line.get_color() for line in axes.lines}) == 3
    assert len(axes.collections) == 1  # the band
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")


@pytest.mark.parametrize(("count", "inside"), [(4, True), (5, False)])
def test_many_names_stand_below_the_axes(count, inside):
    axes = drawn(*(Series(str(k), [0, 1], [k, k], "theory") for k in range(count)))
    legend, frame = axes.get_legend().get_window_extent(), axes.get_window_extent()
    label = axes.xaxis.label.get_window_extent()
    assert (legend.y0 >= frame.y0) == inside
    assert (legend.y1 < label.y0) != inside
    assert 0 <= legend.y0 < legend.y1 <= axes.figure.bbox.y1


@pytest.mark.parametrize(
    ("last", "wanted"),
    [
        (1.5, ["1.05", "1.2", "1.35"]),
        (4, ["1", "2", "3", "4"]),
        (20, ["1", "2", "5", "10", "20"]),
        (300, ["1", "2", "5", "10", "20", "50", "100", "200"]),
        (1000, ["10\u2070", "10\u00b9", "10\u00b2", "10\u00b3"]),
    ],
)
def test_short_logarithmic_axes_have_plain_numbers(last, wanted):
    axis = drawn(Series("line", [1, last], [1, 2], "theory"), x_log=True).xaxis
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    shown = {
        tick.get_loc(): tick.label1.get_text()
        for tick in ticks
        if 1 <= tick.get_loc() <= last and tick.label1.get_text()
    }
    assert [text for _, text in sorted(shown.items())] == wanted


@pytest.mark.parametrize("log", [True, False])
def test_axes_are_logarithmic_if_asked(log):
    axes = draw(data(x_log=log, y_log=not log)).axes[0]
    assert axes.get_xscale() == ("log" if log else "linear")
    assert axes.get_yscale() == ("linear" if log else "log")


def test_pyplot_is_never_imported():
    code = (
        "import sys, rosenblatt.plotting; sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_points_have_bars_and_histograms_have_steps():
    ends = {"low": [2, 3], "high": [5, 6]}
    axes = drawn(
        Series("a", [1, 2], [3, 4], "simulation", shape="points", **ends),
        Series("b", [1, 2], [3, 4], "simulation", shape="steps"),
    )
    (bars,) = axes.containers
    points, _, (ends,) = bars.lines
    assert points.get_linestyle() == "None"
    reach = [segment[:, 1].tolist() for segment in ends.get_segments()]
    assert reach == [[2, 5], [3, 6]]
    assert axes.lines[-1].get_drawstyle() == "steps-mid"


def test_pictures_are_drawn_with_zero_in_the_middle():
    pictures = tuple(Picture(str(k), [[k, -1], [0, 2]]) for k in range(7))
    figure = draw(FigureData("title", "caption", "", "", (), pictures=pictures))
    shown = [axes for axes in figure.axes if axes.images]
    assert [axes.get_title() for axes in shown] == [str(k) for k in range(7)]
    (image,) = shown[6].images
    np.testing.assert_array_equal(image.get_array(), pictures[6].pixels)
    assert image.get_clim() == (-6, 6)
    assert figure.get_suptitle() == "title"


def test_bands_that_lie_over_each_other_have_different_hatches():
    axes = drawn(
        *(
            Series(str(k), [1, 2], [3, 4], "simulation", low=[2, 3], high=[5, 6])
            for k in range(3)
        )
    )
    assert len({band.get_hatch() for band in axes.collections}) == 3


def test_a_legend_that_would_cover_points_stands_below_the_axes():
    grid = np.linspace(0.0, 1.0, 30)
    xs, ys = (values.ravel().tolist() for values in np.meshgrid(grid, grid))
    axes = drawn(Series("points", xs, ys, "simulation", shape="points"))
    legend, frame = axes.get_legend().get_window_extent(), axes.get_window_extent()
    assert legend.y1 < frame.y0


def pixels(file):
    return np.asarray(Image.open(io.BytesIO(file)).convert("RGB"), dtype=int)


def test_files_are_of_their_kind_and_always_the_same():
    png, pdf = renderings(data())
    assert png.startswith(b"\x89PNG")
    assert pdf.startswith(b"%PDF")
    assert renderings(data()) == (png, pdf)


def test_the_picture_is_the_one_that_matplotlib_makes():
    slow = io.BytesIO()
    draw(data()).savefig(slow, format="png")
    wanted, found = pixels(slow.getvalue()), pixels(renderings(data())[0])
    assert found.shape == wanted.shape
    assert (found[0, 0] == 255).all()  # white stays white
    # 256 colours are a few of 255 steps away
    assert np.abs(found - wanted).max() < 50
