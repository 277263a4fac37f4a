"""Exact errors of batch learning, with which sections 1, 2 and 5 compare."""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.papers.barkai1995.equations import prefactor, scheduled_angles
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import allow, claim, expect
from rosenblatt.theory import batch_asymptote, solve_batch

__all__ = ["CLAIMS"]

_EARLIER, _LATER = 1e3, 1e6  # alpha
_NOISE = 0.2  # the share of wrong labels in the paper's figure 2
_GIBBS, _BAYES = batch_asymptote()


def _scaled(learner: str) -> float:
    """Return alpha times the error."""
    return _LATER * float(solve_batch(_LATER)["error"].sel(learner=learner)[0])


def _exponent(learner: str, noise: float) -> Measurement:
    """Return the exponent of the error above the noise."""
    curve = solve_batch([_EARLIER, _LATER], noise)["angle"].sel(learner=learner)
    first, second = curve.values
    return Measurement(float(np.log(second / first)) / math.log(_LATER / _EARLIER), 0.0)


@claim("barkai1995/batch/ratio", "text after eq. (6)")
@expect(prefactor(2.0) / _GIBBS, catches=0.01)
@allow(10 / _LATER, "it is a limit, and 1/alpha is left out")
def _ratio(quick: bool) -> Measurement:
    """On-line learning is not far from batch learning: its error is about twice as
    large in the end (2.9 times that of the best). From eq. (4).
    """
    (angle,) = scheduled_angles(2.0, [_LATER], first=1.0)
    return Measurement(_LATER * float(angle) / math.pi / _scaled("gibbs"), 0.0)


@claim("barkai1995/batch/gibbs", "text after eq. (6)", published=0.625, rounding=5e-4)
@expect(_GIBBS, catches=1e-4)
@allow(1 / _LATER, "it is a limit, and 1/alpha is left out")
def _gibbs(quick: bool) -> Measurement:
    """Batch learning has an error of 0.625/alpha (a random student of those that make
    no mistake): alpha times the error at alpha = 1e6.
    """
    return Measurement(_scaled("gibbs"), 0.0)


@claim("barkai1995/batch/bayes", "text after eq. (6)")
@expect(_BAYES, catches=1e-4)
@allow(1 / _LATER, "it is a limit, and 1/alpha is left out")
def _bayes(quick: bool) -> Measurement:
    """The best that batch learning can do is 0.442/alpha (the mean of those students;
    Opper and Haussler 1991): alpha times the error at alpha = 1e6.
    """
    return Measurement(_scaled("bayes"), 0.0)


@claim("barkai1995/batch/exponent", "section 1", published=-1.0)
@expect(-1.0, catches=0.01)
@allow(1 / _EARLIER, "it is a limit, and 1/alpha is left out")
def _batch_exponent(quick: bool) -> Measurement:
    """Batch learning without mistakes falls as 1/alpha: exponent between alpha = 1e3
    and 1e6.
    """
    return _exponent("gibbs", 0.0)


@claim("barkai1995/batch/noise", "section 5")
@expect(-1.0, catches=0.01)
@allow(1 / _EARLIER, "it is a limit, and 1/alpha is left out")
def _noise(quick: bool) -> Measurement:
    """The best batch learner of noisy labels falls as 1/alpha to the noise, faster than
    the alpha^(-1/2) that section 5 compares with. Exponent of its error above 0.2,
    between alpha = 1e3 and 1e6.
    """
    return _exponent("bayes", _NOISE)


CLAIMS = (_gibbs, _bayes, _batch_exponent, _ratio, _noise)
