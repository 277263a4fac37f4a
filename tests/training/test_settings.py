import numpy as np
import pandas as pd
import pytest

import rosenblatt as rb
from rosenblatt.training import Settings
from tests.tables.examples import table, write


def test_columns_can_be_said_to_be_something_else(csv):
    trained = rb.train(csv, "won", categorical=["a"], ignore=["b"], hash_bits=6)
    assert trained.encoder.columns[:2] == ((), ("a", "side"))
    assert trained.encoder.hashed
    assert trained.model.n_features_in_ == 4 + 64
    with pytest.raises(ValueError, match="line 2, column 'side': not a number: '"):
        rb.train(write(table(20), csv.parent / "y.csv"), "won", numeric=["side"])


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("lost", {}, "has no column 'lost'; it has 'a', 'b', 'side', 'won'"),
        ("won", {"ignore": ["c"]}, "has no column 'c'"),
        ("won", {"ignore": ["a", "b", "side"]}, "no column besides the target"),
        ("won", {"numeric": ["won"]}, "numeric must not have the target"),
        ("a", {"classes": ["1"]}, "classes must be two"),
        ("won", {"model": "forest"}, "model must be one of bayes"),
        ("won", {"model": "bayes:age=1"}, "model bayes has no parameter 'age=1'"),
        ("won", {"rule": "hebb"}, "rule goes with the model perceptron only"),
        ("won", {"passes": 2}, "passes must be 1 but for"),
        ("won", {"on_error": "ask"}, "on_error must be one of stop, skip"),
        ("won", {"checkpoint_every": "0s"}, "checkpoint_every must be"),
        ("won", {"categories": "no"}, "categories must be one of"),
        ("won", {"hash_bits": 40}, "hash_bits must be from 1 to 28"),
        ("won", {"format": "xml"}, "format must be one of"),
    ],
)
def test_wrong_arguments_are_named(target, options, message, csv):
    with pytest.raises(ValueError, match=message):
        rb.train(csv, target, **options)


def test_a_number_is_no_label(tmp_path):
    x = np.random.default_rng(0).standard_normal(2000)
    path = write({"a": x, "price": x}, tmp_path / "x.csv")
    with pytest.raises(ValueError, match="at most 1000 different values"):
        rb.train(path, "price")
    one = write({"a": x, "y": np.ones(2000, int)}, tmp_path / "y.csv")
    with pytest.raises(ValueError, match=r"two labels or more, got \['1'\]"):
        rb.train(one, "y")


def test_settings_can_be_seen():
    given = Settings(files=("x.csv",), target="y")
    assert (given.model, given.standardised) == ("bayes", None)
    assert Settings(files=("x.csv",), target="y", model="perceptron").standardised


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("x.svm", {"ignore": ["1"]}, "ignore must not be given for svmlight files"),
        ("x.svm", {"weight": "1"}, "weight must not be given for svmlight files"),
        ("x.svm", {"hash_bits": 4}, "hash_bits must not be given for svmlight files"),
        ("x.svm", {"delimiter": ";"}, "delimiter must not be given for svmlight files"),
        ("x.csv", {"features": 3}, "features must not be given for csv files"),
        ("x.npy", {"delimiter": ";"}, "delimiter must not be given for npy files"),
    ],
)
def test_options_that_mean_nothing_for_a_format_are_refused(file, options, message):
    with pytest.raises(ValueError, match=message):
        Settings(files=(file,), target="y", **options)


def test_a_table_in_memory_is_no_path():
    with pytest.raises(TypeError, match=r"be a path .* got DataFrame; est"):
        rb.train(pd.DataFrame({"x": [0.0, 1.0], "y": [0, 1]}), "y")
