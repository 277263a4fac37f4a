"""Arrays of older model files."""

import numpy as np
import pytest
from pandas import DataFrame

import rosenblatt as rb
from rosenblatt.models.migrations import covariances_of_factors, with_drift
from tests.models.golden import FOLDER


def test_factors_of_version_2_become_covariances():
    rng = np.random.default_rng(0)
    factors = np.tril(rng.standard_normal((2, 3, 3)), -1)
    shares = rng.uniform(0.5, 2.0, (2, 3))
    given = factors + shares[:, :, None] * np.eye(3)
    other = np.ones((2, 3))
    tensors = {"filters.0.belief": given, "filters.1.belief": other}
    _, found = covariances_of_factors({}, tensors)
    for k in range(2):
        unit = factors[k] + np.eye(3)
        wanted = unit.T @ np.diag(shares[k]) @ unit
        np.testing.assert_allclose(found["filters.0.belief"][k], wanted, rtol=1e-14)
    assert found["filters.1.belief"] is other
    assert tensors["filters.0.belief"] is given


def test_models_of_version_3_go_on_with_their_half_lives():
    model = rb.load_model(FOLDER / "3" / "bayes-auto.safetensors")
    lives = [filter.half_life for filter in model._experts.filters]
    assert lives == [None, None, None, 100.0]
    assert model._experts.mixture.rates.tolist() == [0.0, 0.0, 0.0, 0.01]
    assert model.forgetting_.changes == ()
    before = model.t_
    rows = np.ones((3, model.n_features_in_))
    model.partial_fit(rows, model.classes_[:3])
    assert model.t_ == before + 3
    assert len(model.forgetting_.rows) == 3


def test_a_full_covariance_of_version_3_has_yet_to_forget():
    filter = {
        "half_life": 10.0, "covariance": "full", "examples": 25, "last_change": 20,
        "belief": {"array": "V"},
    }  # fmt: skip
    fields = {"filters": [{"fields": filter}], "mixture": None}
    tree = {"state": {"filters": {"fields": fields}}}
    _, found = with_drift(tree, {"V": np.eye(2)[None]})
    np.testing.assert_allclose(found["V"][0], 2.0**0.5 * np.eye(2))


def test_half_lives_of_version_4_become_drift():
    """The belief stays, and so do predictions; examples to come are learned with it."""
    drifts = rb.load_model(FOLDER / "4" / "bayes-auto.safetensors")._experts.filters
    assert [f.half_life for f in drifts] == [None, None, None, 4096.0, 256.0, 16.0]
    assert [f.input_half_life for f in drifts] == [None] * 6
    model = rb.load_model(FOLDER / "4" / "bayes-diagonal.safetensors")
    filter = model._experts.first
    assert (filter.half_life, filter.input_half_life) == (50.0, 50.0)
    known = filter.variances.mean()
    rows = np.zeros((200, model.n_features_in_)) + filter.center  # tell little
    rows = DataFrame(rows, columns=model.feature_names_in_)
    model.partial_fit(rows, np.resize(model.classes_[:2], 200))
    assert model.t_ == filter.clock + 200
    later = model._experts.first.variances[:, :-1].mean()
    assert known < later <= filter.prior


def test_a_model_of_an_earlier_version_does_not_merge_with_other_filters():
    earlier = rb.load_model(FOLDER / "5" / "bayes-auto.safetensors")  # six filters
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, earlier.n_features_in_))
    model = rb.BayesPerceptron().fit(X, np.resize(earlier.classes_, 30))
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match="other must have the same priors"):
        model.merge(earlier)
    np.testing.assert_array_equal(model.predict_proba(X), before)
