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
from rosenblatt.papers.decorators import allow, claim, expect, fill
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
    @claim(f"winther1997/batch/alpha{alpha:g}", "section 1")
    # it catches half of what eq. (9) has more
    @expect(
        lambda quick: float(solve_batch([alpha])["error"].sel(learner="bayes")[0]),
        catches=0.0175,
    )
    @allow(0.1 / DIM, "the curve is for N to infinity, corrections are O(1/N)")
    @fill(dim=DIM, alpha=alpha)
    def measure(quick: bool) -> Measurement:
        """All examples at once: error of the mean that expectation propagation finds, N
        = {dim}, alpha = {alpha:g}, against the replica curve.
        """
        return average(np.array(batch_errors(alpha, quick)))

    return measure


@claim("winther1997/filters/twice", "section 1")
@expect(2.0, catches=0.01)
@allow(1e-3, "it is a limit, and 1/alpha is left out")
def _loss(quick: bool) -> Measurement:
    """On-line learning is not much worse than batch learning: in the end eq. (9) needs
    exactly twice as many examples as the best batch learner.
    """
    late = 1e5
    online, batch = (
        late * float(curve["error"].sel(learner="bayes")[0])
        for curve in (solve_online([late]), solve_batch([late]))
    )
    return Measurement(online / batch, 0.0)


@claim("winther1997/filters/diagonal", "text before eq. (9)")
@expect(
    lambda quick: float(solve_online(TIMES[-1:])["error"].sel(learner="bayes")[0]),
    catches=0.006,
)
@allow(0.1 / DIM, "the theory is for N to infinity, corrections are O(1/N)")
@fill(alpha=TIMES[-1], dim=DIM)
def _diagonal(quick: bool) -> Measurement:
    """A variance for each weight changes nothing: error at alpha = {alpha:g}, N =
    {dim}, against that of eq. (9) for N to infinity.
    """
    return _last(DiagonalBayes(), quick)


CLAIMS = (_diagonal, _batch(5.0), _loss)
