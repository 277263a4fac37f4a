"""A run of many cases of one format."""

from __future__ import annotations

import gc
import math
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from threadpoolctl import threadpool_limits

from tests.fuzz.cases import ACCEPTED, FAULT, REFUSED, Format, Outcome
from tests.fuzz.children import new_random, run_cases

KEPT = str(Path(tempfile.gettempdir()) / "rosenblatt-fuzz")
HEAD = """\
| format | cases | refused | accepted | faults |
|---|---:|---:|---:|---:|"""
_MOST = 3  # inputs that are kept of each kind of fault
BATCH = 200  # cases of one child


@dataclass
class Tally:
    """Counts of outcomes of one format."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        """Return the counts as a row of a table."""
        counts = [self.counts[kind] for kind in (REFUSED, ACCEPTED, FAULT)]
        return f"| {self.name} | {sum(counts)} | {' | '.join(map(str, counts))} |"


class Session:
    """Golden inputs of one format in a temporary folder, and cases made from them.

    Parameters
    ----------
    name, form
        The format.
    seed
        Of all cases.
    keep
        The folder where inputs are kept that end in a fault.
    """

    def __init__(self, name: str, form: Format, seed: int, keep: str) -> None:
        self._name, self._form, self._seed, self._keep = name, form, seed, Path(keep)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(warnings.catch_warnings())
        self._stack.enter_context(threadpool_limits(1))
        warnings.simplefilter("ignore")
        memory = Path("/dev/shm")
        folder = self._stack.enter_context(
            tempfile.TemporaryDirectory(
                prefix="rosenblatt-fuzz-", dir=memory if memory.is_dir() else None
            )
        )
        self._folder = Path(folder) / "case"
        golden = Path(folder) / "golden"
        golden.mkdir()
        self._golden = self._form.prepare(golden)
        gc.collect()
        gc.freeze()  # a collection in a child then copies none of this memory
        return self

    def __exit__(self, *failure: object) -> None:
        self._stack.close()

    def outcome(self, number: int) -> Outcome:
        """Run the case with this number."""
        return next(self._outcomes([number]))

    def _outcomes(self, numbers: Iterable[int]) -> Iterator[Outcome]:
        """Run cases in one child, up to the first fault."""
        randoms = (new_random(self._name, self._seed, number) for number in numbers)
        return run_cases(self._form, self._golden, randoms, self._folder)

    def one(self, number: int) -> str:
        """Run one case, and return all that is known of it."""
        outcome = self.outcome(number)
        said, printed = self._text("case.txt"), self._text("stderr.txt")
        where = self._kept(number)
        return f"case: {said}\n{outcome.kind}: {outcome.detail}\n{printed}\n{where}"

    def many(
        self, cases: int | None, seconds: float | None, batch: int = BATCH
    ) -> Tally:
        """Run that many cases, or for that long; say each new kind of fault at once.

        A fault is run again in a child of its own. If it does not show there, an
        earlier case of its child has caused it.
        """
        tally = Tally(self._name)
        began = time.monotonic()
        most = sys.maxsize if cases is None else cases
        end = math.inf if seconds is None else began + seconds
        number = 0
        while number < most and time.monotonic() < end:
            numbers = range(number, min(number + batch, most))
            for outcome in self._outcomes(numbers):
                if outcome.kind == FAULT:
                    alone = self.outcome(number)
                    if alone.kind != FAULT:
                        alone = Outcome(FAULT, f"not alone: {outcome.detail}")
                    self._report(tally, number, alone)
                tally.counts[outcome.kind] += 1
                number += 1
                if time.monotonic() >= end:
                    break
        return tally

    def _report(self, tally: Tally, number: int, outcome: Outcome) -> None:
        kind = outcome.detail[:60]
        tally.kinds[kind] += 1
        if tally.kinds[kind] > _MOST:
            return
        said = self._text("case.txt")[:300]
        print(
            f"{self._name} case {number}: {outcome.detail[:300]}\n"
            f"  input: {said}\n  kept in {self._kept(number)}\n  again: python -m "
            f"tests.fuzz {self._name} --seed {self._seed} --case {number}",
            file=sys.stderr,
            flush=True,
        )

    def _text(self, name: str) -> str:
        """Return a file of the last case; a case that died early has none."""
        path = self._folder / name
        return path.read_text(errors="replace").strip() if path.exists() else ""

    def _kept(self, number: int) -> Path:
        """Copy the folder of the last case to where it stays."""
        where = self._keep / f"{self._name}-{self._seed}-{number}"
        shutil.rmtree(where, ignore_errors=True)
        shutil.copytree(self._folder, where)
        return where
