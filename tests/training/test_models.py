import tracemalloc

import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training import models as module
from rosenblatt.training import sources
from rosenblatt.training.models import MODELS, check_memory, make, memory


@pytest.mark.parametrize("name", MODELS)
def test_every_name_is_a_model(name):
    kind, given = MODELS[name]
    found = make(name)
    assert type(found) is kind
    assert given.items() <= found.get_params().items()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "bayes:speed=3",
            "model bayes has no parameter 'speed=3'; possible: class_weight, cov",
        ),
        ("bayes-full:covariance=diagonal", "has no parameter"),
        ("bayes:half_life", "has no parameter"),
        ("perceptron:max_iter=3", "has no parameter 'max_iter=3'"),
        ("bayes:half_life=-3", "^half_life must be None or a number above 0"),
    ],
)
def test_unknown_parameters_are_named(text, message):
    with pytest.raises(ValueError, match=message):
        make(text)


def test_a_rule_goes_with_a_perceptron_only():
    with pytest.raises(ValueError, match="rule goes with the model perceptron only"):
        make("bayes", rule="hebb")


def peak(model, X, y):
    tracemalloc.start()
    model.partial_fit(X, y, classes=[0, 1])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def test_covariances_need_about_what_is_estimated():
    rows, columns = 64, 600
    X = np.random.default_rng(0).standard_normal((rows, columns))
    y = np.arange(rows) % 2
    make("bayes-full").partial_fit(X, y, classes=[0, 1])  # compiled now
    estimate = memory(make("bayes-full"), columns, 2, rows, sparse=False)
    assert estimate / 3 < peak(make("bayes-full"), X, y) < estimate


def test_every_model_has_an_estimate_that_grows():
    for name in MODELS:
        few, many = (memory(make(name), d, 2, 100, sparse=True) for d in (10, 1000))
        assert 0 < few < many


def hashed(path):
    lines = (f"word{i},{i % 2}" for i in range(9000))
    path.write_text("\n".join(["word,y", *lines]))
    return path


DENSE = ("bayes-full", "bayes-spherical", "binary-bayes", "clipped-hebb")


@pytest.mark.parametrize("name", DENSE)
def test_hashed_tables_are_refused_after_the_first_batch(name, tmp_path, monkeypatch):
    path = hashed(tmp_path / "x.csv")

    def scanned(*_):
        raise AssertionError("the file was read")

    monkeypatch.setattr(sources.Sources, "labels", scanned)
    monkeypatch.setattr(sources.Sources, "batches", scanned)
    with pytest.raises(ValueError, match=f"model {name} takes dense rows") as caught:
        rb.train(path, "y", model=name, categories="hash")
    assert "take bayes, bayes-diagonal or perceptron, or ignore word" in str(
        caught.value
    )
    if name == "bayes-full":
        with pytest.raises(ValueError, match="at most 2048 features, got 8193"):
            rb.train(path, "y", model=name)


def test_models_of_dense_rows_get_one_hot_levels(tmp_path):
    path = tmp_path / "x.csv"
    lines = (f"w{i % 150},{i % 2}" for i in range(600))
    path.write_text("\n".join(["word,y", *lines]))
    assert rb.train(path, "y").encoder.hashed
    for name in DENSE:
        run = rb.train(path, "y", model=name)
        assert (run.encoder.hashed, run.encoder.features) == (False, 151)


def test_more_classes_need_more(monkeypatch):
    need = memory(make("bayes-full"), 1000, 2, 10, sparse=False)
    monkeypatch.setattr(module, "BUDGET", need)
    check_memory("bayes-full", 1000, 2, 10, sparse=False)
    with pytest.raises(ValueError, match="for 1000 features; take bayes or"):
        check_memory("bayes-full", 1000, 10, 10, sparse=False)
