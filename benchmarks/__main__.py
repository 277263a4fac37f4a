"""Run all benchmarks and write ``bench/table.md``, and two plots beside it."""

from __future__ import annotations

import itertools
import platform
from collections.abc import Iterator
from pathlib import Path

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
    online,
    separability,
    startup,
    streams,
    sweeps,
)
from benchmarks.measure import Row

OUT = Path("bench")
CONTESTS = (
    online.contests,
    streams.river,
    streams.vowpal_wabbit,
)  # what is in the plot of estimators


def classifiers() -> Iterator[Row]:
    """Learn with classifiers of this and of other libraries."""
    found = itertools.chain.from_iterable(contests() for contests in CONTESTS)
    return estimators.table(found, OUT / "estimators.png")


def main() -> None:
    """Measure, print a table, and keep it."""
    OUT.mkdir(exist_ok=True)
    console = Console()
    rows = []
    for measure in (
        startup.imports,
        startup.first_calls,
        startup.first_fits,
        engines.gaussians,
        engines.ratios,
        engines.long_run,
        coordinate.ratios,
        coordinate.sizes,
        coordinate.classifiers,
        classes.ratios,
        bits.counting,
        bits.predicting,
        bits.drawing,
        bits.packing,
        bayes.dense,
        bayes.sparse,
        bayes.single,
        bayes.full,
        bayes.default,
        classifiers,
        files.parquet,
        files.others,
        separability.answers,
        sweeps.overhead,
        sweeps.memory,
        growth.memory,
    ):
        console.print(f"[dim]{measure.__doc__.splitlines()[0]}[/]")
        rows += measure()
    growth.plot(OUT / "growth.png")
    table = Table("work", "measured", "goal", "met")
    lines = ["| work | measured | goal | met |", "|---|---|---|---|"]
    for row in rows:
        cells = (row.work, row.measured, row.goal, "yes" if row.met else "NO")
        table.add_row(*cells)
        lines.append("| " + " | ".join(cells) + " |")
    console.print(table)
    about = (
        f"{platform.machine()}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, numba {numba.__version__}"
    )
    (OUT / "table.md").write_text("\n".join([*lines, "", about, ""]))
    console.print(f"{OUT}/table.md, {OUT}/growth.png, {OUT}/estimators.png")


if __name__ == "__main__":
    main()
