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
# Own rules are compiled in test_documents.py, too; others take long.
SLOW = {
    "adding_parts",
    "bayes",
    "binary",
    "committees",
    "schedules",
    "separability",
    "sweeps",
}


def code(page):
    """All Python of a page, as one script."""
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))


PAGES = [
    pytest.param(page, marks=[pytest.mark.slow] if page.stem in SLOW else [])
    for page in sorted(DOCS.rglob("*.md"))
    if page.parent.name not in ("api", "papers")
    and "_build" not in page.parts
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
    for page in ("index", "idea", "api", "papers/barkai1995", "derivations"):
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


@pytest.mark.parametrize("name", ["index", "tutorials/practitioner"])
def test_stored_outputs_are_those_of_the_code_as_it_is(name, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    outputs = importlib.import_module("outputs")
    stored = json.loads(outputs.STORE.read_text())[name]["outputs"]
    blocks = outputs._BLOCK.findall((DOCS / f"{name}.md").read_text())
    found = outputs.printed(blocks)
    assert found == stored, "run python docs/outputs.py --fresh"


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
