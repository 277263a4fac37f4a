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
from rosenblatt.training.distributed import cluster
from tests.training.distributed.pieces import (
    CHUNKS,
    COLUMNS,
    COUNTERS,
    cut,
    lazy,
    saved,
)

distributed = pytest.importorskip("distributed")
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


def test_a_worker_killed_in_the_middle_changes_nothing(client, tmp_path):
    model = rb.BayesPerceptron("diagonal")
    flag = tmp_path / "killed"
    pieces = [functools.partial(dangerous, i, str(flag)) for i in range(6)]
    found = rb.fit_parts(clone(model), pieces, classes=[0, 1], client=client)
    assert flag.exists()
    same = rb.fit_parts(clone(model), pieces, classes=[0, 1])
    assert saved(found, tmp_path) == saved(same, tmp_path)


def test_workers_of_another_version_learn_nothing(client, real, monkeypatch):
    monkeypatch.setattr(cluster, "code_digest", lambda: "newer")
    model = rb.OnlinePerceptron()
    with (
        pytest.warns(UserWarning, match="tcp://.* of Dask has another version"),
        pytest.raises(ValueError, match="all workers of Dask have another version"),
    ):
        rb.fit_parts(model, cut(*real), client=client)
    assert not hasattr(model, "coef_")


def where(piece, shared):
    return distributed.get_worker().address


def test_what_some_workers_may_not_have_others_get(client):
    one, *others = client.nthreads()
    groups = dict.fromkeys(range(6), ())
    sent = cluster._sent(where, None, client, set(others), groups)
    assert sorted(sent.values()) == sorted(groups)
    assert set(client.gather(list(sent))) == {one}


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
    for count in (1, 2, 3):
        workers.scale(count)
        deadline = time.monotonic() + 60
        while len(client.nthreads()) != count and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(client.nthreads()) == count
        for model, data, bits in zip(models, given, wanted, strict=True):
            parts = lazy(*data, CHUNKS[3])
            found = rb.fit_parts(clone(model), *parts, client=client)
            assert saved(found, tmp_path) == bits
