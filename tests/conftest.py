import functools
import signal
import threading

import pytest

from rosenblatt import tables
from rosenblatt.papers.verdicts import settle
from tests.own_file import own

__all__ = ["own", "settled"]

# Other modules load this folder on use. If pytest collects doctests before, it loads
# files of the folder twice, with two classes of each name.
vars(tables)


# Programs that a shell starts in the background ignore Ctrl-C, and so do children of
# theirs, to whom tests send it.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def settled():
    """Settle each claim once, in quick mode."""
    return functools.cache(lambda item: settle(item, quick=True))


def pytest_make_parametrize_id(config, val, argname):
    """Name bytes by their argument: packed ones hold the time, and workers that name a
    test differently cannot share it."""
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(config, items):
    """Keep together, on one of several workers, what shares compiled code and runs.

    That is a file, and of the claims, which are all in one, those of a paper; each
    format of hostile inputs is by itself. Slow tests are run only if asked for.
    """
    for item in items:
        if "slow" in item.keywords and not config.option.markexpr:
            item.add_marker(pytest.mark.skip(reason="slow: run with -m slow"))
        group = item.nodeid.partition("::")[0]
        if "test_papers.py" in group and "[" in item.name:
            group += item.name.partition("[")[2].partition("/")[0]
        if "test_fixed_corpus.py" in group:
            group += item.name.partition("[")[2]
        item.add_marker(pytest.mark.xdist_group(group))
