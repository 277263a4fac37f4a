import numpy as np
from scipy import stats

import rosenblatt as rb
from rosenblatt.networks import Committee, simulate
from rosenblatt.rules import Tanh

DIM, EXAMPLES, REPLICAS = 12, 24, 1500


def naive(rng):
    """Overlaps R and Q of students that learn from vectors, by NumPy alone."""
    teachers = np.zeros((REPLICAS, 2, DIM))
    teachers[:, 0, 0], teachers[:, 1, 1] = np.sqrt(DIM), 2 * np.sqrt(DIM)
    w = 0.5 * rng.standard_normal((REPLICAS, 2, DIM))
    for _ in range(EXAMPLES):
        x = rng.standard_normal((REPLICAS, DIM)) / np.sqrt(DIM)
        b, h = (np.einsum("rkn,rn->rk", v, x) for v in (teachers, w))
        error = np.tanh(b) @ [1.0, -1.0] - np.tanh(h).sum(axis=1)
        error += 0.3 * rng.standard_normal(REPLICAS)
        delta = error[:, None] * (1 - np.tanh(h) ** 2)
        w = (1 - 0.1 / DIM) * w + 1.5 * delta[..., None] * x[:, None]
    return (
        np.einsum("rkn,rmn->rkm", w, teachers) / DIM,
        np.einsum("rkn,rmn->rkm", w, w) / DIM,
    )


def test_vectors_learn_as_in_numpy():
    """A distribution that is off by 0.08 is caught."""
    committee = Committee(Tanh(), 2, [[1, 0], [0, 4]], (1, -1), decay=0.1, noise=0.3)
    run = simulate(
        committee, rb.schedules.Constant(1.5), dim=DIM, alpha=EXAMPLES / DIM,
        replicas=REPLICAS, engine="full"
    )  # fmt: skip
    cross, own = naive(np.random.default_rng(5))
    pvalues = [
        stats.ks_2samp(a[:, i, j], b[:, i, j], method="asymp").pvalue
        for a, b in ((cross, run.R.values[:, 0]), (own, run.Q.values[:, 0]))
        for i in range(2)
        for j in range(2)
    ]
    assert min(pvalues) * len(pvalues) > 1e-4
