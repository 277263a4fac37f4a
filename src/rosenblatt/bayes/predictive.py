r"""Laws of a number that several experts predict.

Expert e believes that the field is around :math:`m_e`, with the variance :math:`v_e`.
Without a likelihood the noise :math:`s_e^2` is known from :math:`\nu_e` rows, and the
number has Student's law. Noise may have heavy tails, or a variance of its own in each
row. So the law is a mixture of scales :math:`c_k`, from 1/32 to 4,

.. math:: p_e(y) = \sum_k \pi_{ek}\,
    t_{\nu_e}\big(y; m_e, c_k^2 (s_e^2 + v_e)\big), \qquad
    p(y) = \sum_e w_e\, p_e(y).   \tag{1}

The shares :math:`\pi_{ek}` are proportional to prior counts, and to the sum over rows
of the probability that scale k had the row.

A row that counts as the power p of its likelihood has the density of p equal numbers.
With :math:`\kappa = v / s^2`, :math:`a = \nu / 2`, :math:`b = a s^2` and
:math:`b' = b + \tfrac p2 (y - m)^2 / (c^2 (1 + p \kappa))`,

.. math::
    \frac{\Gamma(a + p/2)\, b^a}{\Gamma(a)\, b'^{\,a + p/2}}\,
    \frac{(2 \pi c^2)^{-p/2}}{\sqrt{1 + p \kappa}}.   \tag{2}

With a likelihood the field is Gaussian, and the number has the mean of the likelihood's
law over it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, logsumexp, ndtr, ndtri, stdtr, stdtrit

from rosenblatt.bayes.layout import Record
from rosenblatt.bayes.mixture import (
    AGE,
    LOG_EVIDENCE,
    MIXTURE,
    POSSIBLE_RECORD,
    blank_record,
    note_rates,
)
from rosenblatt.compiling import kernel, types
from rosenblatt.core import Likelihood
from rosenblatt.core.schema import Array, Relation, Schema, record
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.likelihood import draw_labels, evidence_logs, label_moments
from rosenblatt.numerics.random import generator

SCALES = 2.0 ** np.arange(-5, 3)
# Counts of scales before any row: most noise has one variance.
SCALE_COUNTS = np.where(SCALES == 1.0, 8.0, 0.25)
_SQUARES, _LOGS = SCALES[:, None, None] ** 2, np.log(SCALES)[:, None, None]
_NEGLIGIBLE = 2e-5  # weights that change no quantile by much
_STEPS, _INSIDE = 24, 0.02  # to a quantile; they stay inside of a bracket
_FEW = 20.0  # degrees of freedom, or half of them in a series
_FARTHEST = 1e300  # of a squared distance
_DRAWS = 4000  # of which quantiles are taken, with a likelihood
_NODES, _MASSES = np.polynomial.hermite_e.hermegauss(30)
_MASSES = _MASSES / _MASSES.sum()


class Fields(NamedTuple):
    """The field of each row as each expert knows it, (experts, rows)."""

    mean: FloatArray
    variance: FloatArray
    noise: FloatArray  # its variance; 0 if a likelihood has it
    dof: FloatArray  # rows that noise was found from; infinite if a likelihood has it


class Scores(NamedTuple):
    """Logarithm of the density of each number, and the probability of less."""

    log_density: FloatArray
    below: FloatArray


class Mixed(NamedTuple):
    """Fields, and the weight of each expert and scale in each row."""

    fields: Fields
    weights: FloatArray  # (experts, 1 or rows, scales)
    likelihood: Likelihood | None

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and variance of each number."""
        mean, variance, noise, dof = self.fields
        weights = wider = self.weights @ np.ones(self.weights.shape[2])
        if self.likelihood is None:
            wider = self.weights @ SCALES**2
            variance = (variance + noise) * (dof / (dof - 2.0))
        else:
            unseen = np.isinf(variance)
            deviation = np.sqrt(np.where(unseen, 0.0, variance))
            nodes = mean[..., None] + deviation[..., None] * _NODES
            each, spread = label_moments(self.likelihood, nodes)
            mean = np.where(unseen, 0.0, each @ _MASSES)
            variance = spread @ _MASSES + (each - mean[..., None]) ** 2 @ _MASSES
            variance[unseen] = np.inf
        whole = (weights * mean).sum(axis=0)
        total = wider * variance + weights * (mean - whole) ** 2
        return whole, total.sum(axis=0)

    def interval(self, level: float) -> FloatArray:
        """Return the ends between which each number is, (rows, 2).

        Half of the rest is on either side. With a likelihood these are quantiles of
        draws, always the same ones.
        """
        tails = 0.5 * (1.0 - level), 0.5 * (1.0 + level)
        if self.likelihood is not None:
            some = self.draws(_DRAWS, np.random.RandomState(0))
            return np.quantile(some, tails, axis=0, method="inverted_cdf").T
        m, v, noise, dof = self.fields
        scales = np.sqrt(v + noise)[..., None] * SCALES
        ends = [quantiles(tail, m, scales, dof, self.weights) for tail in tails]
        return np.stack(ends, axis=1)

    def scores(self, y: FloatArray) -> Scores:
        """Return how well numbers were predicted; NaN of a row about which nothing is.

        With a likelihood the probability of less is not computed, and NaN.
        """
        m, v, noise, dof = self.fields
        y, below = np.asarray(y, np.float64), np.full(m.shape[1], np.nan)
        with np.errstate(all="ignore"):  # of a first row nothing is known
            each, best = densities(self.fields, y, np.ones(len(y)), self.likelihood)
            mixed = (np.moveaxis(each, 0, 2) * self.weights).sum(axis=2)
            log = np.asarray(logsumexp(best, axis=0, b=mixed))
            if self.likelihood is None:
                scales = np.sqrt(v + noise)[..., None] * SCALES
                x = (y - m)[..., None] / scales
                below = (self.weights * student(x, dof[..., None])).sum(axis=(0, 2))
        known = np.isfinite(v).all(axis=0)
        return Scores(*(np.where(known, one, np.nan) for one in (log, below)))

    def draws(self, number: int, random: np.random.RandomState) -> FloatArray:
        """Return independent draws of each number, (number, rows)."""
        (m, v, noise, dof), rows = self.fields, self.fields.mean.shape[1]
        shape = *m.shape, self.weights.shape[2]
        shares = np.broadcast_to(self.weights, shape).swapaxes(1, 2).reshape(-1, rows)
        sums = np.cumsum(shares, axis=0)
        uniform = random.uniform(size=(number, 1, rows)) * sums[-1]
        expert, scale = np.divmod((uniform > sums).sum(axis=1), shape[2])
        m, v, noise, dof = (one[expert, np.arange(rows)] for one in self.fields)
        if self.likelihood is None:
            wide = SCALES[scale] * np.sqrt(v + noise)
            return np.asarray(m + wide * random.standard_t(dof))
        f = m + np.sqrt(v) * random.standard_normal(m.shape)
        words = generator(np.random.SeedSequence(random.randint(2**31)))
        return draw_labels(self.likelihood, f, words)


