import numpy as np
from matplotlib.figure import Figure

import rosenblatt as rb
from rosenblatt.plotting.trained import draw_trained
from tests.tables.examples import table, write


def test_a_picture_has_curve_calibration_columns_and_forgetting(tmp_path, monkeypatch):
    trained = rb.train(write(table(500), tmp_path / "x.csv"), "won")
    drawn = []
    save = Figure.savefig

    def keep(figure, *given, **more):
        drawn.append(figure)
        save(figure, *given, **more)

    monkeypatch.setattr(Figure, "savefig", keep)
    known = rb.training.facts(trained)
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
