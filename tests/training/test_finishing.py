import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training import load
from rosenblatt.training.options import make
from tests.tables.examples import table, write
from tests.training.running import learn


@pytest.mark.parametrize("name", ["holdout", "holdout_last"])
def test_the_finished_model_is_evaluated_on_rows_it_has_not_learned(name, tmp_path):
    given = table(1000)
    path = write(given, tmp_path / "x.csv")
    run = learn(path, "won", batch_rows=64, **{name: 0.2})
    test = run.record.test
    assert run.record.rows + test.rows == 1000
    assert 140 < test.rows < 260
    if name == "holdout_last":  # the model is that of the other rows, and so is this
        first, last = slice(run.record.rows), slice(run.record.rows, None)
        alone = learn(
            write({k: v[first] for k, v in given.items()}, tmp_path / "y.csv"),
            "won",
            batch_rows=64,
        )
        np.testing.assert_allclose(alone.model.coef_, run.model.coef_)
        rest = write({k: v[last] for k, v in given.items()}, tmp_path / "z.csv")
        labels = [
            x
            for part in rb.training.predict(run.model, rest)
            for x in part.columns["prediction"]
        ]
        assert sum(test.wrong) == np.sum(labels != given["won"][last])


def test_a_model_that_goes_on_without_rows_held_out_has_no_evaluation(tmp_path):
    path, model = write(table(200), tmp_path / "x.csv"), tmp_path / "model"
    assert learn(path, "won", holdout=0.2, save=model).record.test is not None
    assert learn(path, continued=model).record.test is None


@pytest.mark.filterwarnings("ignore:.*more than two values.*:UserWarning")
@pytest.mark.parametrize(
    "model", ["bayes", "perceptron", "binary-perceptron:threshold=least error"]
)
def test_rows_with_weights_are_learned_held_out_and_kept(model, tmp_path):
    given = table(300) | {"times": np.arange(300) % 3}
    path, save = write(given, tmp_path / "x.csv"), tmp_path / "model.safetensors"
    options = {
        "model": model,
        "columns": {"times": "weight"},
        "batch_rows": 64,
        "holdout_last": 0.2,
    }
    run = learn(path, "won", save=save, **options)
    kept = load(save)
    assert kept.record == run.record
    assert run.model.t_ == given["times"][: run.record.rows].sum()
    if hasattr(run.model, "threshold_examples_"):  # from the rows that were learned
        assert run.model.threshold_examples_ == run.model.t_


@pytest.mark.parametrize("model", ["bayes", "perceptron"])
def test_weights_of_a_file_may_be_fractions(model, tmp_path):
    given, half = table(300), np.random.default_rng(0).integers(0, 5, 300) / 2
    path = write(given | {"times": half}, tmp_path / "x.csv")
    options = {"model": model, "columns": {"times": "weight", "side": "ignore"}}
    run = learn(path, "won", batch_rows=100, holdout_last=0.2, **options)
    twin = make(model)
    X = np.column_stack([given["a"], given["b"]])
    if run.encoder.scales is not None:
        X = (X - run.encoder.means) / run.encoder.scales / np.sqrt(2)
    for part in (slice(100), slice(100, 200), slice(200, 240)):
        known = {"classes": [0, 1]} if part.start is None else {}
        twin.partial_fit(X[part], given["won"][part], sample_weight=half[part], **known)
    np.testing.assert_allclose(run.model.coef_, twin.coef_, rtol=1e-10)
    assert run.record.rows == 240
    assert run.record.test.rows == half[240:].sum()


def test_models_that_count_refuse_fractions(tmp_path):
    path = write(table(300) | {"times": np.full(300, 0.5)}, tmp_path / "x.csv")
    given = {"model": "clipped-hebb:binarise=0", "columns": {"times": "weight"}}
    with pytest.raises(ValueError, match="sample_weight must be whole"):
        learn(path, "won", **given)


@pytest.mark.filterwarnings("ignore:.*more than two values.*:UserWarning")
def test_a_binary_perceptron_goes_on_with_other_files(tmp_path):
    given, model = table(400), "binary-perceptron:threshold=least error"
    path, save = write(given, tmp_path / "x.csv"), tmp_path / "model.safetensors"
    first = learn(path, "won", model=model, save=save)
    same = learn(path, continued=save)  # of the same rows weights are the same
    np.testing.assert_array_equal(same.model.coef_, first.model.coef_)
    assert same.model.threshold_examples_ == same.model.t_ == 800
    swapped = given | {"won": 1 - given["won"]}
    many = {k: np.tile(v, 3) for k, v in swapped.items()}
    after = learn(write(many, tmp_path / "y.csv"), continued=save, batch_rows=64)
    assert not np.array_equal(after.model.coef_, first.model.coef_)
    assert (after.model.threshold_examples_, after.model.t_) == (1200, 1600)


@pytest.mark.filterwarnings("ignore:.*more than two values.*:UserWarning")
@pytest.mark.parametrize(
    "model", ["bayes", "binary-perceptron:threshold=least error", "perceptron"]
)
def test_batches_whose_weights_are_zero_teach_nothing(model, tmp_path):
    times = np.repeat([1, 0, 2, 0], [50, 60, 40, 50])
    path = write(table(200) | {"times": times}, tmp_path / "x.csv")
    options = {"model": model, "columns": {"times": "weight"}, "batch_rows": 10}
    run = learn(path, "won", **options)
    assert (run.record.rows, run.model.t_) == (200, times.sum())
    joined = learn(path, "won", piece_rows=2**20, **options)
    assert joined.model.t_ == times.sum()


def test_rows_to_hold_out_must_be_found_again(tmp_path):
    path = write(table(50), tmp_path / "x.csv.gz")
    assert learn(path, "won", holdout_last=0.5).record.rows == 25
    with pytest.raises(ValueError, match="can be read again, got standard input"):
        learn("-", "won", holdout=0.5)


def test_costs_need_probabilities(tmp_path):
    path = write(table(50), tmp_path / "x.csv")
    with pytest.raises(ValueError, match="perceptron gives none; take the model"):
        learn(path, "won", model="perceptron", costs={1: 5})


def test_costs_are_of_known_labels(tmp_path):
    path = write(table(200), tmp_path / "x.csv")
    assert learn(path, "won", costs={"1": 5}).task.factors[1] == 5.0
    with pytest.raises(ValueError, match=r"^costs must be of the labels 0, 1, got '2'"):
        learn(path, "won", costs={2: 5})
    run = learn(path, "won", costs={2: 5}, classes=[0, 1, 2])
    assert run.task.factors.tolist() == [1.0, 1.0, 5.0]
