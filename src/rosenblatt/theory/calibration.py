r"""Calibration of a Bayesian learner: its accuracy beside its confidence.

Consider a learner with a mean of squared length :math:`Q N`, which believes that the
teacher has length :math:`\sqrt N`. For a field :math:`h` it gives the label :math:`y`
the probability

.. math:: \hat p = k' + (1 - 2k') \Phi\left(\frac{y h}{\sqrt{1 - Q}}\right)   \tag{1}

(:cite:t:`winther1997`, eq. 7), with the noise :math:`k'` that it assumes. Given
:math:`h`, the teacher's field is really Gaussian with a mean in proportion to
:math:`h`. If student and teacher are at an angle with cosine :math:`c`, labels have

.. math:: p = k + (1 - 2k)
    \Phi\left(\frac{c}{\sqrt{1 - c^2}}\, \frac{y h}{\sqrt Q}\right).   \tag{2}

Of predictions with the probability :math:`\hat p`, the fraction :math:`p` is right, for
any learner with Gaussian fields. Both agree at all fields if :math:`k = k'` and
:math:`c^2 = Q`. The true noise leads to this.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from rosenblatt.core.arguments import number, numbers
from rosenblatt.core.types import FloatArray


def calibration(
    probability: npt.ArrayLike,
    *,
    overlap: float,
    norm: float,
    noise: float = 0.0,
    assumed: float | None = None,
) -> FloatArray:
    """Return the fraction right among predictions of a given probability.

    Parameters
    ----------
    probability
        Probability that the learner gives its prediction, by eq. (1): from 1/2 to 1
        minus the noise that it assumes. The result is nan for probabilities that it
        never gives.
    overlap
        Cosine of the angle between student and teacher.
    norm
        Length of the student over sqrt(N), at most 1; both are in the results of
        :func:`solve_online`, :func:`rosenblatt.solve` and :func:`rosenblatt.simulate`.
    noise
        Probability that a label is flipped, at most 1/2.
    assumed
        The noise that the learner assumes, by default the true one.

    Examples
    --------
    The true noise, and a student as long as its overlap says:

    >>> calibration([0.5, 0.7, 0.9], overlap=0.8, norm=0.8, noise=0.1)
    array([0.5, 0.7, 0.9])

    One that is too sure of itself:

    >>> calibration([0.5, 0.7, 0.9, 0.99], overlap=0.8, norm=0.9).round(3)
    array([0.5  , 0.633, 0.796, 0.933])
    """
    c, length = number("overlap", overlap, low=0, high=1), number("norm", norm, above=0)
    if length > 1:
        raise ValueError(f"norm must be at most 1, the teacher's, got {norm!r}")
    k = number("noise", noise, low=0, high=0.5)
    belief = k if assumed is None else number("assumed", assumed, low=0, high=0.5)
    believed, true = (
        x / math.sqrt((1 - x) * (1 + x)) if x < 1 else math.inf for x in (length, c)
    )
    predicted = numbers("probability", probability)
    clear = 1 - 2 * belief
    known = (predicted >= 0.5) & (predicted <= 1 - belief) & (clear > 0)
    share = np.where(
        known, (predicted - belief) / (clear if clear > 0 else 1.0), np.nan
    )
    if math.isinf(believed):
        # sure of everything: only the largest probability is ever predicted
        certain = known & (predicted == 1 - belief)
        average = 1 - math.atan2(1, true) / math.pi
        return np.where(certain, k + (1 - 2 * k) * average, np.nan)
    u = ndtri(share)  # the field over sqrt(1 - Q)
    if math.isinf(true):
        right = np.where(u > 0, 1.0, 0.5)
        right = np.where(np.isnan(u), np.nan, right)
    else:
        right = ndtr(np.where(u == 0, 0.0, u * true / believed))
    return np.asarray(k + (1 - 2 * k) * right)
