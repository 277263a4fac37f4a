import json
from pathlib import Path

import pytest

from benchmarks.coverage import TABLES, coverage
from benchmarks.page import MEASURED
from rosenblatt.compiling.jit import PLAIN

ROOT = Path(__file__).parents[2]
KEPT = json.loads((ROOT / MEASURED).read_text())


@pytest.mark.skipif(PLAIN, reason="many rows")
def test_a_row_of_the_guide_is_measured_again():
    share, _, ratio = coverage(3, 0.25, 3000, 40)
    row = next(
        one for one in KEPT["short intervals"] if one.startswith("| 3,000 | 3 |")
    )
    inside, length = map(float, row.split("|")[4:6])
    assert 100 * share == pytest.approx(inside, abs=1.0)  # a weight more or less
    assert ratio == pytest.approx(length, abs=0.06)


def test_each_table_has_its_place_in_the_guide():
    page = (ROOT / "docs/bayes.md").read_text()
    for name in TABLES:
        assert KEPT[name][0].startswith("|"), name
        assert page.count(f"<!-- measured: {name} -->\n") == 1, name
