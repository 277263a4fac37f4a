from matplotlib.figure import Figure

import rosenblatt as rb
from rosenblatt.plotting.trained import draw_trained
from tests.tables.examples import table, write


def test_a_picture_has_curve_calibration_and_columns(tmp_path, monkeypatch):
    trained = rb.train(write(table(500), tmp_path / "x.csv"), "won")
    drawn = []
    save = Figure.savefig

    def keep(figure, *given, **more):
        drawn.append(figure)
        save(figure, *given, **more)

    monkeypatch.setattr(Figure, "savefig", keep)
    draw_trained(rb.training.facts(trained), tmp_path / "x.png")
    titles = [axes.get_title() for axes in drawn[0].axes]
    assert titles == ["Learning curve", "Calibration", "Columns"]
    assert (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"
    labels = [label.get_text() for label in drawn[0].axes[2].get_yticklabels()]
    assert sorted(labels) == ["a", "b", "side"]
