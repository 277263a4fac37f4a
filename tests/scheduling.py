"""Files of tests that share fixtures and compiled code, on several workers.

Files whose tests share workers of Dask stay together. The slowest files come early, so
that no worker has a long one left in the end. The marks of xdist have no effect with
pytest 9.2, whose items do not take another name.
"""

from xdist.scheduler import LoadScopeScheduling

SLOWEST = ("tests/test_site.py", "tests/test_hostile.py", "tests/training/test_resum")
TOGETHER = "tests/training/parts/"
# Threads of Dask outlive their tests. A process with threads cannot be forked,
# and to start Python anew for each child takes a second.
FORKING = ("tests/cli/", "tests/report/", "tests/sweeps/test_", "tests/system/")


def order(items):
    """Sort tests: those that fork, the slowest, those with Dask, and all others."""
    first = (FORKING, SLOWEST, TOGETHER)

    def turn(item):
        known = (i for i, some in enumerate(first) if item.nodeid.startswith(some))
        return next(known, len(first))

    items.sort(key=turn)


class FileScheduling(LoadScopeScheduling):
    """Scheduling by files, in the order of the tests."""

    def __init__(self, config, log=None):
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid):
        if nodeid.startswith(TOGETHER):
            return TOGETHER
        file, _, name = nodeid.partition("::")
        if file.endswith("test_papers.py"):  # the claims of a paper
            return file + name.partition("[")[2].partition("/")[0]
        return file

    def remove_node(self, node):
        """Give up the test that crashed its worker: xdist would run it again."""
        for unit in self.assigned_work[node].values():
            for test, done in unit.items():
                if not done:
                    unit[test] = True
                    super().remove_node(node)
                    return test
        return super().remove_node(node)
