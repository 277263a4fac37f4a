import numpy as np
import pandas as pd
from river import datasets, evaluate, metrics, multiclass, stream
from sklearn.datasets import load_iris

import rosenblatt as rb
from rosenblatt.river import BayesPerceptron


def test_bayes_perceptron_equals_the_estimator():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    X, y = X[order], y[order]
    estimator = rb.BayesPerceptron(horizon=1).fit(X, y)
    model = BayesPerceptron(classes=[0, 1, 2])
    for x, label in stream.iter_array(X, y):
        model.learn_one(x, label)
    shares = model.predict_proba_many(pd.DataFrame(X)).to_numpy()
    np.testing.assert_allclose(shares, estimator.predict_proba(X), rtol=1e-9)
    assert model.predict_one(dict(enumerate(X[0]))) == estimator.predict(X[:1])[0]


def test_full_covariances_become_diagonal_where_there_are_many_features():
    model = BayesPerceptron()
    model.learn_one({f"a{i}": float(i % 3) for i in range(500)}, True)
    assert model._state.first.covariance == "full"
    model.learn_one({f"b{i}": float(i % 5) for i in range(500)}, False)
    assert model._state.first.covariance == "diagonal"
    assert len(model.weights) == 1000


def test_several_classes_by_one_against_rest():
    model = multiclass.OneVsRestClassifier(BayesPerceptron())
    score = evaluate.progressive_val_score(
        datasets.ImageSegments().take(500), model, metrics.Accuracy()
    )
    assert score.get() > 0.7
