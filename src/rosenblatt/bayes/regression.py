r"""Bayesian linear regression in one pass: a mixture of Gaussian beliefs.

With z the standardised columns of a row and a last entry 1, the field is :math:`f =
w \cdot z`. An expert believes :math:`w \sim \mathcal N(W, P)`, at first :math:`\mathcal
N(0, \Lambda)` with a diagonal :math:`\Lambda`. With the slope g and the curvature c
that a label has for the field :math:`\mathcal N(m, v)`, where :math:`m = W \cdot z` and
:math:`v = z^T P z` (:mod:`rosenblatt.numerics.likelihood`),

.. math::
    W \leftarrow W + g P z, \qquad P \leftarrow P - c\, P z (P z)^T.   \tag{1}

Without a likelihood the noise is Gaussian, and its variance :math:`\sigma^2` unknown. W
and P are then in units in which it is 1. Given :math:`\nu` rows with the weighted sum S
of squares of innovations, :math:`\sigma^2` has an inverse gamma law, and

.. math::
    S \leftarrow S + \frac{(u - m)^2}{1 + v}, \qquad \nu \leftarrow \nu + 1, \qquad
    u \sim t_\nu\!\left(m, \frac{S}{\nu} (1 + v)\right)   \tag{2}

is the exact prediction. With a half-life weights drift: per row, with k the part that
is kept, :math:`W \leftarrow \sqrt k W`, :math:`P \leftarrow k P + (1 - k) \Lambda`, and
S and :math:`\nu` return to their prior as well.

The prior is that of columns in units of all rows so far. Whenever these units change,
at times that depend on the number of rows only, what the rows have told,

.. math::
    A = P^{-1} - \Lambda^{-1}, \qquad b = P^{-1} W, \qquad
    C = S - S_0 + W \cdot P^{-1} W,   \tag{3}

is expressed in the new units, and multiplied with the prior there. So the posterior of
an expert that forgets nothing is that of all rows, in any order. Two such beliefs of
different rows are merged by adding A, b, C and :math:`\nu`.

Experts differ in their half-life. At each change of units each of them gives its
weights the prior variance of most evidence. There is one more
prediction, by its weights and by the noise of the last rows. Each prediction is weighed
by the density that it gave to targets so far (:mod:`rosenblatt.bayes.predictive`), with
the fixed share of :mod:`rosenblatt.bayes.mixture`, eq. (2), and with prior weights. For
rows whose targets will not be seen weights are those of
:mod:`rosenblatt.bayes.horizon`. Functions of :mod:`rosenblatt.bayes.cosines` are two
more experts, for each length scale one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.bayes import cosines as curves
from rosenblatt.bayes import horizon as ahead
from rosenblatt.bayes.cosines import Functions, Prediction, Regression
from rosenblatt.bayes.horizon import EVERY, GAP, HORIZON, RENEWED, SAMPLES, SCORED
from rosenblatt.bayes.layout import Record
from rosenblatt.bayes.mixture import AGE, LOG_EVIDENCE
from rosenblatt.bayes.predictive import (
    WEIGHING,
    Fields,
    Mixed,
    Weighing,
    densities,
    start_weighing,
)
from rosenblatt.bayes.standardisation import (
    KNOWN,
    REACH,
    Standardisation,
    next_change,
)
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.matrices import LANES, multiply_symmetric, update_symmetric
from rosenblatt.compiling.pointers import function_address, function_at
from rosenblatt.core import Labels, Likelihood
from rosenblatt.core.schema import (
    Array,
    Nested,
    Number,
    Relation,
    Schema,
    Whole,
    record,
)
from rosenblatt.core.types import FloatArray
from rosenblatt.likelihoods import Gaussian
from rosenblatt.numerics.evidence import LEAST_VARIANCE
from rosenblatt.numerics.likelihood import EVIDENCE, weighted_evidence
from rosenblatt.system.threads import one_thread

# Of each expert: half-life, variance of the field in units of the noise at first, and
# the number of weights up to which there is such an expert: a short memory cannot tell
# many. The first one chooses the variance by its evidence.
EXPERTS = (
    (math.inf, 3.0, 2**20),
    (4096.0, 3.0, 181),
    (256.0, 3.0, 63),
    (32.0, 10.0, 63),
)
# With a likelihood that is given: variance of the field, in units of numbers, or of the
# logarithm of counts.
KNOWN_EXPERTS = (
    (math.inf, 0.3, 2**20),
    (4096.0, 0.3, 181),
    (256.0, 1.0, 63),
)
_RATIOS = 10.0 ** np.linspace(-3.0, 4.0, 36)
_SPREAD = 4.0  # the standard deviation of the logarithm of a ratio, before any row
# Prior weights of predictions: without forgetting, by the noise of the last rows, and
# all others.
_STEADY, _RECENT, _OTHER = 12.0, 4.0, 1.0
_NOISE_LIFE = 32.0  # the half-life of the noise of the last rows
_INTERCEPT = 10.0  # its prior variance, in units of the variance of targets
_PRIOR_ROWS = 3.0  # nu at first
_ROUNDING = 1e-12  # the weight of all rows, which is a difference, is at least so much
FAR = 1e6  # standard deviations; entries beyond it count as so far
_BLOCK = 1000  # rows that are learned together: not a power of 2, for the cache
_MOST = 1e250
_LARGEST = 1e125  # units of the target; what is farther counts as so far
LARGEST_TARGET = 1e100  # its square is a number, and so are products with it
_GAUSSIAN = Gaussian(1.0)
_evidence_at = function_at(EVIDENCE)
_numbers = types.float64[::1]
_choose_rows = kernel(types.void, types.int64, types.float64, _numbers, _numbers)(
    ahead.choose_rows
)
# Rows of what the kernel writes: fields, the logarithm of the density, if there is a
# likelihood, and variance, noise and number of rows by the noise of the last rows.
_STEADY_FIELDS, _LOG, _RECENT_FIELDS, _WRITTEN = [0, 1, 2, 3], 4, [0, 5, 6, 7], 8


@kernel()
def _learn_rows(
    Z: types.ReadMatrix,
    targets: types.ReadVector,
    powers: types.ReadVector,
    center: float,
    inverse: float,
    rates: types.ReadVector,
    likelihood: int,
    means: types.Matrix,
    covariances: types.Tensor,
    errors: types.Matrix,
    recent: types.Vector,
    priors: types.ReadMatrix,
    prior_errors: types.ReadMatrix,
    sums: types.Matrix,
    room: types.Vector,
    found: types.Tensor,
) -> None:
    """Learn rows by eqs. (1, 2), and write what was known before each one."""
    evidence = _evidence_at(likelihood)
    experts, n = means.shape
    wide, unit, fade = room.size // (n + 1), 1.0 / inverse, 0.5 ** (1.0 / _NOISE_LIFE)
    V, u = room[: n * wide], room[n * wide :]
    for row in range(len(Z)):
        power = powers[row]
        for i in range(n):
            far = Z[row, i] if i < n - 1 else (targets[row] - center) * inverse
            far = min(max(far, -REACH), REACH)
            sums[0, i] += power * far
            sums[1, i] += power * far * far
    for e in range(experts):
        mean, own, keep = means[e], found[e], 0.5 ** rates[e]
        begun, begun_rows, shrink = prior_errors[e, 0], prior_errors[e, 1], keep**0.5
        squares, rows = errors[e, 0], errors[e, 1]
        for i in range(n):
            for j in range(n):
                V[i * wide + j] = covariances[e, i, j]
        for row in range(len(Z)):
            z, power = Z[row], powers[row]
            multiply_symmetric(V, z, u, n)
            m, v = 0.0, 0.0
            for i in range(n):
                m += mean[i] * z[i]
                v += u[i] * z[i]
            v = max(v, LEAST_VARIANCE)
            field, variance = center + unit * m, unit * unit * v
            own[0, row] = field
            if begun_rows > 0.0:
                noise, last = squares / rows, recent[0] / recent[1]
                own[1, row], own[2, row] = variance * noise, unit * unit * noise
                own[3, row], own[7, row] = rows, recent[1]
                own[5, row], own[6, row] = variance * last, unit * unit * last
                curvature = power / (1.0 + power * v)
                away = (targets[row] - center) * inverse - m
                slope = min(max(away, -_LARGEST), _LARGEST) * curvature
                news = slope * slope / curvature
                squares = keep * (squares + news) + (1.0 - keep) * begun
                rows = keep * (rows + power) + (1.0 - keep) * begun_rows
                if e == 0:
                    more = (1.0 - fade) * _PRIOR_ROWS
                    recent[0] = fade * recent[0] + more * noise + news
                    recent[1] = fade * recent[1] + more + power
            else:
                one = evidence(field, variance, targets[row], power)
                own[1, row], own[2, row], own[3, row] = variance, 0.0, math.inf
                own[4, row] = one.log_probability
                slope = unit * one.slope
                curvature = unit * unit * max(one.curvature, 0.0)
            root = math.sqrt(keep * curvature)
            for i in range(n):
                mean[i] = shrink * (mean[i] + slope * u[i])
                u[i] *= root
            update_symmetric(V, u, 1.0, keep, n)
            for i in range(n if keep < 1.0 else 0):
                V[i * (wide + 1)] += (1.0 - keep) * priors[e, i]
        errors[e, 0], errors[e, 1] = squares, rows
        for i in range(n):
            for j in range(n):
                covariances[e, i, j] = V[i * wide + j]


BELIEFS = Schema(
    "linear beliefs",
    {
        "mean": Array((("experts", "weights"),), low=-_MOST, high=_MOST),
        "covariance": Array(
            (("experts", "weights", "weights"),), low=-_MOST, high=_MOST
        ),
        "errors": Array((("experts", 2),), low=0.0),
        "recent": Array(((2,),), low=0.0),
        "center": Array((("weights",),)),
        "inverse_scale": Array((("weights",),), low=0.0),
    },
    (
        Relation(
            "positive variances",
            lambda own, _: bool(
                (np.diagonal(own.covariance, axis1=1, axis2=2) > 0.0).all()
            ),
            values=True,
        ),
    ),
)


@record(BELIEFS)
class Beliefs(NamedTuple):
    """The belief of each expert, and the units of columns; the target comes last."""

    mean: FloatArray  # W, (experts, weights)
    covariance: FloatArray  # P, (experts, weights, weights)
    errors: FloatArray  # S and nu; 0 if the likelihood is given
    recent: FloatArray  # the same for the noise of the last rows
    center: FloatArray
    inverse_scale: FloatArray

    def copy(self) -> Beliefs:
        """Return beliefs that share nothing with these."""
        return Beliefs(*(array.copy() for array in self))

    @property
    def unknown(self) -> bool:
        """Whether the noise is unknown."""
        return bool(self.errors[0, 1])

    @property
    def unit(self) -> float:
        """The unit of targets."""
        return 1.0 / float(self.inverse_scale[-1])

    @property
    def experts(self) -> list[int]:
        """The expert of each prediction: the first one also has the recent noise."""
        return [*range(len(self.mean)), 0][: len(self.mean) + self.unknown]

    def rows(self, X: FloatArray) -> FloatArray:
        """Return rows in units of the columns, and a last entry 1."""
        Z = np.ones((len(X), self.center.size))
        np.subtract(X, self.center[:-1], out=Z[:, :-1])
        Z[:, :-1] *= self.inverse_scale[:-1]
        return np.clip(Z, -FAR, FAR, out=Z)

    @property
    def own_weights(self) -> FloatArray:
        """Weights of columns in their own units, and of 1, as sums of weights."""
        T = np.diag(np.append(self.inverse_scale[:-1], 1.0))
        T[-1, :-1] = -self.inverse_scale[:-1] * self.center[:-1]
        return T

    def sums(self, Z: FloatArray) -> Fields:
        """Return the law of sums of weights, as each prediction knows it."""
        own, unit = self.experts, self.unit
        with np.errstate(all="ignore"):  # of columns of numbers below 1e-300
            mean = unit * (self.mean @ Z.T)[own]
            each = [np.einsum("ij,ij->i", Z @ P, Z) for P in self.covariance]
            variance = unit**2 * np.maximum(np.stack(each)[own], LEAST_VARIANCE)
        if not self.unknown:  # the likelihood has the noise
            none = np.zeros_like(mean)
            return Fields(mean, variance, none, none + np.inf)
        errors = np.vstack([self.errors, self.recent])
        rows = np.broadcast_to(errors[:, 1:], mean.shape)
        noise = errors[:, :1] / rows
        return Fields(mean, variance * noise, unit**2 * noise, rows)

    def predict(self, X: FloatArray) -> Fields:
        """Return the field of each row, as each prediction knows it."""
        found = self.sums(self.rows(X))
        return found._replace(mean=found.mean + self.center[-1])

    def coefficients(self) -> Fields:
        """Return laws of weights and of the intercept, in units of the columns."""
        found = self.sums(self.own_weights)
        found.mean[:, -1] += self.center[-1]
        return found

    def draws(
        self, number: int, weights: FloatArray, random: np.random.RandomState
    ) -> FloatArray:
        """Return draws of weights and the intercept, (number, weights)."""
        chosen, n = random.choice(len(weights), number, p=weights), self.center.size
        errors, found = np.vstack([self.errors, self.recent]), np.empty((number, n))
        for e in np.unique(chosen):
            rows, own = np.flatnonzero(chosen == e), self.experts[e]
            draw = random.standard_normal((len(rows), n))
            draw = draw @ np.linalg.cholesky(self.covariance[own]).T
            if self.unknown:
                draw *= np.sqrt(
                    errors[e, 0] / random.chisquare(errors[e, 1], len(rows))
                )[:, None]
            found[rows] = self.unit * (self.mean[own] + draw) @ self.own_weights.T
        found[:, -1] += self.center[-1]
        return found


class Told(NamedTuple):
    """Information of the rows that experts have learned, eq. (3), in some units."""

    A: FloatArray  # (experts, weights, weights)
    b: FloatArray  # (experts, weights)
    C: FloatArray
    rows: FloatArray

    def moved(self, shift: FloatArray, ratio: FloatArray) -> Told:
        """Return the same in other units, z' = ratio z - shift; the target is last."""
        M = np.diag(np.append(ratio[:-1], 1.0))
        M[-1, :-1] = -shift[:-1]
        A, b, r, t = M.T @ self.A @ M, self.b @ M, ratio[-1], shift[-1]
        C = r * r * self.C - 2.0 * r * t * b[:, -1] + t * t * A[:, -1, -1]
        return Told(A, r * b - t * A[:, -1], C, self.rows)


