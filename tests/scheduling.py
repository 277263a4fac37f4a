"""Groups of tests that share fixtures and compiled code, for runs on several workers.

A group is a file, a folder whose files share workers of Dask, or the claims of one
paper. The slowest files come early, so that no worker has a long one left in the end.
The marks of xdist have no effect with pytest 9.2, whose items do not take another name.
"""

from xdist.scheduler import LoadScopeScheduling

SLOWEST = (
    "tests/test_site.py",
    "tests/sweeps/test_faults.py",
    "tests/lab/test_access.py",
    "tests/conformance/test_engines.py",
    "tests/compiling/test_storage.py",
    "tests/report/page/test_in_browser.py",
    "tests/lab/test_server.py",
    "tests/sweeps/test_dask.py",
    "tests/test_documents.py",
)
APART = "test_papers.py"
TOGETHER = "tests/training/distributed/"
# Threads of Dask outlive their tests. A process with threads cannot be forked,
# and to start Python anew for each child takes a second.
FORKING = ("tests/cli/", "tests/report/", "tests/sweeps/test_", "tests/system/")


def group(nodeid):
    """Return the group of a test.

    >>> group("tests/core/test_starts.py::test_a_start[3]")
    'tests/core/test_starts.py'
    >>> group("tests/conformance/test_papers.py::test_claims[barkai1995/eq5]")
    'tests/conformance/test_papers.py barkai1995'
    """
    file, _, name = nodeid.partition("::")
    if file.startswith(TOGETHER):
        return TOGETHER
    if not file.endswith(APART) or "[" not in name:
        return file
    return f"{file} {name.partition('[')[2].rstrip(']').partition('/')[0]}"


def turn(nodeid):
    """Return when the group of a test has its turn: 0 is first.

    >>> turn("tests/cli/test_app.py::test_help"), turn("tests/test_site.py")
    (0, 1)
    """
    return 0 if nodeid.startswith(FORKING) else 1


def order(items):
    """Sort tests: by turns, the slowest groups first, and all others as they are."""
    slowest = {file: place for place, file in enumerate(SLOWEST)}
    items.sort(
        key=lambda item: (
            turn(item.nodeid),
            slowest.get(group(item.nodeid.partition("[")[0]), len(slowest)),
        )
    )


class FileScheduling(LoadScopeScheduling):
    """Scheduling by groups, in the order of the tests."""

    def __init__(self, config, log=None):
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid):
        return group(nodeid)

    def remove_node(self, node):
        """Give up the test that crashed its worker: xdist would run it again."""
        for unit in self.assigned_work[node].values():
            for test, done in unit.items():
                if not done:
                    unit[test] = True
                    super().remove_node(node)
                    return test
        return super().remove_node(node)
