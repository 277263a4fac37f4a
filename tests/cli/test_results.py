import pytest

import rosenblatt as rb
from rosenblatt.cli.results import draw, table


def curve(alpha):
    return rb.solve(rb.rules.Hebb(), rb.schedules.Constant(), alpha=alpha)


def cells(shown, column):
    return list(shown.columns[column].cells)


def test_a_short_table_has_every_row_and_theory_beside_it():
    shown = table(curve([1, 100]), curve([1, 100]))
    # the closed form, arccos(1 / sqrt(1 + pi / (2 alpha))) / pi
    assert cells(shown, 0) == ["1", "100"]
    assert cells(shown, 1) == cells(shown, 4) == ["0.2856", "0.03969"]
    assert cells(shown, 2) == ["0.286 - 0.286", "0.0397 - 0.0397"]


def test_a_long_table_has_every_tenth_row_from_the_end():
    shown = table(curve(list(range(41))), None)
    assert cells(shown, 0) == ["0", "10", "20", "30", "40"]


def test_a_figure_is_written_whole(tmp_path):
    draw(curve([1, 10]), curve([1, 10]), tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(tmp_path.iterdir())) == 1


def test_a_figure_that_fails_leaves_the_old_one(tmp_path, monkeypatch):
    class Failing:
        def savefig(self, path, *, format):
            path.write_text("half")
            raise KeyboardInterrupt

    monkeypatch.setattr(rb.plotting, "learning_curve", lambda *_, **__: Failing())
    (tmp_path / "curve.png").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        draw(curve([1]), None, tmp_path / "curve.png")
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]
