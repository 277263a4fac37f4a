"""Callbacks of scikit-learn hear of each pass of fit."""

import pytest

from rosenblatt.estimators import OnlinePerceptron
from tests.estimators.online_examples import data, same


def test_callbacks_hear_of_each_pass():
    callback = pytest.importorskip("sklearn.callback")
    X, y = data()

    class Watch:
        def __init__(self):
            self.heard = []

        def setup(self, estimator, context):
            self.heard.append("setup")

        def on_fit_task_begin(self, estimator, context):
            self.heard.append(("begin", context.task_name))

        def on_fit_task_end(self, estimator, context, *, fitted_estimator):
            self.heard.append((context.task_name, fitted_estimator.t_))
            return fitted_estimator.t_ == 180

        def teardown(self, estimator, context):
            self.heard.append("teardown")

    watch = Watch()
    assert isinstance(watch, callback.FitCallback)
    model = OnlinePerceptron(max_iter=5).set_callbacks(watch).fit(X, y)
    assert watch.heard == [
        "setup",
        ("begin", "fit"),
        ("begin", "pass"),
        ("pass", 90),
        ("begin", "pass"),
        ("pass", 180),  # where it says stop
        ("fit", 180),
        "teardown",
    ]
    assert model.n_iter_ == 2
    assert same(model, OnlinePerceptron(max_iter=2).fit(X, y))
