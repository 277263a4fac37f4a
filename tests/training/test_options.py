import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training import MODELS
from rosenblatt.training.options import Options, make
from tests.tables.examples import table, write
from tests.training.running import learn


def test_columns_can_be_said_to_be_something_else(csv):
    trained = learn(csv, "won", columns={"a": "hash", "b": "ignore"})
    assert trained.encoder.texts == ("a", "side")
    assert trained.encoder.hashed_columns == ["a"]
    assert trained.model.n_features_in_ == 4 + 2**13
    with pytest.raises(ValueError, match="row 2, column 'side': not a number: '"):
        learn(write(table(20), csv.parent / "y.csv"), "won", columns={"side": "number"})


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        ("lost", {}, "has no column 'lost'; it has 'a', 'b', 'side', 'won'"),
        ("won", {"columns": {"c": "ignore"}}, "has no column 'c'"),
        (
            "won",
            {"columns": dict.fromkeys(["a", "b", "side"], "ignore")},
            "no column besides the target",
        ),
        ("won", {"columns": {"won": "number"}}, "number must not have the target"),
        ("won", {"columns": {"a": "target"}}, "target must be one column, got a, won"),
        ("won", {"columns": {"a": "list"}}, "columns must have roles among target, nu"),
        ("won", {"costs": {"0": -1}}, "costs must be LABEL=NUMBER with 0 < NUMBER"),
        ("won", {"model": "bayes:speed=3"}, "bayes has no parameter 'speed=3'; possib"),
        ("won", {"model": "bayes-full:covariance=diagonal"}, "has no parameter"),
        ("won", {"model": "bayes:half_life=-3"}, "^half_life must be None or a number"),
        ("a", {"classes": ["1"]}, "classes must be two"),
        ("won", {"model": "forest"}, "model must be one of bayes"),
        ("won", {"model": "bayes:age=1"}, "model bayes has no parameter 'age=1'"),
        ("won", {"rule": "hebb"}, "rule goes with the model perceptron only"),
        ("won", {"on_error": "ask"}, "on_error must be one of stop, skip"),
        ("won", {"checkpoint_every": -1}, "checkpoint_every must be"),
        ("won", {"format": "xml"}, "format must be one of"),
    ],
)
def test_wrong_arguments_are_named(target, options, message, csv):
    with pytest.raises(ValueError, match=message):
        learn(csv, target, **options)


def test_numbers_are_many_labels(tmp_path):
    x = np.random.default_rng(0).standard_normal(2000)
    path = write({"a": x, "price": x}, tmp_path / "x.csv")
    with pytest.raises(ValueError, match="at most 1000 different values"):
        learn(path, "price", task="classify")
    one = write({"a": x, "y": np.ones(2000, int)}, tmp_path / "y.csv")
    with pytest.raises(ValueError, match=r"two labels or more, got '1'"):
        learn(one, "y")


@pytest.mark.parametrize("name", MODELS)
def test_every_name_is_a_model(name):
    kind, given, _ = MODELS[name]
    found = make(name)
    assert type(found) is kind
    assert given.items() <= found.get_params().items()


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        (
            "x.svm",
            {"columns": {"1": "ignore"}},
            "columns must not be given for svmlight",
        ),
        ("x.svm", {"delimiter": ";"}, "for csv and tsv files only, got .'svml"),
    ],
)
def test_options_that_mean_nothing_for_a_format_are_refused(file, options, message):
    with pytest.raises(ValueError, match=message):
        Options(files=(file,), target="y", **options)


def test_a_folder_or_a_pattern_is_all_its_files(tmp_path):
    given = table(300)
    for k in range(3):
        part = {name: values[100 * k : 100 * k + 100] for name, values in given.items()}
        write(part, tmp_path / f"part-{k}.csv")
    paths = [str(tmp_path / f"part-{k}.csv") for k in range(3)]
    for source in (tmp_path, tmp_path / "part-*.csv", paths):
        run = learn(source, "won", batch_rows=50)
        assert (list(run.options.files), run.record.rows) == (paths, 300)


DENSE = ("bayes-full", "bayes-spherical", "binary-bayes", "clipped-hebb")


def test_models_of_dense_rows_get_one_hot_levels(tmp_path):
    path = tmp_path / "x.csv"
    lines = (f"w{i % 150},{i % 2}" for i in range(600))
    path.write_text("\n".join(["word,y", *lines]))
    assert learn(path, "y").encoder.hashed_columns == ["word"]
    for name in DENSE:
        run = learn(path, "y", model=name)
        assert (run.encoder.hashed_columns, run.encoder.features) == ([], 151)
        with pytest.raises(ValueError, match=f"model {name} takes dense rows"):
            rb.train(path, "y", model=name, columns={"word": "hash"})
