import pytest

from rosenblatt.report.drawing import draw
from rosenblatt.report.page.exhibits import exhibit
from rosenblatt.report.results import Exhibit


@pytest.fixture
def figure(paper):
    item = paper.figures[0]
    data = item.build(quick=True)
    return Exhibit(item, data, "", 1.0, draw(data))


def test_a_figure_is_a_chart_and_a_picture_with_files(figure):
    shown = exhibit(figure, "", quick=True, cached=False)
    assert 'src="data:image/png;base64,' in shown
    assert '<script type="application/json" id="chart:minsky1969/fig1">' in shown
    for ending in ("png", "pdf", "csv"):
        assert f'href="minsky1969-fig1.{ending}"' in shown
    assert "It &lt;falls&gt;." in shown
    assert 'data-series="0"' in shown


def test_a_table_has_its_cells(paper):
    item = paper.tables[0]
    shown = exhibit(
        Exhibit(item, item.build(quick=True), "", 0.0), "", quick=True, cached=False
    )
    assert '<td class="number">0.25</td>' in shown
    assert "<td>Hebb</td>" in shown


def test_a_failure_is_shown_with_its_reason(paper):
    failed = Exhibit(paper.figures[1], None, "no <luck>", 0.0)
    shown = exhibit(failed, "", quick=True, cached=False)
    assert "<b>failed</b> no &lt;luck&gt;" in shown
