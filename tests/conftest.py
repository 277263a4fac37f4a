import gc
import os
import signal
import threading

# Threads of linear algebra wait for each other longer than they work: matrices are
# small, and tests keep all cores busy. Libraries read this when they are loaded.
os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1") | {
    **os.environ
}

import pytest

from rosenblatt import tables
from rosenblatt.papers.claims import settle
from tests import scheduling
from tests.own_file import own

__all__ = ["own", "settled"]

# Nothing becomes garbage while tests are collected, and to look for it takes a quarter
# of that time. What is there at the end stays.
gc.disable()

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
    known = {}

    def once(item):
        if item.id not in known:
            known[item.id] = settle(item, quick=True)
        return known[item.id]

    return once


def pytest_make_parametrize_id(config, val, argname):
    """Name bytes by their argument: packed ones hold the time, and workers that name a
    test differently cannot share it."""
    return argname if isinstance(val, bytes) else None


def pytest_collection_modifyitems(config, items):
    """Skip slow tests unless they are asked for, and begin with the longest files."""
    for item in items:
        if "slow" in item.keywords and not config.option.markexpr:
            item.add_marker(pytest.mark.skip(reason="slow: run with -m slow"))
    scheduling.order(items)


def pytest_collection_finish(session):
    """Look for garbage again, but not among modules and tests."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # tests make little garbage: look for it rarely
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep the tests of a file on one of several workers."""
    return scheduling.FileScheduling(config, log)
