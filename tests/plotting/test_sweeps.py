import numpy as np
import pytest
import xarray as xr

from rosenblatt.plotting import sweep_plot


def dataset(noises=3, replicas=1):
    values = np.geomspace(1, 1e-6, replicas * noises * 4).reshape(replicas, noises, 4)
    return xr.Dataset(
        {"error": (("replica", "teacher.noise", "alpha"), values)},
        {
            "teacher.noise": np.linspace(0, 0.4, noises),
            "alpha": [1.0, 10.0, 100.0, 1000.0],
        },
    )


def test_a_sweep_is_drawn_as_lines_in_one_call():
    given = dataset(replicas=3)
    axes = sweep_plot(given).axes[0]
    assert len(axes.lines) == 3
    np.testing.assert_array_equal(
        axes.lines[1].get_ydata(), np.median(given.error.values[:, 1], axis=0)
    )
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_xlabel() == r"examples per weight $\alpha$"


def test_many_values_of_two_axes_are_a_heat_map():
    given = dataset(noises=9)
    axes, bar = sweep_plot(given).axes
    (image,) = axes.images
    np.testing.assert_array_equal(image.get_array(), given.error.values[0])
    assert axes.get_ylabel() == "label noise $p$"
    assert bar.get_ylabel() == r"error $\epsilon_g$"
    texts = [text.get_text() for text in axes.get_xticklabels()]
    assert texts == ["1", "10", "100", "1000"]


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("value must be one of error", {"value": "angel"}),
        ("x must be one of", {"x": "rate"}),
        ("kind must be", {"kind": "bars"}),
        ("at most 7, over numbers.*9 x 4 values", {"kind": "lines"}),
    ],
)
def test_wrong_arguments_are_named(words, arguments):
    with pytest.raises(ValueError, match=words):
        sweep_plot(dataset(noises=9), **arguments)


def test_more_than_two_dimensions_are_refused():
    with pytest.raises(ValueError, match="one or two dimensions"):
        sweep_plot(dataset().expand_dims({"dim": [10, 20]}))


def test_an_axis_of_words_has_a_line_or_a_row_for_each():
    words = np.array(["Hebb()", "AdaTron()"], dtype=object)  # as a sweep names parts
    given = dataset(noises=2).rename({"teacher.noise": "rule"})
    given = given.assign_coords(rule=words)
    lines = sweep_plot(given).axes[0].lines
    assert [line.get_label() for line in lines] == ["rule = Hebb()", "rule = AdaTron()"]
    axes = sweep_plot(given, kind="map").axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == list(words)
