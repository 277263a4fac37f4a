import tracemalloc

import numpy as np
import pytest
from scipy.sparse import random as random_matrix

import rosenblatt as rb
from rosenblatt.training import budget, sources
from rosenblatt.training.budget import check_memory, memory
from rosenblatt.training.kinds import MODELS, make

WIDE = 2**16


def peak(model, X, y):
    tracemalloc.start()
    model.partial_fit(X, y, classes=[0, 1])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.parametrize(
    "name", ["bayes-full", "bayes", "bayes-diagonal", "perceptron"]
)
def test_models_need_no_more_than_is_estimated(name):
    rows, columns = 64, 1500
    X = np.random.default_rng(0).standard_normal((rows, columns))
    y = np.arange(rows) % 2
    make(name).partial_fit(X, y, classes=[0, 1])  # what is compiled does not count
    estimate = memory(make(name), columns, 2, rows, sparse=False)
    assert peak(make(name), X, y) < estimate


def test_covariances_need_most_of_what_is_estimated():
    rows, columns = 16, 1500
    X = np.random.default_rng(0).standard_normal((rows, columns))
    y = np.arange(rows) % 2
    estimate = memory(make("bayes-full"), columns, 2, rows, sparse=False)
    assert peak(make("bayes-full"), X, y) > estimate / 3


@pytest.mark.parametrize("name", ["bayes", "bayes-diagonal", "bayes-spherical"])
def test_sparse_rows_need_no_more_than_is_estimated(name):
    rows, columns = 300, 20_000
    X = random_matrix(rows, columns, 0.001, format="csr", random_state=0)
    y = np.arange(rows) % 2
    make(name).partial_fit(X, y, classes=[0, 1])
    estimate = memory(make(name), columns, 2, rows, sparse=True)
    assert peak(make(name), X, y) < estimate


def test_every_model_has_an_estimate_that_grows():
    for name in MODELS:
        few, many = (memory(make(name), d, 2, 100, sparse=True) for d in (10, 1000))
        assert 0 < few < many


def hashed(path):
    lines = (f"word{i},{i % 2}" for i in range(9000))
    path.write_text("\n".join(["word,y", *lines]))
    return path


@pytest.mark.parametrize("name", ["bayes-full", "bayes-spherical", "binary-bayes"])
def test_too_much_is_refused_after_the_first_batch(name, tmp_path, monkeypatch):
    path = hashed(tmp_path / "x.csv")

    def scanned(*_):
        raise AssertionError("the file was read")

    monkeypatch.setattr(sources.Sources, "_scanned", scanned)
    with pytest.raises(ValueError, match="65536 features") as caught:
        rb.train(path, "y", model=name)
    said = str(caught.value)
    assert said.startswith(f"model {name} must need at most 2.0 GiB, got about ")
    assert "take bayes or bayes-diagonal or perceptron or fewer features" in said


def test_what_is_named_instead_is_taken(tmp_path):
    path = hashed(tmp_path / "x.csv")
    assert rb.train(path, "y", model="bayes-diagonal").record.rows == 9000
    assert rb.train(path, "y", model="bayes-full", hash_bits=6).record.rows == 9000


def test_more_classes_need_more(monkeypatch):
    need = memory(make("bayes-full"), 100, 2, 10, sparse=False)
    monkeypatch.setattr(budget, "BUDGET", need)
    check_memory("bayes-full", 100, 2, 10, sparse=False)
    with pytest.raises(ValueError, match="for 100 features; take bayes or"):
        check_memory("bayes-full", 100, 10, 10, sparse=False)
