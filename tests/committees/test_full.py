import numpy as np
import pytest
from scipy import stats

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate
from rosenblatt.rules import Tanh

DIM, EXAMPLES, REPLICAS = 12, 24, 1500
STRENGTH = 2.0


def walked(teachers, rng):
    """Turn each teacher in a random direction across both of them."""
    cosine = 1 - STRENGTH / DIM
    for n in range(2):
        u = rng.standard_normal((REPLICAS, DIM))
        for one in np.moveaxis(teachers, 1, 0):
            u -= one * ((u * one).sum(1) / (one * one).sum(1))[:, None]
        u *= (np.linalg.norm(teachers[:, n], axis=1) / np.linalg.norm(u, axis=1))[
            :, None
        ]
        teachers[:, n] = cosine * teachers[:, n] + np.sqrt(1 - cosine**2) * u


def rotated(teachers, rng):
    """Turn the teachers in the planes of the axes 0 and 5, and 1 and 4, at rest."""
    cosine, sine = np.cos(STRENGTH / DIM), np.sin(STRENGTH / DIM)
    for a, b in ((0, 5), (1, 4)):
        one, other = teachers[..., a].copy(), teachers[..., b].copy()
        teachers[..., a] = cosine * one - sine * other
        teachers[..., b] = cosine * other + sine * one


def naive(turned, rng):
    """Overlaps and output weights of students as vectors, by NumPy alone."""
    teachers = np.zeros((REPLICAS, 2, DIM))
    teachers[:, 0, 0], teachers[:, 1, 1] = np.sqrt(DIM), 2 * np.sqrt(DIM)
    w = 0.5 * rng.standard_normal((REPLICAS, 2, DIM))
    v = np.tile([1.0, 0.5], (REPLICAS, 1))
    for _ in range(EXAMPLES):
        turned(teachers, rng)
        x = rng.standard_normal((REPLICAS, DIM)) / np.sqrt(DIM)
        b, h = (np.einsum("rkn,rn->rk", v, x) for v in (teachers, w))
        error = np.tanh(b) @ [1.0, -1.0] - (v * np.tanh(h)).sum(axis=1)
        error += 0.3 * rng.standard_normal(REPLICAS)
        delta = error[:, None] * v * (1 - np.tanh(h) ** 2)
        v = v + 0.8 / DIM * error[:, None] * np.tanh(h)
        w = (1 - 0.1 / DIM) * w + 1.5 * delta[..., None] * x[:, None]
    return (
        np.einsum("rkn,rmn->rkm", w, teachers) / DIM,
        np.einsum("rkn,rmn->rkm", w, w) / DIM,
        v[..., None],
    )


@pytest.mark.parametrize(
    ("motion", "turned"),
    [
        (rb.motions.RandomWalk(STRENGTH), walked),
        (rb.motions.Rotation(STRENGTH), rotated),
    ],
)
def test_vectors_learn_as_in_numpy(motion, turned):
    """A distribution that is off by 0.08 is caught."""
    committee = Committee(
        Tanh(), 2, [[1, 0], [0, 4]], (1, -1), decay=0.1, noise=0.3,
        student_outputs=(1, 0.5)
    )  # fmt: skip
    run = simulate(
        committee, 1.5, dim=DIM, alpha=EXAMPLES / DIM, second_rate=0.8,
        motion=motion, replicas=REPLICAS, engine="full"
    )  # fmt: skip
    found = run.R.values, run.Q.values, run.outputs.values[..., None]
    pvalues = [
        stats.ks_2samp(a[:, i, j], b[:, 0, i, j], method="asymp").pvalue
        for a, b in zip(naive(turned, np.random.default_rng(5)), found, strict=True)
        for i in range(2)
        for j in range(a.shape[2])
    ]
    assert min(pvalues) * len(pvalues) > 1e-4
