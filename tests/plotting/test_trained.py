import itertools

import numpy as np
import pytest
from matplotlib.figure import Figure

import rosenblatt as rb
from rosenblatt.plotting.trained import draw_trained
from tests.tables.examples import table, write


@pytest.fixture
def drawn(monkeypatch):
    """Return the figures that are saved."""
    found, save = [], Figure.savefig

    def keep(figure, *given, **more):
        found.append(figure)
        save(figure, *given, **more)

    monkeypatch.setattr(Figure, "savefig", keep)
    return found


def test_a_picture_has_curve_calibration_columns_and_forgetting(tmp_path, drawn):
    trained = rb.train(write(table(500), tmp_path / "x.csv"), "won")
    known = rb.training.report(trained)
    known["forgetting"]["changes"] = [{"row": 300, "half_life": 16.0}]
    draw_trained(known, tmp_path / "x.png")
    titles = [axes.get_title() for axes in drawn[0].axes]
    assert titles == ["Learning curve", "Calibration", "Columns", "Forgetting"]
    lives, changes = drawn[0].axes[3].get_legend_handles_labels()
    assert changes == ["half-life", "change noticed"]
    steps = lives[0].get_data()
    np.testing.assert_array_equal(
        steps.values, [point["half_life"] for point in known["forgetting"]["curve"]]
    )
    assert steps.edges[-1] == 500
    assert lives[1].get_xdata() == [300, 300]
    assert (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"
    labels = [label.get_text() for label in drawn[0].axes[2].get_yticklabels()]
    assert sorted(labels) == ["a", "b", "side"]


def test_short_curves_have_ticks_apart_and_points_inside(tmp_path, drawn):
    point = {"error": 0.16, "recent_error": 0.16, "recent_log_loss": None}
    known = {
        "curve": [{"rows": 13_000, **point}, {"rows": 24_000, **point}],
        "majority_error": 0.15,
        "progressive": {},
    }
    draw_trained(known, tmp_path / "x.png")
    axes = drawn[0].axes[0]
    drawn[0].canvas.draw()
    assert axes.get_ylim()[1] > 0.165
    assert axes.get_ylabel()
    ends = [
        (box.x0, box.x1)
        for label in axes.get_xticklabels(which="both")
        if label.get_text()
        for box in [label.get_window_extent()]
        if axes.bbox.x0 <= (box.x0 + box.x1) / 2 <= axes.bbox.x1
    ]
    assert len(ends) > 2
    assert all(one[1] < two[0] for one, two in itertools.pairwise(sorted(ends)))
