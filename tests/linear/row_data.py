"""Rules with their naive versions, and examples, for the learner on real examples."""

import numpy as np
import pytest

from rosenblatt.linear.learner import Learner
from rosenblatt.rules import (
    AdaTron,
    AverageShift,
    Decay,
    Delta,
    Hebb,
    Normalised,
    PassiveAggressive,
    Perceptron,
    Shifted,
    Tanh,
)
from rosenblatt.schedules import PerMistake, Power
from tests import references

UNIFORM = {"shifted": "uniform"}
RULES = [
    (Perceptron(margin=0.3), references.perceptron(0.3), {}),
    (Hebb(), references.hebb, {}),
    (AdaTron(), references.adatron, {}),
    (Delta(Tanh()), references.delta_tanh, {}),
    (PassiveAggressive(), references.passive_aggressive, {}),
    (Normalised(Perceptron()), references.normalised_perceptron, {}),
    (Decay(Perceptron(), 0.5), references.decayed_perceptron(0.5), {}),
    (Shifted(Perceptron(), opening=0), references.perceptron(0.0), UNIFORM),
    (
        Shifted(Perceptron(), opening=3),
        references.perceptron(0.0),
        UNIFORM | {"opening": 3},
    ),
    (
        Shifted(Normalised(Perceptron()), AverageShift(uniform=False), opening=2),
        references.normalised_perceptron,
        {"shifted": "along the field", "opening": 2},
    ),
    (
        Shifted(Normalised(Perceptron()), AverageShift(uniform=False), opening=0),
        references.normalised_perceptron,
        {"shifted": "along the field"},
    ),
]
SCHEDULES = [
    (Power(scale=0.7, exponent=0.5), lambda time, mistakes, n: 0.7 / np.sqrt(time)),
    (PerMistake(scale=0.7), lambda time, mistakes, n: 0.7 / max(mistakes, 1 / n)),
]


def compared(test):
    """Run a test for every rule and its reference, schedule and intercept."""
    for names, values in (
        (("rule", "step", "options"), RULES),
        (("schedule", "rate"), SCHEDULES),
        ("intercept", [False, True]),
    ):
        test = pytest.mark.parametrize(names, values)(test)
    return test


def examples(rows=60, columns=7, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.standard_normal((rows, columns)) + 0.5) / np.sqrt(columns)
    return X, np.where(X @ rng.standard_normal(columns) > 0.2, 1.0, -1.0)


def started(weights):
    return Learner.zero(len(weights))._replace(weights=np.asarray(weights, float))


def equal(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
