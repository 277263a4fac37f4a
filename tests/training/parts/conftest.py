"""Workers of Dask on this machine, and what they learn.

They stop after the last test of this folder: three idle ones take a tenth of a core.
"""

from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.system.dask_client import connected, local_workers
from tests.training.parts.pieces import COLUMNS, ROWS

pytest.importorskip("distributed")


running = ExitStack()
started = []  # three processes on this machine, and a client of theirs


def start():
    """Start the workers for the first test that uses them."""
    if not started:
        started.append(running.enter_context(local_workers(3)))
        started.append(running.enter_context(connected(scheduler=started[0])))
        running.callback(started.clear)
    return started


@pytest.fixture
def workers():
    return start()[0]


@pytest.fixture
def client():
    return start()[1]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item, nextitem):
    """Stop the workers if the next test is elsewhere."""
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        running.close()


@pytest.fixture(scope="module")
def binary():
    """Rows of -1 and 1, the labels 0, 1 and 2 sorted: some pieces have one class."""
    rng = np.random.default_rng(1)
    X = np.where(rng.random((ROWS, COLUMNS)) < 0.3, 1.0, -1.0)
    y = np.digitize(X.sum(axis=1), [-4, -1])
    order = np.argsort(y, kind="stable")
    return X[order], y[order]


@pytest.fixture(scope="module")
def real():
    rng = np.random.default_rng(2)
    X = 3 + rng.standard_normal((ROWS, COLUMNS)) * np.arange(1, COLUMNS + 1)
    return X, (X @ rng.standard_normal(COLUMNS) > 2).astype(int)
