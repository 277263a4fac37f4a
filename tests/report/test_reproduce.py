import base64
import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.papers.claims import Figure, settle
from rosenblatt.report import reproduce
from rosenblatt.report.page import pages
from rosenblatt.report.results import PaperReport, Report

VOID = {"input", "mspace", "meta", "img", "br", "link"}


class Balance(HTMLParser):
    """Check that all elements are closed, and collect what the page refers to."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.sources = []
        self.ids = set()
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.sources += [v for k, v in attrs if k in ("src", "href")]
        self.ids |= {v for k, v in attrs if k == "id"}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def folder(paper, tmp_path):
    out = tmp_path / "deep" / "out"
    report = reproduce([], out, quick=True, progress=False, library=[paper])
    assert not report.complete
    return out


def read(path):
    parser = Balance()
    parser.feed(path.read_text(encoding="utf-8"))
    assert parser.open == []
    return parser


@pytest.fixture
def page(folder):
    return read(folder / "minsky1969.html")


@pytest.fixture
def front(folder):
    return read(folder / "index.html")


def test_all_files_are_there_and_nothing_else(folder):
    assert sorted(path.name for path in folder.iterdir()) == [
        "claims.json",
        "index.html",
        "minsky1969-fig1.csv",
        "minsky1969-fig1.pdf",
        "minsky1969-fig1.png",
        "minsky1969-fig3.csv",
        "minsky1969-table1.csv",
        "minsky1969.html",
    ]


def test_claims_and_errata_are_in_the_list(folder):
    rows = json.loads((folder / "claims.json").read_text())
    assert {row["id"]: row["verdict"] for row in rows} == {
        "minsky1969/fig1/right": "reproduced",
        "minsky1969/fig1/misprinted": "not reproduced",
        "minsky1969/fig10/broken": "not reproduced",
        "minsky1969/nothing": "not reproduced",
        "minsky1969/erratum/eq1": "erratum",
    }


def test_the_data_are_those_of_the_figure(folder):
    with (folder / "minsky1969-fig1.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["y"]) for row in rows] == [0.5, 0.1]
    assert [float(row["high"]) for row in rows] == [0.6, 0.2]


def test_the_page_needs_no_network_and_no_other_file(folder, page):
    pictures = [s for s in page.sources if s.startswith("data:image/png;base64,")]
    assert len(pictures) == 1
    code = pictures[0].partition(",")[2]
    assert base64.b64decode(code) == (folder / "minsky1969-fig1.png").read_bytes()
    for source in page.sources:
        assert source.startswith(("data:", "#")) or (folder / source).is_file()
    text = (folder / "minsky1969.html").read_text(encoding="utf-8")
    ours = re.sub(
        r'<script type="text/plain" id="bokeh">.*?</script>', "", text, flags=re.S
    )
    assert len(text) - len(ours) > 1e6
    assert not re.search(r"https?://|@import|url\(|<script src", ours)
    assert "default-src 'none'" in ours


def test_the_pages_say_what_became_of_everything(paper, folder, page, front):
    for item in paper.items():
        assert item.id in page.text
        assert item.id in front.text
        assert f"minsky1969.html#{item.id}" in front.sources
    for words in (
        "RuntimeError: <no> luck",
        "ValueError: nothing to draw",
        "measured is Measurement(value=nan",
        "It <falls>.",
        "It is 2.",
        "Half of a sum.",
        "<fig1/right> & more",
        "Hebb",
        "rosenblatt claims minsky1969/fig1/right --quick",
        "rosenblatt reproduce minsky1969/fig1 --out minsky1969-fig1 --quick",
        "1.0010 \u00b1 0.0010",
    ):
        assert words in page.text + front.text
    made = (folder / "minsky1969.html").read_text(encoding="utf-8")
    for words in (
        '<script type="application/json" id="chart:minsky1969/fig1">',
        'href="minsky1969-fig1.pdf"',
        'data-series="0"',
        '<td class="number">0.25</td>',
        'aria-current="page">minsky1969',
        'data-label="measured"',
        "<dd>error</dd>",
    ):
        assert words in made
    made = (folder / "index.html").read_text(encoding="utf-8")
    for words in (
        "Errors of the papers",
        "Not reproduced",
        "5 statements checked: 1 hold",
        '<ul class="wall findings"',
        "As 1/",
        '<th class="number">errors</th>',
        '<td class="number not-reproduced" data-label="not reproduced">3</td>',
        '<ul class="wall">',
    ):
        assert words in made


def test_parts_without_items_are_left_out_and_need_no_charts(paper):
    outcomes = tuple(settle(claim, quick=True) for claim in paper.claims)
    made = pages(Report((PaperReport(paper, outcomes, ()),), True, 0.0))
    assert 'id="claims"' in made["minsky1969.html"]
    for name in ("figures", "errata", "extensions"):
        assert f'id="{name}"' not in made["minsky1969.html"]
    assert len(made["minsky1969.html"]) < 1e5
    assert '<ul class="wall">' not in made["index.html"]


def test_every_item_can_be_linked_to_and_every_link_leads_somewhere(paper, page):
    assert {item.id for item in paper.items()} <= page.ids
    inside = [source[1:] for source in page.sources if source.startswith("#")]
    assert len(inside) > len(paper.items())
    assert set(inside) <= page.ids


def test_what_needs_a_look_is_listed_first(front):
    first = front.text.index("Look at these first")
    for words in ("RuntimeError: <no> luck", "ValueError: nothing to draw"):
        assert first < front.text.index(words) < front.text.index("All items")


def test_names_in_a_chart_cannot_end_its_script(paper, tmp_path):
    def figure(*, quick):
        line = Series("</script><b>", [1, 2], [1, 2], "theory")
        return FigureData("t", "c", "x", "y", (line,))

    evil = replace(paper, figures=(Figure("minsky1969/fig1", "figure 1", figure),))
    reproduce([], tmp_path, quick=True, progress=False, library=[evil])
    text = (tmp_path / "minsky1969.html").read_text(encoding="utf-8")
    assert "</script><b>" not in text


def test_an_unknown_target_writes_nothing(paper, tmp_path):
    with pytest.raises(ValueError, match="there is no target"):
        reproduce(["nobody2000"], tmp_path / "out", progress=False, library=[paper])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_fails_before_the_work(paper, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        reproduce([], tmp_path / "file", progress=False, library=[paper])
