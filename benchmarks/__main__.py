"""Run all benchmarks and write their tables and two plots to ``bench/``.

What a user pays first comes first. ``python -m benchmarks startup bayes.default`` runs
some parts only, and prints their table. ``python -m benchmarks --docs`` runs all, and
writes the tables and plots into the documentation too.
"""

from __future__ import annotations

import itertools
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from time import perf_counter

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import (
    bayes,
    bits,
    classes,
    commands,
    coordinate,
    engines,
    estimators,
    files,
    growth,
    history,
    libraries,
    networks,
    online,
    schedules,
    separability,
    startup,
    sweeps,
)
from benchmarks.measure import Row
from benchmarks.page import markdown, write_measured

OUT = Path("bench")
DOCS = Path("docs")
CONTESTS = (
    online.contests,
    libraries.river,
    libraries.vowpal_wabbit,
)  # what is in the plot of estimators


def classifiers() -> Iterator[Row]:
    """Learn with classifiers of this and of other libraries."""
    found = itertools.chain.from_iterable(contests() for contests in CONTESTS)
    OUT.mkdir(exist_ok=True)
    return estimators.table(found, OUT / "estimators.png")


# The tables of docs/benchmarks.md, each with the parts whose rows it holds.
TABLES = {
    "costs": (startup.first_fits, bayes.default),
    "installation": (
        startup.environment,
        startup.wheel,
        startup.imports,
        startup.first_calls,
    ),
    "commands": (commands.tables, commands.laboratory),
    "figures": (
        engines.gaussians,
        engines.ratios,
        engines.long_run,
        coordinate.ratios,
        coordinate.sizes,
        coordinate.classifiers,
        classes.ratios,
        networks.ratios,
        networks.curves,
        networks.costs,
        schedules.best,
        bits.counting,
        bits.predicting,
        bits.drawing,
        bits.packing,
        bayes.dense,
        bayes.sparse,
        bayes.single,
        bayes.full,
        bayes.forgetting,
        classifiers,
        files.frames,
        files.reading,
        files.parquet,
        files.others,
        separability.answers,
        sweeps.overhead,
        growth.memory,
    ),
}
PARTS = tuple(itertools.chain.from_iterable(TABLES.values()))


def name_of(part: Callable[[], Iterator[Row]]) -> str:
    """Return the name of a part on the command line: module and function."""
    return f"{part.__module__.removeprefix('benchmarks.')}.{part.__name__}"


def chosen(words: list[str]) -> list[Callable[[], Iterator[Row]]]:
    """Return the parts that words name; all of them without words."""
    for word in words:
        if not any(name_of(part).startswith(word) for part in PARTS):
            names = ", ".join(map(name_of, PARTS))
            raise SystemExit(f"there is no part {word!r}; there are {names}")
    return [part for part in PARTS if name_of(part).startswith(tuple(words) or "")]


def main() -> None:
    """Measure, print a table, and keep it."""
    console = Console()
    words = [word for word in sys.argv[1:] if word != "--docs"]
    docs = "--docs" in sys.argv
    if words and docs:
        raise SystemExit(f"--docs takes a run of all parts, got {' '.join(words)}")
    found: dict[str, list[Row]] = {}
    began = perf_counter()
    for measure in chosen(words):
        start = perf_counter()
        found[name_of(measure)] = list(measure())
        taken = f"{name_of(measure)}: {perf_counter() - start:.0f} s"
        console.print(f"[dim]{measure.__doc__.splitlines()[0]} ({taken})[/]")
    minutes = (perf_counter() - began) / 60
    table = Table("work", "measured", "goal", "met")
    rows = list(itertools.chain.from_iterable(found.values()))
    for row in rows:
        table.add_row(row.work, row.measured, row.goal, row.answer)
    console.print(table)
    console.print(f"{minutes:.1f} minutes; {history.keep(rows, OUT)}")
    if not words:
        write(found, minutes, docs)


def write(found: dict[str, list[Row]], minutes: float, docs: bool) -> None:
    """Write the tables and plots of a run of all parts."""
    OUT.mkdir(exist_ok=True)
    about = (
        f"One run of {date.today()}, {minutes:.1f} minutes, on {os.cpu_count()} cores: "
        f"{platform.machine()}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, numba {numba.__version__}."
    )
    tables = {
        name: markdown(row for part in parts for row in found[name_of(part)])
        for name, parts in TABLES.items()
    }
    (OUT / "table.md").write_text("\n\n".join([*tables.values(), about]) + "\n")
    growth.plot(OUT / "growth.png")
    if docs:
        for name, table in (tables | {"about": about}).items():
            write_measured(name, table)
        for picture in ("growth.png", "estimators.png"):
            shutil.copy(OUT / picture, DOCS / "images" / picture)


if __name__ == "__main__":
    main()
