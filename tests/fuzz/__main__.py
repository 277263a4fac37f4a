"""Give hostile inputs to the library: ``python -m tests.fuzz FORMAT --seconds 60``.

Cases run in child processes. A case is a function of the format, the seed and its
number, and of the golden inputs, which the library itself makes.
"""

from __future__ import annotations

import argparse
import sys

from tests.fuzz.formats import FORMATS
from tests.fuzz.session import BATCH, HEAD, KEPT, Session, Tally


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("formats", nargs="+", choices=[*FORMATS, "all"])
    parser.add_argument("--seconds", type=float, help="of each format")
    parser.add_argument("--cases", type=int, help="of each format")
    parser.add_argument("--batch", type=int, default=BATCH, help="cases of a child")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run this one, and say all about it")
    parser.add_argument("--keep", default=KEPT, help="folder for inputs with faults")
    return parser.parse_args(given)


def main(given: list[str] | None = None) -> int:
    """Run the cases, print the table, and return 1 if there were faults."""
    asked = _arguments(given)
    names = list(FORMATS) if "all" in asked.formats else asked.formats
    tallies: list[Tally] = []
    for name in names:
        with Session(name, FORMATS[name], asked.seed, asked.keep) as session:
            if asked.case is not None:
                print(session.one(asked.case))
            else:
                cases = asked.cases
                if cases is None and asked.seconds is None:
                    cases = 1000
                print("" if tallies else f"{HEAD}\n", end="")
                tallies.append(session.many(cases, asked.seconds, asked.batch))
                print(tallies[-1], flush=True)
    faults = [(t.name, *kind) for t in tallies for kind in t.kinds.most_common()]
    for name, kind, count in faults:
        print(f"{name}: {count} x {kind}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
