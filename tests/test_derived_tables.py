"""Tables of the pages that follow from other tables are computed from them."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.estimators import BayesPerceptron

DOCS = Path(__file__).parent.parent / "docs"


MEASURED = json.loads((DOCS / "measured.json").read_text(encoding="utf-8"))


def rows_after(lines, head):
    """The rows of the first table of some lines that begins so."""
    at = next(i for i, line in enumerate(lines) if line.startswith(head))
    rows = []
    for line in lines[at + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def table(page, head):
    return rows_after((DOCS / page).read_text().splitlines(), head)


def measured(name, head="|"):
    return rows_after(MEASURED[name], head)


def numbers(cell):
    return [float(found) for found in re.findall(r"\d+(?:\.\d+)?", cell)]


def last_digit(text):
    """Half of the last digit that is printed."""
    return 0.5 * 10.0 ** -len(text.partition(".")[2])


@pytest.mark.parametrize("name", ["real data", "changing"])
def test_means_of_accuracy_are_those_of_their_rows(name):
    *rows, mean = measured(name)
    for column in (2, 3, 4, 5, 6, 7):
        values = [numbers(row[column])[0] for row in rows]
        assert np.mean(values) == pytest.approx(numbers(mean[column])[0], abs=1e-4)


def test_comparisons_with_peers_are_counted_in_the_rows():
    *rows, _ = measured("real data")
    counted = measured("comparison")
    columns = {"error": (2, 3, 4), "log-loss": (5, 6, 7)}
    for peers, by, *printed in counted:
        own, best, tuned = columns[by]
        other = tuned if "tuned" in peers else best
        pairs = [(numbers(row[own])[0], numbers(row[other])[0]) for row in rows]
        found = [
            sum(a < b for a, b in pairs),
            sum(a == b for a, b in pairs),
            sum(a > b for a, b in pairs),
        ]
        assert found == [int(cell or 0) for cell in printed], (peers, by)
    assert all(
        ("**" in row[own]) == (numbers(row[own])[0] < numbers(row[best])[0])
        for row in rows
        for own, best, _ in columns.values()
    )


def test_the_filters_of_the_default_are_those_of_the_page():
    X = np.random.default_rng(0).standard_normal((20, 3))
    filters = BayesPerceptron().fit(X, X[:, 0] > 0)._experts.filters
    rows = table("bayes.md", "| filter | prior standard deviation")
    deviations = [cell for row in rows for cell in row[1].split(", ")]
    found = [math.sqrt(filter.prior) for filter in filters]
    assert found == [float(Fraction(text)) for text in deviations]
    lives = [1 / filter.rate for filter in filters if filter.rate]
    assert lives == [numbers(row[2])[0] for row in rows if row[2] != "none"]


def test_means_of_losses_by_merging_are_those_of_their_rows():
    (_, *printed), *_ = measured("losses", "| model | 1 piece |")
    rows = measured("losses", "| data | rows learned |")
    assert len(rows) == 15
    for column, cell in enumerate(printed, 2):
        for k, value in enumerate(numbers(cell)):
            mean = np.mean([numbers(row[column])[k] for row in rows])
            digit = last_digit(re.findall(r"\d+\.\d+", cell)[k])
            assert mean == pytest.approx(value, abs=2 * digit), column
