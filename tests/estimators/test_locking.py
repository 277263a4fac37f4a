"""Models in several threads: calls wait, and nothing is torn or lost."""

import copy
import pickle
import threading

import numpy as np
import pytest
from sklearn.base import clone

import rosenblatt as rb
from rosenblatt.estimators.base import locked
from rosenblatt.estimators.counting import CountingClassifier
from tests.conformance.estimators import CLASSIFIERS, one_pass

# of few rows without a threshold that is good enough for the paper's search
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
RANDOM = np.random.default_rng(0)
X = RANDOM.choice([-1.0, 1.0], (400, 6))
Y = np.where(X[:, :3].sum(axis=1) > 0, 1, 0)
LEARNERS = [*map(one_pass, CLASSIFIERS), rb.BayesPerceptron("full")]
EACH = pytest.mark.parametrize("learner", LEARNERS, ids=str)


def in_threads(*functions):
    errors = []

    def run(function):
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def learned(learner, rows=slice(None)):
    return clone(learner).partial_fit(X[rows], Y[rows], classes=[0, 1])


@EACH
@pytest.mark.parametrize("size", [1, 40])
def test_batches_and_predictions_of_threads_wait_and_none_is_lost(learner, size):
    model = learned(learner, slice(0, 40))
    shares = []

    def teach(first):
        for start in range(first, 400, 2 * size):
            model.partial_fit(X[start : start + size], Y[start : start + size])

    def look():
        for _ in range(60):
            shares.append(model.decision_function(X[:5]))

    in_threads(lambda: teach(40), lambda: teach(40 + size), look)
    assert model.t_ == 400
    assert np.isfinite(shares).all()


@EACH
def test_nobody_reads_a_model_while_another_thread_changes_it(learner, tmp_path):
    """A single row is learned in place: what is read meanwhile would be torn."""
    model = learned(learner, slice(0, 101))
    uses = [copy.copy, copy.deepcopy, pickle.dumps]
    uses += [lambda one: rb.save_model(one, tmp_path / "model")]
    uses += [lambda one: rb.export_onnx(one, tmp_path / "graph")]
    if hasattr(model, "merge"):
        other = copy.copy(model)
        uses += [lambda one: other.merge(one)]
    if not isinstance(model, CountingClassifier):  # which replaces all at once
        uses += [lambda one: one.coef_]
    for use in uses:
        thread = threading.Thread(target=use, args=(model,))
        with locked(model):
            thread.start()
            thread.join(0.02)
            assert thread.is_alive()
        thread.join(20)
        assert not thread.is_alive()


def test_two_models_merge_each_other_at_once():
    one, two = (learned(rb.BayesPerceptron("diagonal")) for _ in range(2))
    with locked(one), locked(two):
        merges = [lambda: one.merge(two), lambda: two.merge(one)]
        threads = [threading.Thread(target=merge) for merge in merges]
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
    assert one.t_ + two.t_ in (1600, 2000)  # the second may have seen the first