def quantiles(
    tail: float, mean: FloatArray, scales: FloatArray, dof: FloatArray,
    weights: FloatArray,
) -> FloatArray:  # fmt: skip
    """Return the numbers below which mixtures of Student's laws are with a probability.

    Parameters
    ----------
    tail
        The probability.
    mean, dof
        Of each expert and number, (experts, numbers).
    scales, weights
        Of each scale too, (experts, numbers or 1, scales).
    """
    used = (weights > _NEGLIGIBLE).any(axis=1)
    scales = np.moveaxis(scales, 2, 1)[used]
    shares = np.moveaxis(weights, 2, 1)[used]
    shares = shares / shares.sum(axis=0)
    expert = np.nonzero(used)[0]
    m, dof = mean[expert], dof[expert]
    wanted = ndtri(tail)
    with np.errstate(all="ignore"):  # of what is nowhere finite
        each = m + scales * stdtrit(dof, tail)
        first = low = each.min(axis=0)
        high = each.max(axis=0)
        # Probits are nearly linear. Of the end that stays, half the value is taken.
        below, above = np.full((2, len(low)), np.nan)
        for _ in range(_STEPS):
            share = np.clip(below / (below - above), _INSIDE, 1.0 - _INSIDE)
            middle = low + np.where(share == share, share, 0.5) * (high - low)
            chance = (shares * student((middle - m) / scales, dof)).sum(axis=0)
            rest = ndtri(chance) - wanted
            less = rest < 0.0
            below, above = (
                np.where(less, rest, 0.5 * below), np.where(less, 0.5 * above, rest)
            )  # fmt: skip
            low, high = np.where(less, middle, low), np.where(less, high, middle)
    return np.asarray(np.where(np.isfinite(first), middle, first))


def student(x: FloatArray, dof: FloatArray) -> FloatArray:
    """Return the probability that a number of Student's law is below x.

    From 20 degrees of freedom it is that of Wallace (1959), which is off by 3e-5 at
    most, and ten times as fast.

    Examples
    --------
    >>> student(np.array([1.0]), np.array([20.0])).round(4)
    array([0.8354])
    """
    if dof.min() < _FEW:
        return np.asarray(stdtr(dof, x))
    root = np.sqrt(dof * np.log1p(x * x / dof))
    return np.asarray(ndtr(np.copysign(root * (8 * dof + 1) / (8 * dof + 3), x)))


def _gamma_ratio(a: FloatArray, powers: FloatArray) -> FloatArray:
    r"""Return :math:`\ln \Gamma(a + p/2) / (\Gamma(a)\, a^{p/2})`.

    For p = 1 and large a it is Stirling's series, exact to 1e-12 from 20 on.
    """
    if a.min() > _FEW and (powers == 1.0).all():
        x = 1.0 / (a * a)
        return np.asarray((x * (1.0 / 192.0 - x / 640.0) - 0.125) / a)
    half = 0.5 * powers
    return np.asarray(gammaln(a + half) - gammaln(a) - half * np.log(a))


