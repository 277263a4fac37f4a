"""The slowest files of tests in the last run of ``make tests``, as a table.

``make slowest`` prints it and writes it to ``docs/slowest_tests.md``, from where the
next run takes the order of files.
"""

import sys
from collections import defaultdict
from xml.etree import ElementTree

from tests.scheduling import TABLE

MOST = 20  # files in the table


def table(path):
    """Return the table of a run, from its record in XML."""
    times = defaultdict(dict)
    for case in ElementTree.parse(path).iter("testcase"):
        file = case.get("classname").replace(".", "/") + ".py"
        test = case.get("name").partition("[")[0]
        of_file = times[file]
        of_file[test] = of_file.get(test, 0.0) + float(case.get("time"))
    slowest = sorted(times, key=lambda file: -sum(times[file].values()))[:MOST]
    rows = [
        f"| `{file}` | {sum(times[file].values()):.0f} | "
        f"`{max(times[file], key=times[file].get)}` |"
        for file in slowest
    ]
    return "\n".join(["| file | seconds | slowest test |", "|---|---|---|", *rows])


if __name__ == "__main__":
    found = table(sys.argv[1])
    print(found)
    head, _, _ = TABLE.read_text().partition("| file ")
    TABLE.write_text(f"{head}{found}\n")
