"""A table as people have them: numbers, categories, gaps, dates, text, an id.

``python -m tests.training.mixed_table FILE.csv [ROWS]`` writes one. About 15% of the
labels are yes; they follow a logistic law whose weights are known.
"""

import csv
import sys

import numpy as np

PLANS = ["free", "basic", "plus", "team", "school"]
WORDS = ["slow", "great", "refund", "thanks", "broken", "cancel", "happy", "invoice"]
START = np.datetime64("2024-01-01T00:00:00")


def mixed_table(rows, seed=0, note=False):
    """Return the columns of a table by name; gaps are empty text."""
    rng = np.random.default_rng(seed)
    numbers = rng.standard_normal((rows, 14)) * 10.0 ** rng.integers(-2, 4, 14)
    logit = (numbers / numbers.std(axis=0)) @ (0.5 * rng.standard_normal(14))
    found = {"id": np.arange(10**6, 10**6 + rows)}
    found |= {f"x{j}": np.round(numbers[:, j] + 50.0 * j, 4) for j in range(14)}
    for name, count in (("plan", 5), ("region", 12), ("device", 4), ("month", 12)):
        codes = np.minimum(rng.geometric(2.0 / count, rows) - 1, count - 1)
        logit = logit + (0.6 * rng.standard_normal(count))[codes]
        levels = PLANS if name == "plan" else [f"{name}{k}" for k in range(count)]
        found[name] = np.array(levels)[codes]
    zips = np.minimum(rng.geometric(0.01, rows) - 1, 999)
    logit = logit + (0.5 * rng.standard_normal(1000))[zips]
    found["zip"] = np.char.add("z", zips.astype(str))
    when = START + rng.integers(0, 366 * 86400, rows).astype("m8[s]")
    day = (when.astype("M8[D]").astype(int) + 3) % 7
    logit = logit + 0.7 * (day >= 5)
    found["signed_up"] = np.datetime_as_string(when, unit="s")
    for name in ("x3", "x7", "region"):
        gone = rng.random(rows) < 0.08
        column = found[name].astype(str)
        column[gone] = "NA" if name == "x7" else ""
        found[name] = column
    if note:
        chosen = rng.integers(0, len(WORDS), (rows, 4))
        logit = logit + (chosen == 2).any(axis=1) - (chosen == 6).any(axis=1)
        found["note"] = np.array([" ".join(WORDS[k] for k in r) for r in chosen])
    found["churned"] = np.where(rng.random(rows) < _shares(logit), "yes", "no")
    return found


def _shares(logit):
    """Return probabilities whose mean is 0.15."""
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        many = np.mean(1 / (1 + np.exp(-(logit + middle)))) > 0.15
        low, high = (low, middle) if many else (middle, high)
    return 1 / (1 + np.exp(-(logit + low)))


def write_mixed(path, rows, seed=0, note=False):
    """Write such a table as CSV and return its path."""
    table = mixed_table(rows, seed, note)
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(table)
        out.writerows(zip(*(c.tolist() for c in table.values()), strict=True))
    return path


if __name__ == "__main__":
    write_mixed(sys.argv[1], int(sys.argv[2]) if sys.argv[2:] else 250_000)
