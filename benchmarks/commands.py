"""Time that people wait: ``train`` and ``predict`` of a table, and the laboratory.

Every command is a new process, with all code compiled, and the best of a few counts.
The laboratory is used in Chromium, by Playwright, as its tests are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.measure import Row

ROWS = 250_000
RUNS = 3
IDLE = 5  # seconds after which the server has prepared the learners of the other tab
# Changes of a control in the laboratory, by its title.
CHANGES = {
    "seed": ("1", "2", "3"),
    "replicas": ("20", "50"),
    "share of wrong labels": ("0.1", "0.2"),
    "schedule": ("constant", "power"),
    "rule": ("ada-tron", "perceptron"),
}
# Whether errors of a run are there to be drawn.
DRAWN = """() => {
    const models = window.Bokeh?.documents[0]?._all_models ?? new Map();
    return Array.from(models.values()).some(model =>
        model.type === "ColumnDataSource" && model.data.median?.length > 0);
}"""
# Milliseconds from a change until the first errors of the new run are drawn, and until
# the curve of theory is, with the drawing itself.
ANSWER = """([title, value]) => new Promise(resolve => {
    const all = () => Array.from(Bokeh.documents[0]._all_models.values());
    const control = all().find(model => model.title === title);
    const sources = () => all().filter(model => model.type === "ColumnDataSource");
    const old = new Set(sources());
    const shown = name => sources().some(source => !old.has(source)
        && name in source.data && source.data.alpha.length > 0);
    const began = performance.now();
    const drawn = found => requestAnimationFrame(() => setTimeout(() => {
        found(performance.now() - began);
    }));
    let first = null;
    const look = () => {
        if (first === null && shown("median")) drawn(time => first = time);
        if (first !== null && shown("error")) drawn(time => resolve([first, time]));
        else setTimeout(look, 5);
    };
    control.value = value;
    look();
})"""


def _write(path: Path) -> None:
    """Write a table of numbers, categories, dates and gaps: 40 features."""
    random = np.random.default_rng(0)
    numbers = random.standard_normal((ROWS, 18)).round(3)
    colours = np.array(["red", "green", "blue", "grey", "black"])
    kinds = np.array(['"a b"', '"c,d"', '"e"', '"f"'])
    colour, kind = random.choice(colours, ROWS), random.choice(kinds, ROWS)
    days = np.datetime64("2020-01-01") + random.integers(0, 1500, ROWS)
    field = numbers[:, 0] + 0.5 * numbers[:, 1] + (colour == "red") - 2.2
    label = np.where(random.random(ROWS) < 1 / (1 + np.exp(-field)), "yes", "no")
    text = [list(map(str, row)) for row in numbers.tolist()]
    for row in np.flatnonzero(random.random(ROWS) < 0.05):
        text[row][3] = ""
    others = zip(colour, kind, days.astype(str), label, strict=True)
    names = [*(f"x{i}" for i in range(18)), "colour", "kind", "day", "bought"]
    with path.open("w") as file:
        file.write(",".join(names) + "\n")
        for row, more in zip(text, others, strict=True):
            file.write(",".join([*row, *more]) + "\n")


def _timed(*words: str) -> tuple[float, float]:
    """Run a command; return the seconds until its first output, and until its end."""
    began = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
    )
    child.stdout.read(1)
    first = time.perf_counter() - began
    while child.stdout.read(2**16):
        pass
    if child.wait():
        raise RuntimeError(f"{' '.join(words)} failed")
    return first, time.perf_counter() - began


def tables() -> Iterator[Row]:
    """Train on a table of 250,000 rows, and predict one row."""
    with tempfile.TemporaryDirectory() as name:
        table, model, row = (
            Path(name, file) for file in ("t.csv", "m.safetensors", "one.csv")
        )
        _write(table)
        with table.open() as file:
            row.write_text(file.readline() + file.readline())
        train = "train", str(table), "--target", "bought", "--save", str(model)
        _timed(*train)  # compiled code is stored now
        runs = []
        for _ in range(RUNS):
            model.unlink()
            runs.append(_timed(*train))
        first, end = (min(times) for times in zip(*runs, strict=True))
        rate = ROWS / min(end - first for first, end in runs)
        _, one = min(_timed("predict", str(model), str(row)) for _ in range(RUNS))
    what = f"`rosenblatt train`, {ROWS:,} rows of CSV, 40 features"
    yield Row(f"{what}: first output", f"{first:.2f} s", "<= 2 s", first <= 2)
    yield Row(
        f"{what}: rows a second after it",
        f"{rate:,.0f} ({end:.2f} s in all)",
        ">= 200,000",
        rate >= 200_000,
    )
    yield Row("`rosenblatt predict`, one row", f"{one:.2f} s", "<= 1.5 s", one <= 1.5)


def laboratory() -> Iterator[Row]:
    """Change controls of the laboratory, and wait for curves."""
    path = shutil.which("chromium")
    if path is None:
        return
    lab = [sys.executable, "-m", "rosenblatt", "lab", "--stop-after", "300"]
    served = subprocess.Popen(lab, stdout=subprocess.PIPE, text=True)
    try:
        with sync_playwright() as driver:
            root = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = driver.chromium.launch(
                executable_path=path, args=["--disable-gpu", *root]
            )
            page = browser.new_page()
            address = served.stdout.readline().strip()
            page.goto(address)
            page.get_by_text("Done.").wait_for()
            page.wait_for_timeout(1000 * IDLE)
            began = time.perf_counter()
            page.goto(address)
            page.wait_for_function(DRAWN)
            taken = time.perf_counter() - began
            visit = "laboratory, a visit: first errors are drawn"
            yield Row(visit, f"{taken:.2f} s", "<= 1 s", taken <= 1)
            for title, values in CHANGES.items():
                found = []
                for value in values:
                    found.append(page.evaluate(ANSWER, [title, value]))
                    page.get_by_text("Done.").wait_for()
                first, theory = (
                    max(times) / 1000 for times in zip(*found, strict=True)
                )
                yield Row(
                    f"laboratory, another {title}: first errors and theory are drawn",
                    f"{theory:.2f} s (first errors {first:.2f})",
                    "<= 1 s",
                    theory <= 1,
                )
            browser.close()
    finally:
        served.terminate()
        served.wait()