def densities(
    fields: Fields, y: FloatArray, powers: FloatArray,
    likelihood: Likelihood | None = None,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Return densities of each number, (scales, experts, rows).

    They are in units of the largest of an expert, whose logarithm comes second.
    """
    m, v, noise, dof = fields
    if likelihood is not None:
        logs = evidence_logs(likelihood, m, v, y)
        return np.ones((1, *logs.shape)), logs
    a, blur = 0.5 * dof, 1.0 + powers * v / noise
    more = a + 0.5 * powers
    after = 0.5 * powers * (y - m) ** 2 / (blur * a * noise)
    np.minimum(after, _FARTHEST, out=after)
    each = np.log1p(after / _SQUARES)
    each *= -more
    each -= powers * _LOGS
    best = each.max(axis=0)
    each -= best
    log = best + _gamma_ratio(a, powers) - 0.5 * np.log(blur)
    log -= 0.5 * powers * np.log(2.0 * math.pi * noise)
    return np.exp(each, out=each), log


@kernel()
def _learn_shares(
    each: types.Tensor,
    logs: types.ReadMatrix,
    powers: types.ReadVector,
    keep: float,
    prior: types.ReadVector,
    rates: types.ReadVector,
    weights: types.Vector,
    counts: types.Vector,
    statistics: types.Vector,
    record: types.Vector,
    changes: types.Vector,
    found: types.Tensor,
) -> None:
    """Learn the weights of experts and the shares of scales by densities of rows.

    Weights before each row are written if there is room for them.
    """
    scales, experts, rows = each.shape
    for row in range(rows):
        top, total, share = -math.inf, 0.0, 1.0 / (statistics[AGE] + 2.0)
        for e in range(experts):
            top = max(top, logs[e, row])
        for e in range(experts):
            known, own, first = 0.0, 0.0, e * scales
            for k in range(scales):
                known += counts[first + k]
                own += counts[first + k] * each[k, e, row]
            if found.size:
                for k in range(scales):
                    found[e, row, k] = weights[e] * counts[first + k] / known
            more = powers[row] / own
            for k in range(scales):
                counts[first + k] *= 1.0 + more * each[k, e, row]
            weights[e] *= own / known * math.exp(logs[e, row] - top)
            total += weights[e]
        for e in range(experts):
            weights[e] = (1.0 - share) * weights[e] / total + share * prior[e]
        statistics[LOG_EVIDENCE] += math.log(total) + top
        statistics[AGE] = keep * statistics[AGE] + 1.0
        note_rates(weights, rates, experts, 1, statistics, record, changes)


WEIGHING = Schema(
    "weights of experts",
    {
        "prior": Array((("predictions",),), low=0.0, high=1.0),
        "rates": Array((("predictions",),), low=0.0),
        "weights": Array((("predictions",),), low=0.0, high=1.0),
        "counts": Array((("predictions", "noise scales"),), low=0.0),
        **{name: MIXTURE.fields[name] for name in ("statistics", "record", "changes")},
    },
    (
        Relation(
            "as many scales as are known, or one",
            lambda _, sizes: sizes["noise scales"] in (1, len(SCALES)),
        ),
        POSSIBLE_RECORD,
    ),
)


@record(WEIGHING)
@dataclass
class Weighing(Record):
    """Weights of experts, and shares of scales of their noise."""

    prior: FloatArray  # weights before any row
    rates: FloatArray  # of forgetting, 1 / half-life; 0 for none
    weights: FloatArray  # for the next row
    counts: FloatArray  # of scales, (experts, scales)
    statistics: FloatArray  # as those of a mixture, as are the next two
    record: FloatArray
    changes: FloatArray

    def __post_init__(self) -> None:
        """Check types and shapes, which the kernel trusts."""
        WEIGHING.check(self, values=False)

    @property
    def shares(self) -> FloatArray:
        """The share of each scale, (experts, scales)."""
        return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @property
    def filter_weights(self) -> FloatArray:
        """The weight of each expert."""
        return self.weights

    def learn(
        self, each: FloatArray, logs: FloatArray, powers: FloatArray, wanted: bool
    ) -> FloatArray:
        """Learn rows by their :func:`densities`; return weights before each of them.

        These are (experts, rows, scales), without rows if they are not wanted.
        """
        scales, experts, rows = each.shape
        found = np.empty((experts, rows if wanted else 0, scales))
        own = [getattr(self, name) for name in tuple(WEIGHING.fields)[2:]]
        _learn_shares(
            each, np.ascontiguousarray(logs), powers, 0.5 ** float(self.rates[0]),
            self.prior, self.rates, *(array.reshape(-1) for array in own), found
        )  # fmt: skip
        return found


def start_weighing(prior: Any, rates: Any, scales: bool) -> Weighing:
    """Return weights before any row; without ``scales`` the noise has one."""
    shares = np.array(prior) / sum(prior)
    counts = SCALE_COUNTS if scales else np.ones(1)
    own = np.tile(counts, (len(shares), 1))
    return Weighing(shares, np.array(rates), shares.copy(), own, *blank_record())
