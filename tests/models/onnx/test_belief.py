import numpy as np

import rosenblatt as rb
from tests.models.onnx_runs import compare, exported


def test_more_columns_with_full_covariances(tmp_path):
    random = np.random.default_rng(5)
    X = random.standard_normal((400, 60))
    model = rb.BayesPerceptron("full").fit(X, X[:, :9].sum(axis=1) > 0)
    compare(model, exported(model, tmp_path), X, X)
