r"""Record of how fast a mixture of filters forgets, and of changes that it noticed.

Filter e forgets at the rate :math:`1 / H_e`, with its half-life; 0 if it never does.
The mixture with weights :math:`w_e` forgets at the rate :math:`\sum_e w_e / H_e`, whose
reciprocal is its effective half-life. The record has the mean rate of some rows in each
of its points. When it is full, pairs of points become one.

One rate is in force, at first 0. Let :math:`R_t` be the weight of faster filters
divided by that of the others. When, at row t,

.. math:: R_t > 99 \quad\text{and}\quad R_t > \ln^2(t + 2) / 0.05,   \tag{1}

the rate of the heaviest filter comes into force. This is a change of the stream, unless
that half-life is longer than the stream so far. When slower filters hold 99%, the rate
of the heaviest comes into force too, without a change. The last 64 changes are kept.

In at most 5% of streams that do not change, however long, a change is noticed, if the
slow filters predict with the right probabilities. Then a factor of likelihoods has the
mean 1, and only fixed share raises :math:`R_t` on average. It does so by at most
:math:`0.5 / (t + 1.5)` from :math:`R_0 = 1`, if half of the filters forget. The
inequality of Hajek and Renyi bounds the chance of eq. (1) by the sum of :math:`R_0` and
these increments, each divided by its threshold: 0.01 + 0.03.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.mixture import CHANGES, POINTS, RATE, ROWS, STEP, SUMMED
from rosenblatt.core.types import FloatArray, IntArray

__all__ = ["Change", "Forgetting", "forgetting"]


class Change(NamedTuple):
    """A change of the stream: the row where it was noticed, and the half-life since."""

    row: int
    half_life: float


class Forgetting(NamedTuple):
    """Half-lives that the data chose, in examples; infinite where nothing is forgotten.

    ``half_life[i]`` is the effective one of the rows from ``rows[i - 1]`` (at first 0)
    up to ``rows[i]``, ``current`` that of the next row.
    """

    rows: IntArray
    half_life: FloatArray
    changes: tuple[Change, ...]
    current: float


def _half_lives(rates: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / rates)


def forgetting(experts: Experts) -> Forgetting:
    """Return how fast experts have forgotten so far.

    Examples
    --------
    >>> from rosenblatt import bayes
    >>> from rosenblatt.bayes import experts
    >>> settings = {"label_variance": 1.0, "covariance": "diagonal"}
    >>> some = [bayes.start(1, half_life=life, **settings) for life in (None, 50.0)]
    >>> found = experts.learn(experts.start(some), np.ones((4, 1)), np.ones(4, int))
    >>> known = forgetting(found)
    >>> known.rows, known.half_life.round(), known.changes
    (array([1, 2, 3, 4]), array([100., 100., 100., 100.]), ())
    """
    mixture, clock = experts.mixture, experts.first.clock
    if mixture is None:
        life = _half_lives(np.array([experts.first.rate]))
        rows = np.array([clock] if clock else [], np.int64)
        return Forgetting(rows, np.repeat(life, len(rows)), (), float(life[0]))
    statistics = mixture.statistics
    points, step = int(statistics[POINTS]), int(statistics[STEP])
    rows = step * np.arange(1, points + 1)
    rates = mixture.record[:points]
    if statistics[SUMMED]:
        rows = np.append(rows, int(statistics[ROWS]))
        rates = np.append(rates, statistics[RATE] / statistics[SUMMED])
    noticed = mixture.changes[: int(statistics[CHANGES])]
    changes = tuple(Change(int(row), float(1.0 / rate)) for row, rate in noticed)
    now = float(_half_lives(np.array([mixture.filter_weights @ mixture.rates]))[0])
    return Forgetting(rows, _half_lives(rates), changes, now)
