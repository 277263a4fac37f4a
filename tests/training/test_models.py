import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.training.models import MODELS, evaluates_rows, learn_batch, make

CODES = np.array([0, 1, 1, 0])
X = np.array([[1.0, 2.0], [-1.0, 0.5], [-2.0, 1.0], [2.0, -1.0]])
CLASSES = np.array(["no", "yes"])


@pytest.mark.parametrize("name", MODELS)
def test_every_name_is_a_model(name):
    kind, given = MODELS[name]
    found = make(name)
    assert type(found) is kind
    assert given.items() <= found.get_params().items()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "bayes:speed=3",
            "model bayes has no parameter 'speed=3'; possible: class_weight, cov",
        ),
        ("bayes-full:covariance=diagonal", "has no parameter"),
        ("bayes:half_life", "has no parameter"),
    ],
)
def test_unknown_parameters_are_named(text, message):
    with pytest.raises(ValueError, match=message):
        make(text)


def test_a_rule_goes_with_a_perceptron_only():
    with pytest.raises(ValueError, match="rule goes with the model perceptron only"):
        make("bayes", rule="hebb")


def test_a_bayesian_perceptron_is_evaluated_on_each_row_before_it_learns_it():
    model = rb.BayesPerceptron("diagonal")
    assert evaluates_rows(model, 2)
    found = learn_batch(model, X, CODES, CLASSES)
    same = rb.BayesPerceptron("diagonal")
    shares = same.predict_then_learn(X, CLASSES[CODES], classes=CLASSES)
    assert (found.rows, found.labels) == (4, np.bincount(CODES).tolist())
    assert found.mistakes == (shares.argmax(axis=1) != CODES).sum()
    assert found.log_loss == pytest.approx(-model.log_evidence_[0])


def test_other_models_are_evaluated_on_a_batch_before_they_learn_it():
    model = rb.ClippedHebb(binarise=0.0)
    assert not evaluates_rows(model, 2)
    assert learn_batch(model, X, CODES, CLASSES).rows == 0  # it knows nothing yet
    wrong = int((model.predict(X) != CLASSES[CODES]).sum())
    assert learn_batch(model, X, CODES, CLASSES)[:2] == (4, wrong)
