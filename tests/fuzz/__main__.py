"""Give hostile inputs to the library: ``python -m tests.fuzz FORMAT --seconds 60``.

Cases run in child processes. A case is a function of the format, the seed and its
number, and of the golden inputs, which the library itself makes.
"""

import argparse
import sys

from tests.fuzz.cases import ACCEPTED, FAULT, REFUSED
from tests.fuzz.formats import FORMATS
from tests.fuzz.session import BATCH, KEPT, opened


def main():
    """Run the cases, print the table, and return 1 if there were faults."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("formats", nargs="+", choices=[*FORMATS, "all"])
    parser.add_argument("--seconds", type=float, help="of each format")
    parser.add_argument("--cases", type=int, help="of each format")
    parser.add_argument("--batch", type=int, default=BATCH, help="cases of a child")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run this one, and say all about it")
    parser.add_argument("--keep", default=KEPT, help="folder for inputs with faults")
    asked = parser.parse_args()
    cases = asked.cases or (1000 if asked.seconds is None else None)
    found = []
    if asked.case is None:
        print("| format | cases | refused | accepted | faults |")
        print("|---|---:|---:|---:|---:|")
    for name in FORMATS if "all" in asked.formats else asked.formats:
        with opened(name, FORMATS[name], asked.seed, asked.keep) as session:
            if asked.case is not None:
                print(session.one(asked.case))
                continue
            counts, faults = session.many(cases, asked.seconds, asked.batch)
        row = [name, counts.total(), *(counts[k] for k in (REFUSED, ACCEPTED, FAULT))]
        print(f"| {' | '.join(map(str, row))} |", flush=True)
        found += [f"{name}: {n} x {kind}" for kind, n in faults.most_common()]
    print(*found, sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
