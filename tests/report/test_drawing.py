import json

from rosenblatt.report.drawing import draw


def test_a_figure_is_drawn_in_three_forms(paper):
    found = draw(paper.figures[0].build(quick=True))
    assert found.png.startswith(b"\x89PNG")
    assert found.pdf.startswith(b"%PDF")
    assert "doc" in json.loads(found.chart)
