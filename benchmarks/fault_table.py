"""Inject many faults into sweeps and print how many of them were survived.

``python -m benchmarks.fault_table [ROUNDS]``; of those that need no process, 20 times
as many.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.dask_faults import DASK
from benchmarks.disk_faults import disk_full, mounts_work, torn_writes
from benchmarks.fault_trial import Trial
from benchmarks.faults import LOCAL


def main() -> None:
    """Inject faults, and say what became of them."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    table = Table("fault", "injected", "survived", "seconds")
    injected = survived = 0
    console = Console()
    for name, scenario in (LOCAL | DASK).items():
        if scenario is disk_full and not mounts_work():
            table.add_row(f"{name}: not tried, nothing can be mounted here")
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(Path(folder))
            try:
                scenario(trial, 20 * rounds if scenario is torn_writes else rounds)
            except AssertionError as failure:
                name = f"{name}: {failure}"
        injected, survived = injected + trial.injected, survived + trial.survived
        seconds = f"{time.monotonic() - began:.0f}"
        table.add_row(name, str(trial.injected), str(trial.survived), seconds)
        console.print(f"{name}: {trial.survived} of {trial.injected}, {seconds} s")
    table.add_row("all", str(injected), str(survived), "")
    console.print(table)


if __name__ == "__main__":
    main()
