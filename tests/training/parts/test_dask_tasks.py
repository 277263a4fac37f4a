"""Workers that come, go and die change nothing."""

import functools
import os
import pickle
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import rosenblatt as rb
from tests.training.parts.pieces import (
    CHUNKS,
    COLUMNS,
    COUNTERS,
    cut,
    lazy,
    saved,
)

pytest.importorskip("distributed")
# The middle one of three classes cannot be told from the rest, which is said.
pytestmark = pytest.mark.filterwarnings(
    "ignore:the share of positive:sklearn.exceptions.ConvergenceWarning"
)


def dangerous(number, flag):
    """Rows of a piece; the process that first asks for the third is killed."""
    if number == 3 and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    rng = np.random.default_rng(number)
    X = rng.standard_normal((200, COLUMNS))
    return X, (X[:, 0] + 0.3 * rng.standard_normal(200) > 0).astype(int)


@pytest.mark.slow  # Dask takes its time; killed processes are in other files
def test_a_worker_killed_in_the_middle_changes_nothing(client, tmp_path):
    model = rb.BayesPerceptron("diagonal")
    flag = tmp_path / "killed"
    pieces = [functools.partial(dangerous, i, str(flag)) for i in range(6)]
    found = rb.fit_parts(clone(model), pieces, classes=[0, 1], client=client)
    assert flag.exists()
    same = rb.fit_parts(clone(model), pieces, classes=[0, 1])
    assert saved(found, tmp_path) == saved(same, tmp_path)


def fatal():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow  # four workers are started again
def test_a_piece_that_kills_every_worker_is_named(client, real):
    pieces = [*cut(*real)[:2], fatal]
    with pytest.raises(
        ConnectionError, match="again and again while they learned piece"
    ):
        rb.fit_parts(rb.OnlinePerceptron(), pieces, classes=[0, 1], client=client)


def test_errors_of_pieces_are_raised_as_they_are(client, real):
    def missing():
        raise OSError("no such disk")

    with pytest.raises(OSError, match="no such disk"):
        rb.fit_parts(rb.OnlinePerceptron(), [*cut(*real), missing], client=client)


def test_what_a_task_returns_does_not_grow_with_its_rows():
    X, y = dangerous(0, "")
    model = rb.BayesPerceptron("diagonal").fit(X, y)
    few = len(pickle.dumps(model))
    model.partial_fit(np.tile(X, (50, 1)), np.tile(y, 50))
    assert len(pickle.dumps(model)) < few + 100  # longer numbers of examples


def test_any_number_of_workers_gives_the_same_bits(
    workers, client, binary, real, tmp_path
):
    models = [*COUNTERS, rb.BayesPerceptron("diagonal"), rb.OnlinePerceptron()]
    given = [binary if model in COUNTERS else real for model in models]
    wanted = []
    for model, (X, y) in zip(models, given, strict=True):
        alone = rb.fit_parts(clone(model), cut(X, y, CHUNKS[3]))
        wanted.append(saved(alone, tmp_path))
        if model in COUNTERS:
            assert wanted[-1] == saved(clone(model).fit(X, y), tmp_path)
    for count in (3, 2, 1):  # to stop workers costs nothing, to start them does
        workers.scale(count)
        deadline = time.monotonic() + 60
        while len(client.nthreads()) != count and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(client.nthreads()) == count
        for model, data, bits in zip(models, given, wanted, strict=True):
            parts = lazy(*data, CHUNKS[3])
            found = rb.fit_parts(clone(model), *parts, client=client)
            assert saved(found, tmp_path) == bits
