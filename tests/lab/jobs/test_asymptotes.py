import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.lab.jobs.asymptotes import asymptote
from rosenblatt.lab.jobs.experiment import experiment
from rosenblatt.lab.state import State

BIASED = {"mean": 2.0, "overlap": 1.0, "noise": 0.1, "schedule": "power:scale=5"}
PLAIN = {"normalised": False, "schedule": "constant"}
KNOWN = [
    State(),
    State(schedule="constant:rate=0.1"),
    State(**BIASED),
    State(**BIASED, shifted="average"),
    State(**BIASED, shifted="known"),
    State(**PLAIN, rule="hebb"),
    State(**PLAIN, rule="hebb", noise=0.2),
    State(**PLAIN, rule="spherical-bayes"),
    State(**PLAIN, rule="spherical-bayes:noise=0.1", noise=0.1),
]


@pytest.mark.parametrize(
    "state", KNOWN, ids=lambda s: f"{s.rule} {s.noise} {s.shifted}"
)
def test_theory_tends_to_the_asymptote(state):
    parts = experiment(state)
    known = asymptote(parts)
    assert known is not None
    alpha = np.array([1e3, 1e5])
    curve = rb.solve(**parts._asdict(), alpha=alpha).error.values[0]
    floor = state.noise if "limit" not in known.name else 0.0
    off = np.abs((curve - floor) / (known.error(alpha) - floor) - 1)
    # corrections are a power of 1/alpha, of 1/sqrt(alpha) where T has an opening
    assert off[1] < max(0.2 * off[0], 1e-9)
    assert off[1] < 0.01


@pytest.mark.parametrize(
    "state",
    [
        State(rule="adatron"),
        State(rule="perceptron:margin=1"),
        State(schedule="power:scale=2"),  # below sqrt(2 pi): another power
        State(decay=0.1),
        State(rule="hebb", normalised=False, schedule="constant", mean=1.0),
        State(rule="spherical-bayes:noise=0.2", normalised=False, noise=0.1),
        State(rule="binary-bayes", normalised=False),
        State(noise=0.5),
    ],
    ids=str,
)
def test_nothing_is_said_where_nothing_is_known(state):
    assert asymptote(experiment(state)) is None
