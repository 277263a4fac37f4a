import numpy as np
from river import stream
from sklearn.datasets import load_iris

import rosenblatt as rb
from rosenblatt.river import OnlinePerceptron


def test_online_perceptron_equals_the_estimator():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    estimator = rb.OnlinePerceptron(rb.rules.PassiveAggressive()).fit(X, y)
    model = OnlinePerceptron(rb.rules.PassiveAggressive(), classes=[0, 1, 2])
    for x, label in stream.iter_array(X, y):
        model.learn_one(x, label)
    weights = np.array([model.weights[column] for column in range(4)]).T
    np.testing.assert_allclose(weights, estimator.coef_, rtol=1e-12)
