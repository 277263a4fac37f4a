"""A run of many cases of one format."""

import gc
import math
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from tests.fuzz.cases import FAULT, Outcome
from tests.fuzz.children import new_random, run_cases

KEPT = str(Path(tempfile.gettempdir()) / "rosenblatt-fuzz")
_MOST = 3  # inputs that are kept of each kind of fault
BATCH = 200  # cases of one child


@contextmanager
def opened(name, form, seed, keep):
    """Make golden inputs of a format in a temporary folder; yield their session."""
    memory = Path("/dev/shm")
    where = memory if memory.is_dir() else None
    with (
        warnings.catch_warnings(),
        threadpool_limits(1),
        tempfile.TemporaryDirectory(prefix="rosenblatt-fuzz-", dir=where) as folder,
    ):
        warnings.simplefilter("ignore")
        inputs = Path(folder) / "golden"
        inputs.mkdir()
        golden = form.prepare(inputs)
        gc.collect()
        gc.freeze()  # a collection in a child then copies none of this memory
        yield Session(name, form, golden, seed, Path(folder) / "case", Path(keep))


class Session(NamedTuple):
    """Cases made from golden inputs; ``keep`` is for inputs that end in a fault."""

    name: str
    form: Any
    golden: Any
    seed: int
    folder: Path
    keep: Path

    def outcomes(self, *numbers):
        """Run the cases with these numbers in one child, up to the first fault."""
        randoms = (new_random(self.name, self.seed, number) for number in numbers)
        return run_cases(self.form, self.golden, randoms, self.folder)

    def one(self, number):
        """Run one case, and return all that is known of it."""
        outcome = next(self.outcomes(number))
        said, printed = self._text("case.txt"), self._text("stderr.txt")
        where = self._kept(number)
        return f"case: {said}\n{outcome.kind}: {outcome.detail}\n{printed}\n{where}"

    def many(self, cases, seconds=None, batch=BATCH):
        """Run that many cases, or for that long; return counts of outcomes and faults.

        Each new kind of fault is told at once. A fault is run again in a child of its
        own. If it does not show there, an earlier case of its child has caused it.
        """
        counts, faults, number = Counter(), Counter(), 0
        most = sys.maxsize if cases is None else cases
        end = math.inf if seconds is None else time.monotonic() + seconds
        while number < most and time.monotonic() < end:
            for outcome in self.outcomes(*range(number, min(number + batch, most))):
                if outcome.kind == FAULT:
                    alone = next(self.outcomes(number))
                    if alone.kind != FAULT:
                        alone = Outcome(FAULT, f"not alone: {outcome.detail}")
                    faults[alone.detail[:60]] += 1
                    if faults[alone.detail[:60]] <= _MOST:
                        self._report(number, alone)
                counts[outcome.kind] += 1
                number += 1
                if time.monotonic() >= end:
                    break
        return counts, faults

    def _report(self, number, outcome):
        print(
            f"{self.name} case {number}: {outcome.detail[:300]}\n"
            f"  input: {self._text('case.txt')[:300]}\n"
            f"  kept in {self._kept(number)}\n  again: python -m "
            f"tests.fuzz {self.name} --seed {self.seed} --case {number}",
            file=sys.stderr,
            flush=True,
        )

    def _text(self, name):
        """Return a file of the last case; a case that died early has none."""
        path = self.folder / name
        return path.read_text(errors="replace").strip() if path.exists() else ""

    def _kept(self, number):
        """Copy the folder of the last case to where it stays."""
        where = self.keep / f"{self.name}-{self.seed}-{number}"
        shutil.rmtree(where, ignore_errors=True)
        shutil.copytree(self.folder, where)
        return where
