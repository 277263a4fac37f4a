"""Tests on several workers: what shares fixtures and compiled code stays together.

That is a file, and of the claims, which are all in one, those of a paper; each format
of hostile inputs is by itself. The files of the table in ``docs/slowest_tests.md``
come first, so that no worker has a long one left in the end. The marks of xdist have
no effect with pytest 9.2, whose items do not take another name.
"""

import re
from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

TABLE = Path(__file__).parents[1] / "docs" / "slowest_tests.md"
APART = ("test_papers.py", "test_fixed_corpus.py")


def group(nodeid):
    """Return the group of a test.

    >>> group("tests/core/test_starts.py::test_a_start[3]")
    'tests/core/test_starts.py'
    >>> group("tests/conformance/test_papers.py::test_claims[barkai1995/eq5]")
    'tests/conformance/test_papers.py barkai1995'
    """
    file, _, name = nodeid.partition("::")
    if not file.endswith(APART) or "[" not in name:
        return file
    return f"{file} {name.partition('[')[2].rstrip(']').partition('/')[0]}"


def order(items):
    """Sort tests: the slowest files first, and all others as they are."""
    text = TABLE.read_text() if TABLE.exists() else ""
    rows = re.findall(r"^\| `([^`]+\.py)` \| ([\d.]+) ", text, re.MULTILINE)
    seconds = {file: float(taken) for file, taken in rows}
    items.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], 0.0))


class FileScheduling(LoadScopeScheduling):
    """Scheduling by groups, in the order of the tests."""

    def __init__(self, config, log=None):
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid):
        return group(nodeid)
