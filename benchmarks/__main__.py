"""Run all benchmarks and write ``bench/table.md``, and two plots beside it.

What a user pays first comes first. ``python -m benchmarks startup bayes.default`` runs
some parts only, and prints their table.
"""

from __future__ import annotations

import itertools
import platform
import sys
from collections.abc import Callable, Iterator
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

OUT = Path("bench")
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


PARTS = (
    startup.first_fits,
    bayes.default,
    startup.imports,
    startup.environment,
    startup.first_calls,
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
    classifiers,
    files.reading,
    files.parquet,
    files.others,
    separability.answers,
    sweeps.overhead,
    sweeps.memory,
    growth.memory,
)


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
    rows = []
    began = perf_counter()
    for measure in chosen(sys.argv[1:]):
        start = perf_counter()
        rows += measure()
        taken = f"{name_of(measure)}: {perf_counter() - start:.0f} s"
        console.print(f"[dim]{measure.__doc__.splitlines()[0]} ({taken})[/]")
    minutes = (perf_counter() - began) / 60
    table = Table("work", "measured", "goal", "met")
    lines = ["| work | measured | goal | met |", "|---|---|---|---|"]
    for row in rows:
        cells = (row.work, row.measured, row.goal, "yes" if row.met else "NO")
        table.add_row(*cells)
        lines.append("| " + " | ".join(cells) + " |")
    console.print(table)
    console.print(f"{minutes:.1f} minutes; {history.keep(rows, OUT)}")
    if len(sys.argv) > 1:
        return
    OUT.mkdir(exist_ok=True)
    about = (
        f"{platform.machine()}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, numba {numba.__version__}; {minutes:.1f} minutes"
    )
    (OUT / "table.md").write_text("\n".join([*lines, "", about, ""]))
    growth.plot(OUT / "growth.png")
    console.print(f"{OUT}/table.md, {OUT}/growth.png, {OUT}/estimators.png")


if __name__ == "__main__":
    main()
