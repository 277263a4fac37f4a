r"""Claims about predictions: eqs. (4), (5) and (7), and the lower bound of section 2.

Students are those of :func:`~rosenblatt.papers.winther1997.spherical.runs` at
:math:`\alpha = 5`. New inputs are drawn as fields, labels with their noise, and
predictions are counted; no formula of the theory is used. A learner with the squared
length q per weight says the label +1 with probability
:math:`\kappa + (1 - 2 \kappa)\, \Phi(h / \sqrt{1 - q})`, which is eq. (7).
"""

from __future__ import annotations

import functools
import math

import numpy as np
from scipy.special import ndtr

from rosenblatt.core.gaussian import nodes
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.papers.winther1997.spherical import SEED, TIMES, curve, runs, simulated
from rosenblatt.rules import Hebb
from rosenblatt.schedules import Constant

__all__ = ["CLAIMS", "off", "predictions"]

_INDEX = 1
_ALPHA = TIMES[_INDEX]
_TESTS = 100_000  # new examples for each student
# Probabilities that are asked for, with the noise of the labels.
_BANDS = ((0.0, 0.6, 0.7), (0.0, 0.9, 1.0), (0.1, 0.6, 0.7), (0.1, 0.8, 0.9))
_STATES = (0.1, 0.9)  # q at which eq. (5) is integrated
_NOISE = 0.1
_DIM = 10_000


@functools.lru_cache(maxsize=4)
def predictions(
    noise: float, assumed: float, quick: bool
) -> tuple[FloatArray, FloatArray]:
    """Return probabilities of the predicted labels, and which are right.

    One row per student; the learner assumes some noise, the labels have another.
    """
    run = runs(noise, assumed, quick).isel(alpha=_INDEX)
    cosine = np.asarray(run["overlap"])[:, None]
    length = np.asarray(run["norm"])[:, None]
    rng = np.random.default_rng([SEED, round(100 * noise), round(100 * assumed)])
    field, rest = rng.standard_normal((2, len(cosine), _TESTS))
    teacher = cosine * field + np.sqrt(1 - cosine**2) * rest
    label = np.sign(teacher) * np.where(rng.random(field.shape) < noise, -1, 1)
    said = assumed + (1 - 2 * assumed) * ndtr(
        length * np.abs(field) / np.sqrt(1 - length**2)
    )
    return said, label == np.sign(field)


def off(
    noise: float, assumed: float, band: tuple[float, float], quick: bool
) -> Measurement:
    """Return the share of right predictions less their mean probability."""
    said, right = predictions(noise, assumed, quick)
    chosen = (said >= band[0]) & (said < band[1])
    surplus = np.where(chosen, right - said, 0.0).sum(axis=1) / chosen.sum(axis=1)
    return average(surplus)


def _calibrated(noise: float, low: float, high: float) -> Claim:
    @claim(f"winther1997/eq7/noise{noise:g}-from{low:g}", "eq. (7)")
    @expect(0.0, catches=0.02)
    @allow(1 / _DIM, "eq. (7) is for N to infinity, corrections are O(1/N)")
    @fill(low=low, high=high, alpha=_ALPHA, noise=noise)
    def measure(quick: bool) -> Measurement:
        """Eq. (7) gives the probability of the label. Share of right predictions among
        those with a predicted probability of {low:g} to {high:g}, less the mean of
        that; alpha = {alpha:g}, noise {noise:g}.
        """
        return off(noise, noise, (low, high), quick)

    return measure


@claim("winther1997/eq5/counted", "eq. (5)")
@expect(0.0, catches=0.005)
@allow(1 / _DIM, "eq. (7) is for N to infinity, corrections are O(1/N)")
@fill(alpha=_ALPHA, noise=_NOISE)
def _doubt(quick: bool) -> Measurement:
    """The mean of the smaller predictive probability over new inputs is the share of
    wrong predictions: their difference for simulated students, alpha = {alpha:g}, noise
    {noise:g}.
    """
    said, right = predictions(_NOISE, _NOISE, quick)
    return average((1 - said).mean(axis=1) - (1 - right.mean(axis=1)))


def _integral(q: float) -> Claim:
    error = _NOISE + (1 - 2 * _NOISE) * math.acos(math.sqrt(q)) / math.pi

    @claim(
        f"winther1997/eq5/integral-q{q:g}",
        "eqs. (5) and (8)",
        published=error,
        rounding=1e-12,
    )
    @expect(error, catches=1e-6)
    @allow(1e-10, "quadratures are rounded")
    @fill(q=q, noise=_NOISE)
    def measure(quick: bool) -> Measurement:
        """The error of the Bayes classifier, eq. (5), is eq. (8): the integral at q =
        {q:g}, noise {noise:g}, against the closed form.
        """
        v, weight = nodes([0.0])
        said = _NOISE + (1 - 2 * _NOISE) * ndtr(math.sqrt(q / (1 - q)) * v)
        return Measurement(float(weight @ np.minimum(said, 1 - said)), 0.0)

    return measure


def _expected_advantage(quick: bool) -> float:
    # The sum of y x has the cosine (1 + pi / (2 alpha))^(-1/2) with the teacher.
    hebb = math.acos((1 + math.pi / (2 * _ALPHA)) ** -0.5) / math.pi
    return hebb - float(curve(0.0, 0.0, TIMES)["error"][0, _INDEX])


@claim("winther1997/section2/lower-bound", "section 2, lower bound")
@expect(_expected_advantage, catches=0.005)
@allow(2 / _DIM, "the curves are for N to infinity, corrections are O(1/N)")
@fill(alpha=_ALPHA, dim=_DIM)
def _advantage(quick: bool) -> Measurement:
    """The learner's error is a lower bound for algorithms with as much memory, such as
    Hebb's rule. Error of Hebb's rule less that of the learner at alpha = {alpha:g}, N =
    {dim}, against both closed curves.
    """
    run = simulated(
        Hebb(),
        Constant(1.0),
        dim=_DIM,
        alpha=_ALPHA,
        replicas=12 if quick else 60,
    )
    hebb = average(np.asarray(run["error"])[:, 0])
    bayes = average(np.asarray(runs(0.0, 0.0, quick)["error"])[:, _INDEX])
    return Measurement(hebb.value - bayes.value, math.hypot(hebb.stderr, bayes.stderr))


CLAIMS = (
    *(_calibrated(*band) for band in _BANDS),
    *(_integral(q) for q in _STATES),
    _doubt,
    _advantage,
)
