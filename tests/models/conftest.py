"""A saved model."""

import numpy as np
import pytest

import rosenblatt as rb


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.safetensors"
    X = np.random.default_rng(0).standard_normal((50, 4))
    rb.save_model(rb.BayesPerceptron().fit(X, X[:, 0] > 0), path, extra={"rows": 50})
    return path
