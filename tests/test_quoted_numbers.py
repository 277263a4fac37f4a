"""Measured numbers stand in one file; pages that quote one quote the same."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MEASURED = json.loads((ROOT / "docs" / "measured.json").read_text(encoding="utf-8"))
ACCURACY, LATER = "real data", "later rows"
COSTS, INSTALLED, SPEED = "costs", "installation", "figures"
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
