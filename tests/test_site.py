"""The documentation builds without a warning, needs no network, and its code runs."""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.browser import browser, visit
from tests.scripts import run_script

__all__ = ["browser", "visit"]

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
# Guides whose numbers are looked at more closely in test_documents.py.
ELSEWHERE = {
    "bayes",
    "binary",
    "machines",
    "model_files",
    "committees",
    "schedules",
    "separability",
}


SLOW = {"adding_parts"}  # own rules are compiled in test_documents.py, too


def code(page):
    """All Python of a page, as one script."""
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))


PAGES = [
    pytest.param(page, marks=[pytest.mark.slow] if page.stem in SLOW else [])
    for page in sorted(DOCS.rglob("*.md"))
    if page.parent.name not in ("api", "papers")
    and "_build" not in page.parts
    and page.stem not in ELSEWHERE
    and code(page)
]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(DOCS)))
def test_the_code_of_a_page_runs_as_it_stands(page, tmp_path):
    done = run_script(code(page), tmp_path, strict=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The documentation, built with warnings as errors."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", DOCS, folder],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_all_pages_are_there(site):
    for page in ("index", "idea", "api", "papers/barkai1995", "derivations/drift"):
        assert (site / f"{page}.html").exists()
    shown = (site / "command_line.html").read_text()
    for command in ("simulate", "train", "sweep", "reproduce", "lab"):
        assert f"rosenblatt {command}</h2>" in re.sub("<a.*?</a>", "", shown)


def test_no_page_asks_another_host(site):
    for page in site.rglob("*.html"):
        asked = re.findall(
            r'<(?:script|link|img)[^>]+(?:src|href)="(https?:)?//', page.read_text()
        )
        assert not asked, page.name


def test_papers_have_verdicts_and_pictures_where_a_report_was_made(
    monkeypatch, tmp_path
):
    monkeypatch.syspath_prepend(DOCS)
    pages = importlib.import_module("generated_pages")
    monkeypatch.setattr(pages, "_HERE", tmp_path)
    monkeypatch.setattr(pages, "_REPORT", tmp_path / "report")
    bare = dict(pages._pages())["papers/golea1993.md"]
    assert bare.startswith("(golea1993)=\n# golea1993: On learning")
    assert "measured" not in bare
    assert "![" not in bare
    assert ": Influences have the sign of the weight and exceed \u03c1/(n + 1)" in bare
    assert "## Errata" in bare
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "golea1993-fig3.png").write_bytes(b"picture")
    numbers = {"expected": 0.5, "measured": 0.5, "stderr": 0.01}
    gives = [("eq6", "reproduced", None), ("erratum/eq15", "erratum", 0.25)]
    rows = [
        {"id": f"golea1993/{name}", "verdict": verdict, "published": paper, **numbers}
        for name, verdict, paper in gives
    ]
    (tmp_path / "report" / "claims.json").write_text(json.dumps(rows))
    page = dict(pages._pages())["papers/golea1993.md"]
    assert "![golea1993/fig3](golea1993-fig3.png)" in page
    assert (tmp_path / "papers" / "golea1993-fig3.png").read_bytes() == b"picture"
    assert "expected 0.5, measured 0.500 ± 0.010, **reproduced**" in page
    assert "published 0.25, expected 0.5, measured 0.500 ± 0.010, **erratum**" in page


