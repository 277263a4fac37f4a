r"""Filters with simpler posteriors, compared by the general criterion.

An example is put into a Gaussian posterior exactly, and the Gaussian with the same
moments is kept. With one variance for all weights that is eq. (9); with one for each
(:class:`~rosenblatt.rules.DiagonalBayes`) nothing changes for such inputs; with a full
covariance (:class:`~rosenblatt.rules.FullBayes`) more is learnt. What no filter reaches
is the posterior given all examples at once.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr

from rosenblatt.core import BeliefRule
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.estimates import average
from rosenblatt.papers.winther1997.spherical import SEED, simulated
from rosenblatt.posterior import batch_posterior
from rosenblatt.rules import DiagonalBayes
from rosenblatt.schedules import Constant
from rosenblatt.theory import solve_batch, solve_online

__all__ = ["CLAIMS", "DIM", "FULL", "batch_errors", "filtered"]

DIM = 100
TIMES = (1.0, 2.0, 5.0, 10.0, 20.0)
# Error of the full filter at alpha = 20, N = 100, of tests/references/winther1997.py,
# which has nothing in common with this package; 200 runs.
FULL = Measurement(0.02743, 0.00019)


@functools.lru_cache(maxsize=8)
def filtered(rule: BeliefRule, quick: bool) -> xr.Dataset:
    """Return learning curves of a filter."""
    return simulated(
        rule,
        Constant(1.0),
        dim=DIM,
        alpha=TIMES,
        replicas=40 if quick else 200,
    )


@functools.lru_cache(maxsize=16)
def batch_errors(alpha: float, quick: bool) -> tuple[float, ...]:
    """Return errors of the batch posterior's mean, of independent samples."""
    errors = []
    for sample in range(8 if quick else 40):
        rng = np.random.default_rng([SEED, sample, round(10 * alpha)])
        teacher = rng.standard_normal(DIM)
        inputs = rng.standard_normal((round(alpha * DIM), DIM)) / math.sqrt(DIM)
        found = batch_posterior(inputs, np.sign(inputs @ teacher)).mean
        lengths = float(np.linalg.norm(found) * np.linalg.norm(teacher))
        errors.append(math.acos(float(found @ teacher) / lengths) / math.pi)
    return tuple(errors)


def _last(rule: BeliefRule, quick: bool) -> Measurement:
    return average(np.asarray(filtered(rule, quick)["error"])[:, -1])


def _batch(alpha: float) -> Claim:
    return Claim(
        id=f"winther1997/batch/alpha{alpha:g}",
        where="section 1",
        statement="All examples at once: error of the mean that expectation "
        f"propagation finds, N = {DIM}, alpha = {alpha:g}, against the replica curve.",
        expected=lambda quick: float(
            solve_batch([alpha])["error"].sel(learner="bayes")[0]
        ),
        measure=lambda quick: average(np.array(batch_errors(alpha, quick))),
        allowance=0.1 / DIM,
        because="the curve is for N to infinity, corrections are O(1/N)",
        catches=0.0175,  # half of what eq. (9) has more
    )


def _loss(quick: bool) -> Measurement:
    """Return the late error of eq. (9) over that of batch learning."""
    late = 1e5
    online, batch = (
        late * float(curve["error"].sel(learner="bayes")[0])
        for curve in (solve_online([late]), solve_batch([late]))
    )
    return Measurement(online / batch, 0.0)


CLAIMS = (
    Claim(
        id="winther1997/filters/diagonal",
        where="text before eq. (9)",
        statement="A variance for each weight changes nothing: error at alpha = "
        f"{TIMES[-1]:g}, N = {DIM}, against that of eq. (9) for N to infinity.",
        expected=lambda quick: float(
            solve_online(TIMES[-1:])["error"].sel(learner="bayes")[0]
        ),
        measure=lambda quick: _last(DiagonalBayes(), quick),
        allowance=0.1 / DIM,
        because="the theory is for N to infinity, corrections are O(1/N)",
        catches=0.006,
    ),
    _batch(5.0),
    Claim(
        id="winther1997/filters/twice",
        where="section 1",
        statement="On-line learning is not much worse than batch learning: in the end "
        "eq. (9) needs exactly twice as many examples as the best batch learner.",
        expected=2.0,
        measure=_loss,
        allowance=1e-3,
        because="it is a limit, and 1/alpha is left out",
        catches=0.01,
    ),
)
