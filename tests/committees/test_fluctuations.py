import numpy as np
import pytest

import rosenblatt as rb
from rosenblatt.committees import Committee, fluctuations, simulate
from rosenblatt.rules import Erf

START = [[0.3]], [[0.5]]


def test_replicas_spread_as_the_theory_says():
    """N = 1000 and 2,000 replicas: variances within 5 standard errors and O(1/N)."""
    committee, dim, replicas = Committee(Erf(), 1, 1, noise=0.2), 1000, 2000
    alpha = [1, 5]
    found = fluctuations(committee, 1.0, second_rate=0.5, alpha=alpha, start=START)
    run = simulate(
        committee, rb.schedules.Constant(1.0), second_rate=0.5, dim=dim, alpha=alpha,
        start=START, replicas=replicas
    )  # fmt: skip
    for entry, values in (
        ("R00", run.R[:, :, 0, 0]),
        ("Q00", run.Q[:, :, 0, 0]),
        ("outputs0", run.outputs[:, :, 0]),
    ):
        theory = found.covariance.sel(entry=entry, other=entry).values
        measured = dim * values.var("replica").values
        allowed = 5 * np.sqrt(2 / replicas) + 30 / dim
        assert (np.abs(measured / theory - 1) < allowed).all()
        assert (found.stderr.sel(entry=entry, other=entry) < 0.01 * theory).all()
    measured = np.sqrt(dim) * run.error.std("replica").values
    assert (np.abs(measured / found.error_deviation.values - 1) < 0.15).all()


def test_fluctuations_vanish_with_the_error_where_overlaps_are_those_of_the_teacher():
    """Errors of integration may leave the Gram matrices there."""
    found = fluctuations(Committee(Erf(), 1, 1), 1.0, alpha=[5, 50], start=START)
    early, late = found.error_deviation.values
    assert late < 0.01 * early


def test_bad_numbers_of_points_are_refused():
    with pytest.raises(ValueError, match="points must be a power of 2, got 100"):
        fluctuations(Committee(Erf(), 1, 1), 1.0, alpha=1, points=100)
