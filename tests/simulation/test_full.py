import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.core import Rule, Update
from rosenblatt.engines import full
from tests import references

REPLICAS = 400


def naive(step, dim, alpha, start, **options):
    """Run the naive simulation often; ``start`` is drawn like rb.starts.Random."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(REPLICAS):
        w = rng.standard_normal(dim)
        w = w / np.linalg.norm(w) if start == "random" else np.zeros(dim)
        found.append(
            references.teacher_student(
                step, rng, dim=dim, alpha=alpha, start=w, **options
            )
        )
    return np.array(found).T


def decaying_hebb(h, y, q, x2, eta, n, t):
    return eta * y, 0.5


CASES = {
    "perceptron": (rb.rules.Perceptron(), references.perceptron(0.0), "random", {}),
    "noise and bias": (
        rb.rules.Normalised(rb.rules.Perceptron()),
        references.normalised_perceptron,
        "random",
        {"noise": 0.2, "mean": (1.0, 2.0)},
    ),
    "hebb with decay": (
        rb.rules.Decay(rb.rules.Hebb(), 0.5),
        decaying_hebb,
        "zero",
        {"noise": 0.1},
    ),
    "fixed shift": (
        rb.rules.Shifted(rb.rules.Perceptron(), rb.rules.FixedShift(1.0, 0.5), 0),
        references.perceptron(0.0),
        "random",
        {"mean": (1.0, 2.0), "shift": [1.5, 2.0, 0.0, 0.0, 0.0, 0.0]},
    ),
    "learned shift": (
        rb.rules.Normalised(rb.rules.Shifted(rb.rules.Perceptron(), opening=0)),
        references.normalised_perceptron,
        "random",
        {"noise": 0.1, "mean": (1.0, 2.0), "shifted": "uniform"},
    ),
    "learned shift after a Hebbian opening": (
        rb.rules.Normalised(rb.rules.Shifted(rb.rules.Perceptron(), opening=2)),
        references.normalised_perceptron,
        "zero",
        {"noise": 0.1, "mean": (1.0, 2.0), "shifted": "uniform", "opening": 2},
    ),
    "shift along the field": (
        rb.rules.Normalised(
            rb.rules.Shifted(
                rb.rules.Perceptron(), rb.rules.AverageShift(uniform=False), opening=2
            )
        ),
        references.normalised_perceptron,
        "zero",
        {"noise": 0.1, "mean": (0.0, 2.0), "shifted": "along the field", "opening": 2},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_full_follows_the_law_of_the_naive_simulation(case):
    """400 replicas each: a shift of a distribution function by 0.15 is caught."""
    rule, step, start, options = CASES[case]
    dim, alpha = 6, 8
    overlap, norm, mistakes = naive(step, dim, alpha, start, **options)
    along, across = options.get("mean", (0.0, 0.0))
    run = full(
        rule,
        rb.schedules.Constant(1.0),
        rb.teachers.Sign(options.get("noise", 0.0)),
        rb.streams.Gaussian(np.hypot(along, across), along),
        dim=dim,
        alpha=alpha,
        replicas=REPLICAS,
    )
    for ours, theirs in [
        (run.overlap, overlap),
        (run.norm.round(10), norm.round(10)),
        (run.mistakes, mistakes),
    ]:
        if np.ptp(theirs) > 0:
            assert stats.ks_2samp(ours.values[:, 0], theirs).pvalue > 1e-4


def test_a_given_vector_is_the_start():
    weights = (3.0, 0.0, 4.0)
    run = full(
        rb.rules.Perceptron(),
        rb.schedules.Constant(),
        dim=3,
        alpha=[0, 1],
        start=rb.starts.Vector(weights),
    )
    assert run.overlap.values[0, 0] == pytest.approx(0.6)
    assert run.norm.values[0, 0] == pytest.approx(5 / np.sqrt(3))


@dataclass(frozen=True)
class Watchful(Rule):
    """AdaTron; fails if its field is too large for the squared length it is given."""

    def bind(self):
        def step(p):
            if not p.field**2 <= 400.0 * p.norm2:
                return Update(gain=math.nan, decay=0.0)
            return Update(gain=-p.field if p.label * p.field < 0 else 0.0, decay=0.0)

        return step


def test_the_squared_length_stays_exact_while_the_weights_shrink():
    teacher = rb.teachers.Sign(0.2)
    run = full(Watchful(), rb.schedules.Constant(), teacher, dim=20, alpha=300)
    assert run.norm.values < 1e-10