@pytest.mark.parametrize("name", ["index", "tutorials/practitioner"])
def test_stored_outputs_are_those_of_the_code_as_it_is(name, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    outputs = importlib.import_module("outputs")
    stored = json.loads(outputs.STORE.read_text())[name]["outputs"]
    blocks = outputs._BLOCK.findall((DOCS / f"{name}.md").read_text())
    found = outputs.printed(blocks)
    assert found == stored, "run python docs/outputs.py --fresh"


def test_the_home_page_has_an_install_line_cards_and_code_with_its_output(site):
    home = (site / "index.html").read_text()
    text = re.sub(r"<[^>]+>", "", home)
    assert "pip install rosenblatt" in text
    assert len(re.findall(r'class="card docutils container"', home)) == 3
    assert re.search(r"accuracy 0\.\d+", text)  # printed by the code above it
    assert "_static/copy.js" in home


def test_the_gallery_shows_the_pictures_of_the_pages(site):
    gallery = (site / "gallery.html").read_text()
    assert gallery.count("<img") >= 5
    assert 'href="idea.html"' in gallery


def test_signatures_name_array_types_and_do_not_spell_them_out(site):
    shown = "".join(page.read_text() for page in (site / "api").glob("*.html"))
    assert "_SupportsArray" not in shown
    assert "TypeAliasForwardRef" not in shown
    assert "FloatArray" in shown
    assert "Alias for field number" not in shown


def test_the_api_lists_inherited_methods(site):
    shown = (site / "api/rosenblatt.estimators.html").read_text()
    for name in ("BayesPerceptron", "OnlinePerceptron"):
        assert f'id="rosenblatt.estimators.{name}.predict' in shown
    assert 'id="rosenblatt.estimators.BayesPerceptron.predict_proba"' in shown


@pytest.mark.slow
def test_formulas_are_typeset_without_an_error_and_fit_beside_the_menu(site, visit):
    seen = visit((site / "index.html").as_uri(), width=1300)
    for page in sorted(site.rglob("*.html")):
        if 'class="math' not in page.read_text():
            continue
        seen.page.goto(page.as_uri())
        seen.page.evaluate("MathJax.startup.promise")
        assert seen.page.locator("mjx-merror").count() == 0, page.name
        cut = """() => [...document.querySelectorAll("div.math")]
            .filter(box => box.scrollWidth > box.clientWidth + 1).length"""
        assert seen.page.evaluate(cut) == 0, page.name


def test_links_of_the_site_lead_somewhere(site):
    pages = {page: page.read_text() for page in site.rglob("*.html")}
    marks = {p: set(re.findall(r'\bid="([^"]+)"', text)) for p, text in pages.items()}
    for page, text in pages.items():
        for address in re.findall(r'<a [^>]*href="([^":]*)"', text):
            path, _, mark = unquote(address).partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), (page.name, address)
            if mark and target in marks:
                assert mark in marks[target], (page.name, address)


def test_numbers_stay_with_their_units_and_long_names_may_break(site, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    breaks = importlib.import_module("line_breaks")
    together = breaks.unbroken("<= 0.4 s on 2026-11-17, N = 1 000 in 3 rows")
    assert together.split(" ") == [
        "<=\u00a00.4\u00a0s",
        "on",
        "2026\u201111\u201117,",
        "N\u00a0=\u00a01\u00a0000",
        "in",
        "3",
        "rows",
    ]
    assert breaks.pieces("tests/lab/test_page.py") == ["tests/", "lab/", "test_page.py"]
    assert breaks.pieces("--batch-rows BATCH_ROWS") == ["--batch-rows ", "BATCH_ROWS"]
    commands = (site / "command_line.html").read_text()
    assert '<span class="pre">--batch-rows</span>' in commands
    glossary = (site / "glossary.html").read_text()
    ends = re.findall(r'<span class="math[^>]*>[^<]*</span>[.,;:)]', glossary)
    assert len(ends) == glossary.count('<span class="unbroken">') > 10
    lecture = (site / "papers/seung2002.html").read_text()
    assert "<p>S. Seung: Perceptron learning." in lecture  # not a list from S on


def test_the_api_has_the_equations_that_it_refers_to(site):
    rules = (site / "api/rosenblatt.rules.html").read_text()
    assert r"y h \le \kappa" in rules  # of the perceptron
    for page in (site / "api").glob("*.html"):
        shown = page.read_text()
        plain = re.sub(r"<[^>]+>", "", shown)
        for wrong in ("&lt;factory&gt;", "~typing", "ndarray[tuple"):
            assert wrong not in plain, (page.name, wrong)
        assert 'Bits.shape" title' not in shown or page.stem.endswith("bits")


def test_a_phone_scrolls_down_only_and_copies_code_without_prompts(site, visit):
    granted = {"permissions": ["clipboard-read", "clipboard-write"]}
    address = (site / "theory.html").as_uri()
    page = visit(address, width=390, height=800, **granted).page
    page.evaluate("MathJax.startup.promise")
    across = "document.querySelector('.content').scrollWidth"
    for _ in range(50):  # formulas shrink after they are typeset
        if page.evaluate(across) <= 390:
            break
        page.wait_for_timeout(100)
    assert page.evaluate(across) <= 390
    page.goto((site / "api/rosenblatt.teachers.html").as_uri())
    page.locator("button.copy").first.click()
    page.get_by_text("copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "Sign(noise=0.25).bind()(3.0)\n"


def test_options_keep_their_two_hyphens(site):
    assert "VW --coin" in (site / "streams.html").read_text()


def test_the_guide_to_files_prints_what_train_prints(tmp_path):
    page = (DOCS / "files.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    script = next(block for block in blocks if "visits.csv" in block)
    shown = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    assert run_script(script, tmp_path, strict=True).returncode == 0
    command = "train visits.csv --target bought --save visits.safetensors"
    done = subprocess.run(
        [sys.executable, "-m", "rosenblatt", *command.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    for block in shown[:2]:
        assert block in done.stdout + done.stderr
