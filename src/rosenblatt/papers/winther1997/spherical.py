r"""Claims about the spherical prior: eqs. (7)-(9).

The paper's :math:`\rho` is N times ours; its learner is
:class:`rosenblatt.rules.SphericalBayes`. Since posterior means are what the teacher is
on average, the overlap with the teacher and the squared length are the same order
parameter, :math:`R \sqrt Q = Q = q`.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr
from scipy.special import ndtr

from rosenblatt.core.gaussian import nodes, normal_density
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.rules import SphericalBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation import simulate
from rosenblatt.teachers import Sign
from rosenblatt.theory import batch_asymptote, promise, solve, solve_batch
from rosenblatt.theory.closed import spherical_bayes

__all__ = ["CLAIMS", "NOISES", "SEED", "TIMES", "curve", "runs", "simulated"]

SEED = 1997  # of everything random in this paper's claims and figures
simulated = functools.partial(simulate, seed=SEED, progress=False)
NOISES = (0.0, 0.1, 0.2)
TIMES = (1.0, 5.0, 20.0)
_DIM = 10_000  # finite-size corrections are O(1/N)
_LATE = 1e6  # alpha at which a limit is taken
_GIBBS = 5.0  # alpha at which the footnote is tried
_STATES = (0.1, 0.5, 0.9)  # q at which the step is compared with the best one


@functools.lru_cache(maxsize=16)
def runs(noise: float, assumed: float, quick: bool) -> xr.Dataset:
    """Return simulated learning curves of a learner that assumes some noise."""
    return simulated(
        SphericalBayes(noise=assumed),
        Constant(1.0),
        Sign(noise=noise),
        dim=_DIM,
        alpha=TIMES,
        replicas=12 if quick else 60,
    )


@functools.lru_cache(maxsize=64)
def curve(noise: float, assumed: float, alpha: tuple[float, ...]) -> xr.Dataset:
    """Return the theory of these learning curves."""
    return solve(
        SphericalBayes(noise=assumed), Constant(1.0), Sign(noise=noise), alpha=alpha
    )


def _error(noise: float, index: int) -> Claim:
    alpha = TIMES[index]

    @claim(f"winther1997/spherical/noise{noise:g}-alpha{alpha:g}", "eqs. (8) and (9)")
    @expect(
        lambda quick: float(curve(noise, noise, TIMES)["error"][0, index]),
        catches=0.0025 if alpha < 20 else 0.0015,
    )
    @allow(1 / _DIM, "the theory is for N to infinity, corrections are O(1/N)")
    @fill(alpha=alpha, noise=noise, dim=_DIM)
    def measure(quick: bool) -> Measurement:
        """Error of the spherical learner at alpha = {alpha:g}, a share {noise:g} of the
        labels flipped; N = {dim} against the limit.
        """
        return average(np.asarray(runs(noise, noise, quick)["error"])[:, index])

    return measure


def _calibrated(noise: float, index: int) -> Claim:
    alpha = TIMES[index]

    @claim(f"winther1997/eq8/noise{noise:g}-alpha{alpha:g}", "eq. (8)")
    @expect(0.0, catches=0.0025)
    @allow(1 / _DIM, "eq. (8) is for N to infinity, corrections are O(1/N)")
    @fill(alpha=alpha, noise=noise)
    def measure(quick: bool) -> Measurement:
        """The learner knows its own error: the error that it expects, from the length
        of its mean, less its true error, at alpha = {alpha:g}, noise {noise:g}.
        """
        run = runs(noise, noise, quick).isel(alpha=index)
        said = [
            promise(overlap=float(r), norm=float(length), noise=noise)
            for r, length in zip(run["overlap"], run["norm"], strict=True)
        ]
        return average(np.array([s.expected_error - s.error for s in said]))

    return measure


def _first_step(noise: float) -> Claim:
    first = (1 - 2 * noise) ** 2 * 2 / math.pi

    @claim(f"winther1997/eq9/first-step-noise{noise:g}", "eqs. (7) and (9)")
    @expect(first, catches=0.02)
    @fill(noise=noise)
    def measure(quick: bool) -> Measurement:
        """After the first example N q is (1 - 2 kappa)^2 2/pi; mean over Gaussian
        inputs, kappa = {noise:g}.
        """
        run = simulated(
            SphericalBayes(noise=noise),
            Constant(1.0),
            Sign(noise=noise),
            dim=100,
            alpha=[0.01],
            replicas=2000 if quick else 10_000,
        )
        return average(100 * np.asarray(run["norm"])[:, 0] ** 2)

    return measure


def best_growth(q: float, noise: float) -> float:
    r"""Return the fastest growth of the overlap with the teacher that a gain can give.

    With gain :math:`g(v, y)` for a field :math:`\sqrt q\, v`, the cosine :math:`R =
    \sqrt q` of a student of this length grows by :math:`\langle g\, (b - R v) \rangle /
    \sqrt q - R \langle g^2 \rangle / 2 q`. This is a quadratic function of the values
    of g, with its maximum at :math:`g = \sqrt q\, \langle b - R v \mid v, y \rangle /
    R`.
    """
    v, weight = nodes([])
    rest = math.sqrt(1 - q)
    growth = 0.0
    for label in (-1.0, 1.0):
        t = label * math.sqrt(q) * v / rest
        chance = noise + (1 - 2 * noise) * ndtr(t)
        # E[b - R v; y | v] for a teacher's field b = R v + rest * r
        towards = label * rest * (1 - 2 * noise) * normal_density(t)
        gain = towards / chance  # R = sqrt(q)
        growth += float(
            weight
            @ (gain * towards / math.sqrt(q) - 0.5 * chance * gain**2 / math.sqrt(q))
        )
    return growth


def _best(q: float, noise: float) -> Claim:
    @claim(
        f"winther1997/eq9/best-q{q:g}-noise{noise:g}",
        "section 2, lower bound, and text after eq. (9)",
    )
    @expect(1.0, catches=1e-6)
    @allow(1e-10, "quadratures are rounded")
    @fill(q=q, noise=noise)
    def measure(quick: bool) -> Measurement:
        """No algorithm with as much memory is better, and eq. (9) is the step that
        brings the student closest to the teacher. Its growth of the overlap at q =
        {q:g}, noise {noise:g}, relative to the best over all gains.
        """
        # dq/dalpha = 2 R dR/dalpha with R = sqrt(q)
        return Measurement(
            spherical_bayes.drift(q, noise)
            / (2 * math.sqrt(q) * best_growth(q, noise)),
            0.0,
        )

    return measure


def _asymptote(noise: float) -> Claim:
    @claim(f"winther1997/spherical/asymptote-noise{noise:g}", "eqs. (8) and (9)")
    @expect(2 * batch_asymptote(noise).bayes, catches=0.005)
    @allow(100 / _LATE, "it is a limit, and what is left falls as 1/alpha")
    @fill(late=_LATE, noise=noise)
    def measure(quick: bool) -> Measurement:
        """alpha times the error above the noise tends to twice that of the best batch
        learner: at alpha = {late:g}, noise {noise:g}, from the rule.
        """
        return Measurement(
            _LATE * (float(curve(noise, noise, (_LATE,))["error"][0, 0]) - noise), 0.0
        )

    return measure


@claim("winther1997/section2/gibbs", "footnote 1")
@expect(
    lambda quick: float(solve_batch([_GIBBS])["error"].sel(learner="gibbs")[0]),
    catches=1e-4,
)
@allow(1e-10, "quadratures are rounded")
def _gibbs(quick: bool) -> Measurement:
    """Labels drawn with their predictive probabilities are wrong as often as those of a
    student drawn from the posterior. Batch learning at alpha = 5, where the Bayes
    classifier has 0.084 instead of 0.118.
    """
    q = float(solve_batch([_GIBBS])["overlap"].sel(learner="gibbs")[0])
    v, weight = nodes([])  # the field of the mean over its spread, on the scale 1
    chance = ndtr(math.sqrt(q / (1 - q)) * v)
    return Measurement(float(weight @ (2 * chance * (1 - chance))), 0.0)


def _mismatch(assumed: float) -> Claim:
    @claim(f"winther1997/spherical/assumed{assumed:g}", "eq. (7)")
    @expect(
        lambda quick: float(curve(0.1, assumed, TIMES)["error"][0, 2]), catches=0.0015
    )
    @allow(1 / _DIM, "the theory is for N to infinity, corrections are O(1/N)")
    @fill(assumed=assumed)
    def measure(quick: bool) -> Measurement:
        """A learner that assumes a wrong noise still learns: error at alpha = 20,
        labels flipped with probability 0.1, {assumed:g} assumed.
        """
        return average(np.asarray(runs(0.1, assumed, quick)["error"])[:, 2])

    return measure


CLAIMS = (
    _gibbs,
    *(_first_step(noise) for noise in NOISES[:2]),
    *(_best(q, noise) for q in _STATES for noise in NOISES[:2]),
    *(_error(noise, index) for noise in NOISES for index in range(len(TIMES))),
    *(_calibrated(noise, index) for noise in NOISES[:2] for index in range(len(TIMES))),
    *(_asymptote(noise) for noise in NOISES),
    _mismatch(0.2),
)