def _inverses(matrices: FloatArray) -> FloatArray:
    """Return the inverses of matrices that are positive but for rounding."""
    try:
        half = np.linalg.inv(np.linalg.cholesky(matrices))
        return np.asarray(half.swapaxes(1, 2) @ half)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(matrices)
        least = values[:, -1:] * np.finfo(float).eps * values.shape[1]
        part = vectors / np.maximum(values, least)[:, None]
        return np.asarray(part @ vectors.swapaxes(1, 2))


def _times(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    """Return the product of each matrix with a vector."""
    return np.asarray((matrices @ vectors[:, :, None])[:, :, 0])


REGRESSION_EXPERTS = Schema(
    "regression experts",
    {
        "beliefs": Nested(BELIEFS),
        "prior": Array((("experts", "weights"),), low=0.0),
        "prior_errors": Array((("experts", 2),), low=0.0),
        "sums": Array(((2, "weights"),)),
        "summed": Number(low=0.0),
        "clock": Whole(high=2**53),
        "mixture": Nested(WEIGHING),
        "curved": Nested(curves.REGRESSION, optional=True),
        "copies": Nested(BELIEFS),
        "copied": Nested(WEIGHING),
        "curved_copies": Nested(curves.FUNCTIONS, optional=True),
        "scores": Array((("predictions",),)),
        "lost": Array(((2,),)),
        **{name: HORIZON.fields[name] for name in ("counters", "samples")},
    },
    (
        Relation(
            "a weight for each expert, for the last rows, and for each length scale",
            lambda own, sizes: (
                sizes["predictions"]
                == len(own.beliefs.experts)
                + (own.curved is not None) * len(curves.SCALES)
            ),
        ),
        *HORIZON.relations,
    ),
)


class Later(NamedTuple):
    """Quality of predictions of rows up to 10% later, or up to the horizon.

    Each of some rows was predicted by the model of an earlier time, which had none of
    the targets in between. ``rows`` is how many rows they stand for.
    """

    rows: float
    squared_error: float
    log_loss: float


@record(REGRESSION_EXPERTS)
@dataclass
class RegressionExperts(Record):
    """Beliefs of several experts, their weights, and copies for later rows."""

    beliefs: Beliefs
    prior: FloatArray  # the diagonal of Lambda, (experts, weights)
    prior_errors: FloatArray
    sums: FloatArray  # of columns and target, and of their squares
    summed: float  # the weight of rows in them
    clock: int  # rows so far
    mixture: Weighing  # of all predictions
    curved: Regression | None
    copies: Beliefs  # of an earlier time, which are scored on later rows
    copied: Weighing
    curved_copies: Functions | None
    scores: FloatArray  # sums of log-densities by copies
    lost: FloatArray  # sums of squared errors and log-losses of copies
    counters: FloatArray  # as in bayes.horizon
    samples: FloatArray  # numbers of the rows to score

    def __post_init__(self) -> None:
        """Check types and shapes, which kernels trust."""
        REGRESSION_EXPERTS.check(self, values=False)

    @property
    def log_evidence(self) -> float:
        """The sum of the log-densities of targets, each before it was seen."""
        return float(self.mixture.statistics[LOG_EVIDENCE])

    def learn(
        self, X: FloatArray, y: FloatArray, powers: FloatArray,
        likelihood: Likelihood | None, seen: Callable[[Mixed], Any] | None = None,
    ) -> list[Any]:  # fmt: skip
        """Learn rows in place; return what is ``seen`` of the law of some rows each.

        It is their law before each of them. ``powers`` are those of the rows'
        likelihoods, above 0.
        """
        each, first, scored = [], 0, 0
        alone = len(X) == 1 and self.curved is None  # no large product
        with np.errstate(all="ignore"), nullcontext() if alone else one_thread():
            while first < len(X):
                if self.clock == 0 or next_change(self.clock - 1) == self.clock:
                    self._change(X[first], y[first], likelihood)
                due = int(self.counters[RENEWED] + self.counters[GAP])
                last = min(next_change(self.clock), due, self.clock + _BLOCK)
                part = slice(first, min(first + last - self.clock, len(X)))
                own = X[part], y[part], powers[part]
                each.append(self._learn_part(*own, likelihood, seen))
                first = part.stop
                if self.clock == due or first == len(X):
                    part = slice(scored, first)
                    self._score(X[part], y[part], powers[part], likelihood)
                    scored = first
                if self.clock == due:
                    self._renew()
        return each

    def _change(
        self, row: FloatArray, target: float, likelihood: Likelihood | None
    ) -> None:
        """Change units to those of all rows so far; inputs of the next one are known.

        The first target sets its own unit, and is not predicted.
        """
        known = self.standardisation
        entries = np.append(row, target if self.clock == 0 else math.nan)
        units = np.stack(known.following(entries))
        units[1, -1] = min(units[1, -1], LARGEST_TARGET)
        if likelihood is not None:
            units[1, -1] = min(units[1, -1], FAR / likelihood.scale)
            if likelihood.labels != Labels.NUMBERS:
                units[:, -1] = 0.0, 1.0  # counts and signs have no other scale
        self._use(known.to(*units))

    @property
    def standardisation(self) -> Standardisation:
        """Units of columns and target, and the sums that give better ones."""
        own = self.beliefs[4:]
        return Standardisation(*own, self.sums, self.summed, False)

    def _use(self, moved: tuple[Standardisation, FloatArray, FloatArray]) -> None:
        """Express all that was learned in other units."""
        units, shift, ratio = moved
        self.sums = units.sums
        ratio = np.where(ratio < KNOWN, ratio, 0.0)
        if self.clock:
            told = self._told().moved(shift, ratio)
            self._choose_priors(told)
            self._believe(told)
        wider = ratio[-1] if ratio[-1] > 0.0 else 1.0  # all targets were the same
        self.beliefs.recent[0] *= wider**2
        self.beliefs = self.beliefs._replace(
            center=units.center.copy(), inverse_scale=units.inverse_scale.copy()
        )
        if self.curved is not None:
            functions = self.curved.functions
            functions.mean[:] *= wider
            functions.mean[:, -1] -= shift[-1]
            functions.errors[:, 0] *= wider**2
            self.curved.targets = wider * self.curved.targets - shift[-1]

    def _told(self) -> Told:
        """Return what rows have told each expert."""
        W, P, errors = self.beliefs[:3]
        A, (squares, rows) = _inverses(P), (errors - self.prior_errors).T
        b = _times(A, W)
        np.einsum("eii->ei", A)[:] -= 1.0 / self.prior
        return Told(A, b, squares + (W * b).sum(axis=1), rows)

    def _choose_priors(self, told: Told) -> None:
        """Give weights of each expert the prior variance of most evidence.

        The intercept, of which the prior tells next to nothing, is left out.
        """
        A, b, C, rows = told
        columns, unknown = b.shape[1] - 1, self.beliefs.unknown
        weight, last = np.maximum(A[:, -1:, -1:], _ROUNDING), b[:, -1:]
        across = A[:, :-1, -1:] / weight
        values, vectors = np.linalg.eigh(A[:, :-1, :-1] - across @ A[:, -1:, :-1])
        share = np.maximum(values, 0.0)[:, :, None] * _RATIOS / columns
        known = _times(vectors.swapaxes(1, 2), b[:, :-1] - across[:, :, 0] * last)
        explained = known[:, :, None] ** 2 * (_RATIOS / columns) / (1.0 + share)
        explained = explained.sum(axis=1)
        logs = -0.5 * np.log1p(share).sum(axis=1)
        if unknown:
            squares = _PRIOR_ROWS / (1.0 + _RATIOS)
            C = C[:, None] - last**2 / weight[:, 0]
            left = np.maximum(C - explained, 0.0)
            logs += 0.5 * _PRIOR_ROWS * np.log(squares)
            more = _PRIOR_ROWS + rows[:, None] - 1.0
            logs -= 0.5 * more * np.log(squares + left)
        else:
            logs += 0.5 * explained
        table = EXPERTS if unknown else KNOWN_EXPERTS
        usual = np.array([ratio for _, ratio, _ in table[: len(b)]])[:, None]
        logs -= 0.5 * (np.log(_RATIOS / usual) / _SPREAD) ** 2
        best = _RATIOS[logs.argmax(axis=1)]
        self.prior, self.prior_errors = _priors(best, columns, unknown)

    def _believe(self, told: Told) -> None:
        """Multiply what rows have told with the prior."""
        own = self.beliefs
        precision = told.A.copy()
        np.einsum("eii->ei", precision)[:] += 1.0 / self.prior
        own.covariance[:] = _inverses(precision)
        own.mean[:] = _times(own.covariance, told.b)
        squares = np.maximum(told.C - (own.mean * told.b).sum(axis=1), 0.0)
        own.errors[:] = self.prior_errors + np.stack([squares, told.rows], axis=1)

    def _learn_part(
        self, X: FloatArray, y: FloatArray, powers: FloatArray,
        likelihood: Likelihood | None, seen: Callable[[Mixed], Any] | None,
    ) -> Any:  # fmt: skip
        """Learn rows in the same units."""
        own, first = self.beliefs, self.clock == 0
        Z, size = own.rows(X), own.center.size
        found = np.empty((len(own.mean), _WRITTEN, len(X)))
        room = np.zeros((size + 1) * -(-size // LANES) * LANES)
        _learn_rows(
            Z, y, powers, own.center[-1], own.inverse_scale[-1], self.mixture.rates,
            function_address(weighted_evidence(likelihood or _GAUSSIAN)), *own[:4],
            self.prior,
            self.prior_errors, self.sums, room, found
        )  # fmt: skip
        each = [found[:, _STEADY_FIELDS], found[: own.unknown, _RECENT_FIELDS]]
        if self.curved is not None:
            rows = self.curved.functions.errors[:, 1:] + np.cumsum(powers) - powers
            targets = (y - own.center[-1]) * own.inverse_scale[-1]
            columns = own.center[:-1], own.inverse_scale[:-1]
            known = self.curved.learn(X, targets[:, None], powers, *columns)
            each.append(_function_fields(own, known, rows))
        fields = Fields(*np.concatenate(each).swapaxes(0, 1))
        if likelihood is None:
            shares, logs = densities(fields, y, powers)
        else:
            shares, logs = np.ones((1, len(found), len(X))), found[:, _LOG]
        if first:  # the first target set the units
            shares[:, :, 0], logs[:, 0] = 1.0, 0.0
            fields.mean[:, 0], fields.variance[:, 0] = 0.0, np.inf
        weights = self.mixture.learn(shares, logs, powers, seen is not None)
        self.summed += float(powers.sum())
        self.clock += len(X)
        return seen and seen(Mixed(fields, weights, likelihood))

    def predict(
        self, X: FloatArray, own: Beliefs | None = None, functions: Any = None
    ) -> Fields:
        """Return fields of rows, or those that copies of an earlier time know."""
        if not self.clock:
            zeros = np.zeros((len(self.scores), len(X)))
            return Fields(zeros, zeros + np.inf, zeros + 1.0, zeros + _PRIOR_ROWS)
        own = own or self.beliefs
        with np.errstate(all="ignore"), one_thread():
            fields = own.predict(X)
            if self.curved is None:
                return fields
            known = functions or self.curved.functions
            found = self.curved.predict(X, known)
        more = _function_fields(own, found, known.errors[:, 1:])
        return Fields(*np.concatenate([np.stack(fields), more.swapaxes(0, 1)], axis=1))

    def mean_over(
        self, X: FloatArray, weights: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the mean of predictions over rows, and its standard deviation.

        ``weights`` are those of predictions; the noise must be unknown.
        """
        own, curved = self.beliefs, self.curved
        each = self.predict(X).mean.mean(axis=1)
        spread = own.sums(own.rows(X).mean(axis=0)[None]).variance[:, 0]
        if curved is not None:
            noise = own.unit**2 * curved.functions.noise
            spread = np.append(spread, noise * curved.variances_of_mean(X))
        mean = weights @ each
        variance = weights @ (spread + (each - mean) ** 2)
        return np.array([mean]), np.sqrt([variance])

    def mixed(self, X: FloatArray, likelihood: Likelihood | None, later: bool) -> Mixed:
        """Return the law of each row's target: the next row's, or a later one's."""
        weights = self.later_weights() if later else self.mixture.weights
        return _law(self.predict(X), weights, self.mixture, likelihood)

    def _score(
        self, X: FloatArray, y: FloatArray, powers: FloatArray,
        likelihood: Likelihood | None,
    ) -> None:  # fmt: skip
        """Score copies by some of these rows, which are the last ones."""
        samples = int(self.counters[SAMPLES])
        places = self.samples[:samples].astype(np.int64) - (self.clock - len(X))
        chosen = places[(places >= 0) & (places < len(X))]
        if not chosen.size or self.counters[RENEWED] == 0.0:
            return
        fields, y = self.predict(X[chosen], self.copies, self.curved_copies), y[chosen]
        each, logs = densities(fields, y, np.ones(len(y)), likelihood)
        logs += np.log(np.einsum("ek,ker->er", self.copied.shares, each))
        rows = self.counters[GAP] / samples * powers[chosen]
        weights, top = self.copied.weights, logs.max(axis=0)
        mixed = np.log(weights @ np.exp(logs - top)) + top
        mean = weights @ fields.mean
        if likelihood is not None:
            mean = _law(fields, weights, self.copied, likelihood).moments()[0]
        self.scores += logs @ rows
        self.lost += rows @ (mean - y) ** 2, -rows @ mixed
        self.counters[SCORED] += rows.sum()

    @property
    def later(self) -> Later:
        """How well later rows were predicted so far."""
        rows = float(self.counters[SCORED])
        lost = (self.lost / rows).tolist() if rows else [math.nan] * 2
        return Later(rows, *lost)

    def _renew(self) -> None:
        """Copy beliefs, and choose the rows that the copies will be scored on."""
        self.copies, self.copied = self.beliefs.copy(), self.mixture.copy()
        self.copied.weights[:] = self.later_weights()
        self.curved_copies = _copy(self.curved)
        age = self.mixture.statistics[AGE]
        _choose_rows(self.clock, float(age), self.counters, self.samples)

    @property
    def horizon(self) -> int | None:
        """The given horizon, or None."""
        return int(self.counters[EVERY]) or None

    def later_weights(self) -> FloatArray:
        """Return the weight of each expert for rows whose targets will not be seen."""
        own, linear = self.mixture, len(self.beliefs.mean)
        rates, weights = own.rates.copy(), np.empty(len(own.rates))
        rates[linear : linear + self.beliefs.unknown] = 1.0 / _NOISE_LIFE
        age = own.statistics[AGE]
        ahead.write_weights(self.scores, self.counters, rates, age, len(rates), weights)
        weights *= own.prior
        return np.asarray(weights / weights.sum())

    def linear_weights(self, weights: FloatArray) -> FloatArray:
        """Return weights of linear experts, without those of functions."""
        linear = weights[: len(self.beliefs.experts)]
        if not linear.sum() > 0.0:  # functions have all of it
            linear = self.mixture.prior[: len(linear)]
        return np.asarray(linear / linear.sum())

    def grown(self, columns: int) -> RegressionExperts:
        """Return experts with more columns, which were 0 in all rows.

        Functions begin anew but for the rows that they keep.
        """
        result, place = self.copy(), self.sums.shape[1] - 1
        new = [place] * (columns - place)

        def wider(array: FloatArray, value: Any = 0.0, axis: int = -1) -> FloatArray:
            return np.ascontiguousarray(np.insert(array, new, value, axis))

        for name in ("beliefs", "copies"):
            own = getattr(result, name)
            covariance = wider(wider(own.covariance), axis=1)
            for i in range(place, columns):
                covariance[:, i, i] = self.prior[:, 0]
            known = own._replace(
                mean=wider(own.mean),
                covariance=covariance,
                center=wider(own.center),
                # Columns of 0 have the unit 1; before any row nothing is known.
                inverse_scale=wider(own.inverse_scale, float(self.clock > 0)),
            )
            setattr(result, name, known)
        result.curved = self.curved and self.curved.grown(columns)
        result.curved_copies = _copy(result.curved)
        result.prior = wider(self.prior, self.prior[:, :1])
        result.sums = wider(self.sums)
        return result

    def merged(self, other: RegressionExperts) -> RegressionExperts:
        """Return experts of the rows of both."""
        result, other = self.copy(), other.copy()
        both = self.standardisation.joined(other.standardisation)
        for one in (result, other):
            one._use(one.standardisation.to(both.center, both.inverse_scale))
        pairs = zip(result._told(), other._told(), strict=True)
        result._believe(Told(*(one + two for one, two in pairs)))
        result.sums, result.summed = both.sums, both.weight
        result.clock += other.clock
        own, more = result.mixture, other.mixture
        for place in (AGE, LOG_EVIDENCE):
            own.statistics[place] += more.statistics[place]
        own.weights[:] = 0.5 * (own.weights + more.weights)
        own.counts += more.counts - _fresh(own).counts
        result.scores += other.scores
        result.lost += other.lost
        result.counters[SCORED] += other.counters[SCORED]
        result.beliefs.recent[:] = 0.5 * (result.beliefs.recent + other.beliefs.recent)
        if result.curved is not None and other.curved is not None:
            units = result.beliefs.center[:-1], result.beliefs.inverse_scale[:-1]
            result.curved = result.curved.merged(other.curved, *units)
        result._renew()
        return result


def _copy(own: Regression | None) -> Functions | None:
    return None if own is None else own.functions.copy()


def _fresh(own: Weighing) -> Weighing:
    """Return the weights of these experts before any row."""
    return start_weighing(own.prior, own.rates, own.counts.shape[1] > 1)


def _law(
    fields: Fields, weights: FloatArray, own: Weighing, likelihood: Likelihood | None
) -> Mixed:
    """Return the law of each row's target, with the same weights in all rows."""
    return Mixed(fields, (weights[:, None] * own.shares)[:, None], likelihood)


def _function_fields(
    own: Beliefs, found: list[Prediction], rows: FloatArray
) -> FloatArray:
    """Return fields of functions; their noise was found from so many ``rows``."""
    each = np.empty((len(found), 4, len(found[0].mean)))
    for one, fields, known in zip(found, each, rows, strict=True):
        noise = own.unit**2 * one.noise
        fields[0] = own.center[-1] + own.unit * one.mean[:, 0]
        fields[1] = np.maximum(one.variance, LEAST_VARIANCE) * noise
        fields[2], fields[3] = noise, known
    return each


def _priors(
    ratios: FloatArray, columns: int, unknown: bool
) -> tuple[FloatArray, FloatArray]:
    """Return prior variances of weights, and prior errors, for some ratios.

    Targets in their own units have variance 1. If the noise is unknown, variances are
    in units of it, and a ratio is that of the field's variance and the noise's.
    """
    prior = np.repeat(ratios[:, None] / columns, columns + 1, axis=1)
    prior[:, -1] = _INTERCEPT * (1.0 + ratios if unknown else 1.0)
    errors = np.stack([1.0 / (1.0 + ratios), np.ones(len(ratios))], 1)
    return prior, _PRIOR_ROWS * unknown * errors


def start(
    columns: int,
    likelihood: Likelihood | None = None,
    half_life: float | None = None,
    horizon: int | None = None,
    boundary: str = "linear",
    cosines: int = curves.COSINES,
) -> RegressionExperts:
    """Return experts before any row; the parameters are those of BayesRegressor."""
    D, unknown = columns + 1, likelihood is None
    table = EXPERTS if unknown else KNOWN_EXPERTS
    own = [(life, ratio) for life, ratio, most in table if most >= D]
    if half_life is not None:
        own = [(half_life, ratio) for life, ratio in own if life == math.inf]
    lives, ratios = np.array(own).T
    prior, errors = _priors(ratios, columns, unknown)
    beliefs = Beliefs(
        mean=np.zeros((len(own), D)),
        covariance=np.stack([np.diag(one) for one in prior]),
        errors=errors.copy(),
        recent=errors[0].copy(),
        center=np.zeros(D),
        inverse_scale=np.zeros(D),
    )
    curved = None
    if boundary == "curved":
        curved = curves.start(columns, 1, 1.0, half_life, cosines)
    more = unknown + (0 if curved is None else len(curved.functions.mean))
    shares = [_STEADY, *[_OTHER] * (len(own) - 1), *[_RECENT] * more]
    rates = np.append(1.0 / lives, np.repeat(1.0 / lives[0], more))
    mixture = start_weighing(shares, rates, scales=unknown)
    found = RegressionExperts(
        beliefs=beliefs,
        prior=prior,
        prior_errors=errors,
        sums=np.zeros((2, D)),
        summed=0.0,
        clock=0,
        mixture=mixture,
        curved=curved,
        copies=beliefs.copy(),
        copied=mixture.copy(),
        curved_copies=_copy(curved),
        scores=np.zeros(len(rates)),
        lost=np.zeros(2),
        counters=np.zeros(ahead.COUNTERS),
        samples=np.zeros(ahead.MOST_SAMPLES),
    )
    found.counters[EVERY] = 0 if horizon in (None, 1) else horizon
    ahead.choose_rows(0, 0.0, found.counters, found.samples)
    return found
