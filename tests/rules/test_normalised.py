import math

import numpy as np
import pytest
from scipy.stats import ks_2samp

import rosenblatt as rb
from rosenblatt.rules import Decay, Hebb, Normalised, Perceptron
from tests.rules.percepts import percept


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_normalised_weights_have_squared_length_n(shift):
    p = percept(-0.7, norm2=1.3, input2=0.9, rate=2.0, shift=shift)
    u = Normalised(Perceptron()).bind()(p)
    keep = 1 - u.decay / p.dim
    along = p.field - p.shift
    norm2 = keep**2 * p.norm2 + (2 * keep * u.gain * along + u.gain**2 * p.input2) / 10
    assert norm2 == pytest.approx(1.0, rel=1e-14)


def normalised_vectors(alphas, strength, replicas):
    """Return the overlaps of Hebb's rule with decay at N = 3, step by step."""
    random, found = np.random.default_rng(1), []
    w = random.standard_normal((replicas, 3))
    for step in range(1, 3 * alphas[-1] + 1):
        x = random.standard_normal((replicas, 3)) / math.sqrt(3)
        w = (1 - strength / 3) * w + np.sign(x[:, :1]) * x
        w *= math.sqrt(3) / np.linalg.norm(w, axis=1, keepdims=True)
        if step % 3 == 0 and step // 3 in alphas:
            found.append(w[:, 0] / math.sqrt(3))
    return np.array(found).T


@pytest.mark.parametrize("engine", ["full", "reduced"])
def test_overlaps_of_three_decaying_weights_have_the_law_of_vectors(engine):
    alphas, replicas = [1, 4], 4000
    run = rb.simulate(
        Normalised(Decay(Hebb(), 2.0)),
        rb.schedules.Constant(),
        dim=3,
        alpha=alphas,
        replicas=replicas,
        seed=2,
        engine=engine,
        progress=False,
    )
    wanted = normalised_vectors(alphas, 2.0, replicas)
    for one, other in zip(run.overlap.values.T, wanted.T, strict=True):
        # laws that differ by 0.05 anywhere are told apart with this many replicas
        assert ks_2samp(one, other).pvalue > 1e-4


def test_normalised_has_its_limit_at_infinite_dim():
    rule = Normalised(Perceptron()).bind()
    finite = rule(percept(-0.7, dim=1e12))
    limit = rule(percept(-0.7, dim=math.inf))
    assert finite == pytest.approx(limit, rel=1e-9)
