import numpy as np

import rosenblatt as rb
from rosenblatt.committees import Committee, simulate
from rosenblatt.committees.drift import CommitteeDrift
from rosenblatt.rules import Erf

COMMITTEE = Committee(
    Erf(), 2, [[1.0, 0.2], [0.2, 1.5]], outputs=(1.0, -0.5), decay=0.3, noise=0.4
)


def test_a_state_is_packed_and_unpacked():
    drift = CommitteeDrift(Committee(Erf(), 2, 3))
    cross, own = np.arange(6.0).reshape(2, 3), np.array([[1.0, 0.2], [0.2, 2.0]])
    for one, other in zip(
        drift.unpack(drift.pack(cross, own)), (cross, own, np.ones(2)), strict=True
    ):
        assert np.array_equal(one, other)


def test_the_drift_is_the_mean_change_in_one_example():
    """N = 1000 and 8 000 first steps: means within 5 standard errors."""
    start = np.array([[0.4, -0.1], [0.1, 0.3]]), np.array([[0.8, 0.1], [0.1, 0.5]])
    dim, rate = 1000, 1.3
    run = simulate(
        COMMITTEE, rb.schedules.Constant(rate), dim=dim, alpha=[1 / dim],
        start=start, replicas=8_000
    )  # fmt: skip
    drift = CommitteeDrift(COMMITTEE)
    expected = drift.unpack(drift(drift.pack(*start), rate))[:2]
    for name, first, mean in zip("RQ", start, expected, strict=True):
        change = dim * (run[name].values[:, 0] - first)
        error = change.std(axis=0) / np.sqrt(len(change))
        # decay**2 / N and the like are left out for N to infinity
        assert (np.abs(change.mean(axis=0) - mean) < 5 * error + 1 / dim).all()
        assert error.max() < 0.15
