"""Stationary errors of slow motions: prefactors, exponents, and label noise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from rosenblatt.core import Motion
from rosenblatt.core.types import FloatArray
from rosenblatt.motions import RandomWalk, Retreat, Rotation
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.papers.vicente1998.rules import best_rule, law_of
from rosenblatt.rules import Decay, Hebb, Normalised, Perceptron, SphericalBayes
from rosenblatt.schedules import Constant
from rosenblatt.simulation import simulate
from rosenblatt.teachers import Sign
from rosenblatt.theory import (
    best_constant_rate,
    best_decay,
    best_half_life,
    online_asymptote,
    stationary,
)

__all__ = ["CLAIMS", "PERCEPTRON", "simulated"]

_SLOW = 1e-6  # a velocity at which the laws of slow motions hold to a thousandth
_EXACT = "corrections to the law of slow drifts, of relative order of the angle squared"
PERCEPTRON = Normalised(Perceptron())


def _of_angle(motion: Motion, angle: float) -> float:
    return float(angle / math.pi / motion.velocity ** law_of(motion).exponent)


def _power(motion: Motion) -> Fraction:
    """Return the exponent of the law of a motion as a fraction: 1/3 or 1/2."""
    return Fraction(law_of(motion).exponent).limit_denominator(10)


def _optimal(motion: Motion, measured: float, why: str) -> Claim:
    """Return the claim that the best rule has the prefactor of eq. (1) of ``rules``."""
    name = type(motion).__name__.lower()

    @claim(f"vicente1998/{name}/optimal", "abstract, lower bound")
    @expect(law_of(motion).prefactor / math.pi, catches=2e-3)
    @allow(5e-4, _EXACT)
    @fill(why=why, measured=measured, exponent=_power(motion))
    def measure(quick: bool) -> Measurement:
        """{why} The smallest stationary error of the best rule, also with widths and
        gains 10% off, is {measured} times the velocity to the power {exponent}.
        """
        angles = [
            stationary(*best_rule(motion, width, gain), motion=motion).angle
            for width in (0.9, 1.0, 1.1)
            for gain in (0.9, 1.0, 1.1)
        ]
        return Measurement(_of_angle(motion, min(angles)), 0.0)

    return measure


def _perceptron(motion: Motion, prefactor: float) -> Claim:
    name = type(motion).__name__.lower()

    @claim(f"vicente1998/{name}/perceptron", "abstract, constant rates")
    @expect(prefactor / math.pi, catches=2e-3)
    @allow(5e-4, _EXACT)
    @fill(exponent=_power(motion))
    def measure(quick: bool) -> Measurement:
        """Smallest stationary error of the perceptron at a constant rate, over the
        velocity to the power {exponent}.
        """
        return Measurement(
            _of_angle(motion, best_constant_rate(PERCEPTRON, motion=motion).angle), 0.0
        )

    return measure


def _noisy(noise: float) -> Claim:
    @claim(f"vicente1998/randomwalk/noise{noise:g}", "abstract, noisy labels")
    @expect(
        ((math.pi * online_asymptote(noise) / (1 - 2 * noise)) ** (1 / 3) / math.pi),
        catches=2e-3,
    )
    @allow(2e-4, _EXACT)
    @fill(noise=noise)
    def measure(quick: bool) -> Measurement:
        """With a share {noise:g} of wrong labels the best error is reached with another
        prefactor, (pi c / (1 - 2k))^(1/3) / pi. Here c is that of the learning curve of
        a teacher that stands still.
        """
        rule = Decay(SphericalBayes(noise), 1e-9)
        found = stationary(rule, 1.0, Sign(noise), motion=RandomWalk(1e-9))
        return Measurement(found.angle / math.pi * 1e3, 0.0)

    return measure


def simulated(motion: Motion, dim: int, alpha: float, replicas: int) -> FloatArray:
    """Return errors of the perceptron at its best rate, one for each replica."""
    rate = best_constant_rate(PERCEPTRON, motion=motion).value
    run = simulate(
        PERCEPTRON,
        Constant(rate),
        dim=dim,
        alpha=alpha,
        replicas=replicas,
        motion=motion,
    )
    return np.asarray(run["error"])[:, 0]


def _simulated(motion: Motion) -> Claim:
    @claim(
        f"vicente1998/{type(motion).__name__.lower()}/simulated",
        "abstract, simulations",
    )
    @expect(
        lambda quick: best_constant_rate(PERCEPTRON, motion=motion).error, catches=0.005
    )
    @allow(1e-3, "corrections are O(1/N)")
    @fill(motion=motion)
    def measure(quick: bool) -> Measurement:
        """Error of the perceptron at its best rate with {motion!r}: runs of N = 1000,
        exact in law, against theory.
        """
        return average(simulated(motion, 1000, 60.0, 60 if quick else 400))

    return measure


@claim("vicente1998/randomwalk/bayes-simulated", "abstract, simulations")
@expect(best_half_life(0.01).error, catches=0.005)
@allow(1e-3, "corrections are O(1/N)")
def _bayes_simulated(quick: bool) -> Measurement:
    """Error of the Bayesian learner with D = 0.01: runs of N = 1000 against theory."""
    run = simulate(
        Decay(SphericalBayes(), 0.01),
        Constant(),
        dim=1000,
        alpha=60.0,
        replicas=20 if quick else 200,
        motion=RandomWalk(0.01),
    )
    return average(np.asarray(run["error"])[:, 0])


@claim("vicente1998/randomwalk/hebb", "abstract, weight decay")
@expect(math.pi**-0.75, catches=2e-3)
@allow(5e-4, _EXACT)
def _hebb(quick: bool) -> Measurement:
    """Hebb's rule with the best weight decay has an error of pi^(-3/4) D^(1/4)."""
    return Measurement(
        best_decay(Hebb(), motion=RandomWalk(_SLOW)).error / _SLOW**0.25, 0.0
    )


@claim("vicente1998/randomwalk/decay", "abstract, weight decay")
@expect(1.0, catches=1e-3)
@allow(1e-4, "the error is flat at its minimum")
def _decay(quick: bool) -> Measurement:
    """The best weight decay of the Bayesian learner, over D: the learner that knows the
    motion shrinks its mean as the overlap does.
    """
    return Measurement(
        best_decay(SphericalBayes(), motion=RandomWalk(0.01)).value / 0.01, 0.0
    )


CLAIMS = (
    _optimal(RandomWalk(_SLOW), 0.447, "Suggested: 0.447 D^(1/3). It holds."),
    _optimal(
        Retreat(_SLOW),
        0.530,
        "Suggested for rotation: 0.530 delta^(1/2). It holds for a teacher that turns "
        "away from the student.",
    ),
    _optimal(
        Rotation(_SLOW),
        0.427,
        "Suggested for rotation: 0.530 delta^(1/2). In a fixed plane it is refuted: "
        "only a part of the student's deviation lies along the teacher's way.",
    ),
    _perceptron(RandomWalk(_SLOW), 4 ** (1 / 3)),
    _perceptron(Retreat(_SLOW), 2.0),
    _perceptron(Rotation(_SLOW), 6.75**0.25),
    _hebb,
    _decay,
    _noisy(0.1),
    _noisy(0.2),
    _bayes_simulated,
    _simulated(RandomWalk(0.1)),
    _simulated(Rotation(0.1)),
    _simulated(Retreat(0.1)),
)
