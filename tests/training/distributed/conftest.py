"""Workers of Dask on this machine, and what they learn."""

import numpy as np
import pytest

from rosenblatt.system.dask.connection import connect, local_workers
from tests.training.distributed.pieces import COLUMNS, ROWS

pytest.importorskip("distributed")


@pytest.fixture(scope="session")
def workers():
    """Three processes on this machine."""
    with local_workers(3) as found:
        yield found


@pytest.fixture(scope="session")
def client(workers):
    with connect(workers) as found:
        yield found


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
