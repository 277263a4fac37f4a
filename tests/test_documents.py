"""Code and commands that the documents show work as printed."""

import importlib.util
import json
import re
import shlex
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from rosenblatt.cli.app import app
from rosenblatt.estimators import BayesPerceptron
from rosenblatt.sweeps.plan import read_spec
from tests.scripts import run_script

ROOT = Path(__file__).parent.parent

USE = """
import rosenblatt as rb
parts = (Doubtful(), Halving(), Probit(), Tilted(1.0, 0.5))
assert rb.engines.full(*parts, dim=10, alpha=[0, 2]).error.notnull().all()
run = rb.engines.reduced(*parts, dim=10_000, alpha=[0, 2], replicas=10)
curve = rb.solve(*parts, alpha=[0, 2])
found, spread = run.error.values[:, 1], run.error.values[:, 1].std() / 10 ** 0.5
assert abs(found.mean() - curve.error.values[0, 1]) < 5 * spread + 1e-3
assert rb.simulate(Doubtful(), Halving(), dim=10, alpha=2).attrs["engine"] == "events"
"""
SETTLE = """
from rosenblatt.papers.claims import settle
outcome = settle(PAPER.claims[0], quick=True)
assert outcome.verdict.value == "reproduced", outcome.reason
"""


def blocks(name):
    """All blocks of Python in a document, without future imports."""
    found = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert found
    return [
        block.replace("from __future__ import annotations\n", "") for block in found
    ]


def run(code, folder):
    done = run_script(code, folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readmes_first_example_prints_what_is_shown(tmp_path):
    (shown,) = re.findall(r"```text\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert run(blocks("README.md")[0], tmp_path) == shown


def test_the_readmes_simulation_runs(tmp_path):
    """With a tenth of its weights; ``make bench`` runs all of them."""
    code = blocks("README.md")[1]
    assert "dim=1_000_000" in code
    engine, value = run(code.replace("1_000_000", "100_000"), tmp_path).split()
    assert engine == "events"
    # 4/pi; relative spread sqrt((2 - 3 pi/8) / N) = 0.0029, and 5 of these
    assert float(value) == pytest.approx(1.27324, rel=0.0145)
    assert (tmp_path / "curve.png").stat().st_size > 10_000


def command(line, folder):
    """Run a line of a shell; the last command of a pipe in this process if ours."""
    before, _, last = line.rpartition(" | ")
    if not last.startswith("rosenblatt "):
        subprocess.run(["bash", "-c", line], cwd=folder, check=True)
        return "", ""
    given = None
    if before:
        given = subprocess.run(
            ["bash", "-c", before], cwd=folder, capture_output=True, check=True
        ).stdout
    done = CliRunner().invoke(app, shlex.split(last)[1:], input=given)
    return done.stdout, done.stderr


@pytest.mark.slow  # with those of the other guides some minutes of CI
def test_the_guide_to_files_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, make, *use = blocks("docs/files.md")
    text = (ROOT / "docs/files.md").read_text()
    run(make, tmp_path)
    said = before = ""
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        wanted = ""
        for line in reversed(block.splitlines()):
            if not line.startswith("$ "):
                wanted = line
        errors = ""
        for line in block.splitlines():
            if line.startswith("$ "):
                out, error = command(line[2:], tmp_path)
                said, errors = said + out, errors + error
        assert wanted in errors
        assert ("rosenblatt: " in errors) == ("rosenblatt: " in wanted), errors
        before += errors
    understood, printed = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    assert understood in before
    assert all(line in said for line in printed.splitlines()[1:])
    stated = [float(number) for number in re.findall(r"0\.\d{4}", printed)]
    error, *rest = map(float, re.findall(r"0\.\d{4}", said)[: len(stated)])
    assert [error, *rest] == pytest.approx(stated, abs=0.001)
    assert len((tmp_path / "predictions.csv").read_text().splitlines()) == 4001
    assert "skipped: not a number: 1" in said
    first, *_ = run("\n".join(["import pandas as pd", *use]), tmp_path).split()
    assert float(first) == pytest.approx(error, abs=1e-4)


def test_the_guides_file_of_a_sweep_is_read(tmp_path):
    text = (ROOT / "docs/sweeps.md").read_text()
    (spec,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "curves.toml").write_text(spec.replace(', "my_rules.py:Cautious"', ""))
    plan, store = read_spec(tmp_path / "curves.toml")
    assert (plan.name, store.name, plan.shape) == (
        "curves",
        "curves.sweep",
        (1, 3, 2, 100),
    )


def test_all_parts_of_the_page_about_adding_them_work_together(tmp_path):
    rule, *_, schedule, teacher, stream, claim = blocks("docs/adding_parts.md")
    parts = rule, schedule, teacher, stream
    run("\n".join([*parts, USE, claim, SETTLE]), tmp_path)


def test_all_links_in_documents_lead_somewhere():
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / link).exists(), f"{document.name}: {link}"


def test_the_filters_of_the_default_are_those_of_the_page():
    X = np.random.default_rng(0).standard_normal((20, 3))
    filters = BayesPerceptron().fit(X, X[:, 0] > 0)._experts.filters
    page = (ROOT / "docs" / "bayes.md").read_text()
    _, _, after = page.partition("| filter | prior standard deviation")
    table = after.partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    deviations = [cell for row in rows for cell in row[1].split(", ")]
    found = [filter.prior**0.5 for filter in filters]
    assert found == [float(Fraction(text)) for text in deviations]
    lives = [1 / filter.rate for filter in filters if filter.rate]
    assert lives == [
        float(re.findall(r"\d+", row[2])[0]) for row in rows if row[2] != "none"
    ]


@pytest.fixture(scope="module")
def architecture():
    spec = importlib.util.spec_from_file_location(
        "layers", ROOT / "docs" / "architecture.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_shows_the_contracts(architecture):
    assert architecture.PICTURE.read_text() == architecture.picture()


def test_the_table_of_folders_is_that_of_the_package(architecture):
    assert architecture.layer_table() in architecture.PAGE.read_text()


def test_the_ways_down_to_the_kernels_are_those_of_the_page(architecture):
    """Ways are as listed and short; how many files run beside them may vary."""
    page = architecture.PAGE.read_text()
    for name, walk in architecture.walks().items():
        way = ", ".join(f"`{file}`" for file in walk.down)
        assert f"| `{name}` | {len(walk.down)} | {way} |" in page
        assert 0 < len(walk.down) <= 10


# Measured numbers stand in one file; pages that quote one quote the same.
MEASURED = json.loads((ROOT / "docs" / "measured.json").read_text(encoding="utf-8"))
ACCURACY, LATER = "real data", "later rows"
COSTS, INSTALLED, SPEED = "costs", "installation", "figures"
CLONES = "clones"
# Page and pattern of a quotation; table, row and column that it is from.
QUOTED = [
    ("README.md", r"next row: error (\S+) against", ACCURACY, "**mean**", 1),
    ("README.md", r"next row: error \S+ against (\S+)", ACCURACY, "**mean**", 3),
    ("README.md", r"later rows: error (\S+) against", LATER, "BayesPerceptron", 0),
    (
        "README.md",
        r"later rows: error \S+ against (.{6})",
        LATER,
        "LogisticRegression",
        0,
    ),
    ("README.md", r"(\S+) µs a row of 20", COSTS, "`fit`, 20 columns", 0),
    ("README.md", r"against (\S+) µs", COSTS, "`fit`, 20 columns", 0),
    ("README.md", r"five papers \((\d+) minutes", CLONES, "`make report`", 0),
    ("README.md", r"brings (\d+) packages", INSTALLED, "packages, besides", 0),
    ("README.md", r"(\d+) times faster", SPEED, "reduced, N = 1000, 100", 0),
    ("paper/paper.md", r"mean error is ([\d.]+);", ACCURACY, "**mean**", 1),
    ("paper/paper.md", r"reaches ([\d.]+\d)\.", ACCURACY, "**mean**", 3),
    ("paper/paper.md", r"slower: (\S+) micro", COSTS, "`fit`, 20 columns", 0),
    ("paper/paper.md", r"columns against ([\d.]+\d)", COSTS, "`fit`, 20 columns", 0),
    ("paper/paper.md", r"takes (\S+) ns", SPEED, "reduced, N = 1000, 100", 0),
    ("paper/paper.md", r"(\d+) times faster", SPEED, "reduced, N = 1000, 100", 0),
]


def cells(table, start):
    """The cells of the last row of a table that begins so, without its name."""
    rows = [line for line in MEASURED[table] if line.startswith(f"| {start}")]
    assert rows, f"{table} has no row that begins with {start!r}"
    return [cell.strip() for cell in rows[-1].strip("|").split("|")[1:]]


@pytest.mark.parametrize(
    ("page", "pattern", "table", "row", "column"), QUOTED, ids=lambda value: str(value)
)
def test_a_quoted_number_is_that_of_its_table(page, pattern, table, row, column):
    text = " ".join((ROOT / page).read_text().splitlines())
    found = re.search(pattern, text)
    assert found, f"{page} quotes nothing like {pattern}; mend {Path(__file__).name}"
    own = re.findall(r"\d+(?:\.\d+)?", cells(table, row)[column])
    digits = len(found[1].partition(".")[2])
    assert found[1] in [f"{float(number):.{digits}f}" for number in own]
