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

import copy
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import logsumexp

from rosenblatt.bayes import cosines as regressions
from rosenblatt.bayes.cosines import (
    COSINES,
    FUNCTIONS,
    REGRESSION,
    Functions,
    Prediction,
    Regression,
)
from rosenblatt.bayes.horizon import (
    COUNTERS,
    EVERY,
    GAP,
    MOST_SAMPLES,
    RENEWED,
    SAMPLES,
    SCORED,
    choose_rows,
    write_weights,
)
from rosenblatt.bayes.predictive import (
    SCALE_COUNTS,
    Fields,
    Mixed,
    log_densities,
)
from rosenblatt.bayes.standardisation import (
    KNOWN,
    REACH,
    Standardisation,
    follow,
    next_change,
)
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.matrices import LANES, multiply_symmetric, update_symmetric
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
_FAR = 1e6  # standard deviations; entries beyond it count as so far
_BLOCK = 512  # rows that are learned together
_MOST = 1e250
_GAUSSIAN = Gaussian(1.0)
_vector, _matrix = types.float64[::1], types.float64[:, ::1]


class Scores(NamedTuple):
    """Columns of what the kernel writes for each row, before it learns it."""

    mean: FloatArray
    variance: FloatArray
    squares: FloatArray
    rows: FloatArray
    log_density: FloatArray


@kernel(
    types.void, types.MATRIX, types.VECTOR, types.VECTOR, types.float64, types.float64,
    types.float64, EVIDENCE, _vector, _matrix, _vector, types.VECTOR, types.VECTOR,
    _vector, _matrix,
)  # fmt: skip
def _learn_rows(
    Z: FloatArray,
    targets: FloatArray,
    powers: FloatArray,
    keep: float,
    offset: float,
    unit: float,
    evidence: Any,
    mean: FloatArray,
    covariance: FloatArray,
    errors: FloatArray,
    prior: FloatArray,
    prior_errors: FloatArray,
    room: FloatArray,
    found: FloatArray,
) -> None:
    """Learn rows by eqs. (1, 2); the field has the given offset and unit."""
    n = mean.size
    wide = len(room) // (n + 1)
    V, u = room[: n * wide], room[n * wide :]
    for i in range(n):
        for j in range(n):
            V[i * wide + j] = covariance[i, j]
    for row in range(len(Z)):
        z = Z[row]
        multiply_symmetric(V, z, u, n)
        m, v = 0.0, 0.0
        for i in range(n):
            m += mean[i] * z[i]
            v += u[i] * z[i]
        v = max(v, LEAST_VARIANCE)
        # Where the noise is unknown, rows are in units of that of their power.
        power = powers[row] if prior_errors[1] == 0.0 else 1.0
        one = evidence(offset + unit * m, unit * unit * v, targets[row], power)
        own = found[row]
        own[0], own[1], own[2], own[3] = m, v, errors[0], errors[1]
        own[4] = one.log_probability
        slope = unit * one.slope
        curvature = unit * unit * max(one.curvature, 0.0)
        if prior_errors[1] > 0.0:
            errors[0] += slope * slope / curvature
            errors[1] += powers[row]
        root, shrink = math.sqrt(keep * curvature), math.sqrt(keep)
        for i in range(n):
            mean[i] = shrink * (mean[i] + slope * u[i])
            u[i] *= root
        update_symmetric(V, u, 1.0, keep, n)
        if keep < 1.0:
            for i in range(n):
                V[i * (wide + 1)] += (1.0 - keep) * prior[i]
            for i in range(2):
                errors[i] = keep * errors[i] + (1.0 - keep) * prior_errors[i]
    for i in range(n):
        for j in range(n):
            covariance[i, j] = V[i * wide + j]


@kernel(
    types.void, types.MATRIX, types.VECTOR, types.float64, types.float64, _vector,
    _matrix,
)  # fmt: skip
def _follow_noise(
    steady: FloatArray,
    squares: FloatArray,
    keep: float,
    rows: float,
    recent: FloatArray,
    found: FloatArray,
) -> None:
    """Follow the noise of the last rows, and write its S and nu before each row.

    ``steady`` has the noise of all rows in its first column, and powers in its second.
    """
    for row in range(len(steady)):
        found[0, row], found[1, row] = recent[0], recent[1]
        recent[0] = keep * recent[0] + (1.0 - keep) * rows * steady[row, 0]
        recent[1] = keep * recent[1] + (1.0 - keep) * rows
        recent[0] += squares[row]
        recent[1] += steady[row, 1]


@kernel(
    types.void, types.TENSOR, types.VECTOR, types.float64, types.float64, types.VECTOR,
    _vector, _matrix, types.float64[:, :, ::1], _vector,
)  # fmt: skip
def _mix(
    logs: FloatArray,
    powers: FloatArray,
    age: float,
    keep: float,
    shares: FloatArray,
    weights: FloatArray,
    counts: FloatArray,
    found: FloatArray,
    evidence: FloatArray,
) -> None:
    """Weigh predictions and their scales by the log-densities of rows.

    Weights before each row are written, and the logarithm of the mixture's density.
    """
    rows, experts, scales = logs.shape
    for row in range(rows):
        top = -math.inf
        for e in range(experts):
            for k in range(scales):
                top = max(top, logs[row, e, k])
        total, share = 0.0, 1.0 / (age + 2.0)
        for e in range(experts):
            known, own = 0.0, 0.0
            for k in range(scales):
                known += counts[e, k]
            best = -math.inf
            for k in range(scales):
                best = max(best, logs[row, e, k])
            for k in range(scales):
                found[row, e, k] = counts[e, k] / known
                own += found[row, e, k] * math.exp(logs[row, e, k] - best)
            for k in range(scales):
                chance = found[row, e, k] * math.exp(logs[row, e, k] - best) / own
                found[row, e, k] *= weights[e]
                counts[e, k] += powers[row] * chance
            weights[e] *= own * math.exp(best - top)
            total += weights[e]
        for e in range(experts):
            weights[e] = (1.0 - share) * weights[e] / total + share * shares[e]
        evidence[row] = math.log(total) + top
        age = keep * age + 1.0


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

    def rows(self, X: FloatArray) -> FloatArray:
        """Return rows in units of the columns, and a last entry 1."""
        Z = np.ones((len(X), self.center.size))
        np.subtract(X, self.center[:-1], out=Z[:, :-1])
        Z[:, :-1] *= self.inverse_scale[:-1]
        return np.clip(Z, -_FAR, _FAR, out=Z)

    @property
    def unknown(self) -> bool:
        """Whether the noise is unknown."""
        return bool(self.errors[0, 1])

    def predict(self, X: FloatArray) -> Fields:
        """Return the field of each row, as each prediction knows it."""
        Z = self.rows(X)
        mean = self.mean @ Z.T
        variance = np.stack([np.einsum("ij,ij->i", Z @ P, Z) for P in self.covariance])
        np.maximum(variance, LEAST_VARIANCE, out=variance)
        errors = self.errors
        if self.unknown:
            mean, variance = _twice(mean), _twice(variance)
            errors = np.vstack([errors, self.recent])
        shape = 2, *mean.shape
        errors = np.broadcast_to(errors.T[:, :, None], shape)
        return self.fields(mean, variance, *errors)

    def fields(
        self, mean: FloatArray, variance: FloatArray, squares: FloatArray, rows: Any
    ) -> Fields:
        """Return fields in the target's own units; the noise is ``squares / rows``."""
        center, unit = self.center[-1], 1.0 / self.inverse_scale[-1]
        mean = center + unit * mean
        if not self.unknown:  # the likelihood has the noise
            none = np.zeros_like(mean)
            return Fields(mean, unit**2 * variance, none, none + np.inf)
        noise = unit**2 * squares / rows
        return Fields(mean, variance * noise, noise, rows)


def _twice(values: FloatArray) -> FloatArray:
    """Return values of all experts, and once more those of the first one."""
    return np.concatenate([values, values[:1]])


class Told(NamedTuple):
    """Information of the rows that an expert has learned, eq. (3), in some units."""

    A: FloatArray
    b: FloatArray
    C: float
    rows: float

    def moved(self, shift: FloatArray, ratio: FloatArray) -> Told:
        """Return the same in other units, z' = ratio z - shift; the target is last."""
        M = np.diag(np.append(ratio[:-1], 1.0))
        M[-1, :-1] = -shift[:-1]
        A, b = M.T @ self.A @ M, M.T @ self.b
        r, t = ratio[-1], shift[-1]
        C = r * r * self.C - 2.0 * r * t * b[-1] + t * t * A[-1, -1]
        return Told(A, r * b - t * A[:, -1], C, self.rows)

    def __add__(self, other: Told) -> Told:  # type: ignore[override]
        """Return what both have told."""
        A, b, C, rows = other
        return Told(self.A + A, self.b + b, self.C + C, self.rows + rows)


def _inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse of a matrix that is positive but for rounding."""
    try:
        return np.asarray(cho_solve(cho_factor(matrix), np.eye(len(matrix))))
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(matrix)
        least = values.max() * np.finfo(float).eps * len(values)
        return np.asarray((vectors / np.maximum(values, least)) @ vectors.T)


REGRESSION_EXPERTS = Schema(
    "regression experts",
    {
        "beliefs": Nested(BELIEFS),
        "copies": Nested(BELIEFS),
        "prior": Array((("experts", "weights"),), low=0.0),
        "prior_errors": Array((("experts", 2),), low=0.0),
        "rates": Array((("predictions",),), low=0.0, high=1.0),
        "sums": Array(((2, "weights"),)),
        "summed": Number(low=0.0),
        "shares": Array((("predictions",),), low=0.0, high=1.0),
        "weights": Array((("predictions",),), low=0.0, high=1.0),
        "scales": Array((("predictions", "noise scales"),), low=0.0),
        "copied_scales": Array((("predictions", "noise scales"),), low=0.0),
        "scores": Array((("predictions",),)),
        "counters": Array(((COUNTERS,),), low=0.0, high=2.0**53),
        "samples": Array(((MOST_SAMPLES,),), low=0.0, high=2.0**53),
        "clock": Whole(high=2**53),
        "age": Number(low=0.0),
        "log_evidence": Number(),
        "curved": Nested(REGRESSION, optional=True),
        "curved_copies": Nested(FUNCTIONS, optional=True),
    },
    (
        Relation(
            "a weight for each expert, for the last rows, and for each length scale",
            lambda own, s: (
                s["predictions"]
                == s["experts"]
                + own.beliefs.unknown
                + (0 if own.curved is None else len(own.curved.functions.mean))
            ),
        ),
        Relation(
            "as many samples as there are places",
            lambda own, _: bool(1.0 <= own.counters[SAMPLES] <= MOST_SAMPLES),
            values=True,
        ),
    ),
)


@record(REGRESSION_EXPERTS)
@dataclass
class RegressionExperts:
    """Beliefs of several experts, their weights, and copies for later rows."""

    beliefs: Beliefs
    copies: Beliefs  # of an earlier time, which are scored on later rows
    prior: FloatArray  # the diagonal of Lambda, (experts, weights)
    prior_errors: FloatArray
    rates: FloatArray  # one over the half-life of each prediction; 0 without one
    sums: FloatArray  # of columns and target, and of their squares
    summed: float  # the weight of rows in them
    shares: FloatArray  # prior weights of predictions
    weights: FloatArray  # for the next row
    scales: FloatArray  # counts of the noise's scales, (predictions, scales)
    copied_scales: FloatArray  # of an earlier time, as copies are
    scores: FloatArray  # sums of log-densities by copies
    counters: FloatArray  # as in bayes.horizon
    samples: FloatArray  # numbers of the rows to score
    clock: int  # rows so far
    age: float  # rows that are not forgotten
    log_evidence: float
    curved: Regression | None
    curved_copies: Functions | None

    def __post_init__(self) -> None:
        """Check types and shapes, which kernels trust."""
        REGRESSION_EXPERTS.check(self, values=False)

    def copy(self) -> RegressionExperts:
        """Return experts that share nothing with these."""
        return copy.deepcopy(self)

    @property
    def length_scales(self) -> int:
        """The number of length scales of functions."""
        return 0 if self.curved is None else len(self.curved.functions.mean)

    def learn(
        self, X: FloatArray, y: FloatArray, powers: FloatArray,
        likelihood: Likelihood | None,
    ) -> Mixed:  # fmt: skip
        """Learn rows in place; return the prediction of each one before it.

        ``powers`` are those of the rows' likelihoods, above 0.
        """
        each, first = [], 0
        with one_thread():
            while first < len(X):
                if self.clock == 0 or next_change(self.clock - 1) == self.clock:
                    self._change(X[first], y[first], likelihood)
                due = int(self.counters[RENEWED] + self.counters[GAP])
                last = min(next_change(self.clock), due, self.clock + _BLOCK)
                part = slice(first, min(first + last - self.clock, len(X)))
                each.append(
                    self._learn_part(X[part], y[part], powers[part], likelihood)
                )
                first = part.stop
                if self.clock == due:
                    self._renew()
        return joined([Mixed(*one, likelihood) for one in each])

    def _change(
        self, row: FloatArray, target: float, likelihood: Likelihood | None
    ) -> None:
        """Change units to those of all rows so far; inputs of the next one are known.

        The first target sets its own unit, and is not predicted.
        """
        known = self.standardisation
        entries = np.append(row, target if self.clock == 0 else math.nan)
        columns = zip(
            *known.sums, known.center, known.inverse_scale, entries, strict=True
        )
        units = np.array([follow(a, b, self.summed, *rest) for a, b, *rest in columns])
        if _own_units(likelihood):
            units[-1] = 0.0, 1.0
        self._use(known.to(*units.T.copy()))

    @property
    def standardisation(self) -> Standardisation:
        """Units of columns and target, and the sums that give better ones."""
        own = self.beliefs
        return Standardisation(
            own.center, own.inverse_scale, self.sums, self.summed, False
        )

    def _use(self, moved: tuple[Standardisation, FloatArray, FloatArray]) -> None:
        """Express all that was learned in other units."""
        units, shift, ratio = moved
        self.sums = units.sums
        ratio = np.where(ratio < KNOWN, ratio, 0.0)
        if self.clock:
            told = [one.moved(shift, ratio) for one in self.told()]
            for e, one in enumerate(told):
                self._choose_prior(e, one)
            self._believe(told)
        wider = ratio[-1] if ratio[-1] > 0.0 else 1.0  # all targets were the same
        self.beliefs.recent[0] *= wider**2
        self.beliefs = self.beliefs._replace(
            center=units.center.copy(), inverse_scale=units.inverse_scale.copy()
        )
        if self.curved is not None:
            _rescale(self.curved, shift[-1], wider)

    def told(self) -> list[Told]:
        """Return what rows have told each expert."""
        found = []
        own = self.beliefs
        for W, P, errors, prior, begun in zip(
            *own[:3], self.prior, self.prior_errors, strict=True
        ):
            precision = _inverse(P)
            b = precision @ W
            squares = errors[0] - begun[0] + float(W @ b)
            A = precision - np.diag(1.0 / prior)
            found.append(Told(A, b, squares, errors[1] - begun[1]))
        return found

    def _choose_prior(self, e: int, told: Told) -> None:
        """Give weights of an expert the prior variance of most evidence.

        The intercept, of which the prior tells next to nothing, is left out.
        """
        A, b, C, rows = told
        columns, unknown = len(b) - 1, bool(self.prior_errors[e, 1])
        C -= b[-1] ** 2 / A[-1, -1]
        b = b[:-1] - A[:-1, -1] * (b[-1] / A[-1, -1])
        values, vectors = np.linalg.eigh(
            A[:-1, :-1] - np.outer(A[:-1, -1], A[:-1, -1]) / A[-1, -1]
        )
        share = np.maximum(values, 0.0)[:, None] * _RATIOS / columns
        explained = (vectors.T @ b)[:, None] ** 2 * (_RATIOS / columns) / (1.0 + share)
        logs = -0.5 * np.log1p(share).sum(axis=0)
        if unknown:
            squares = _PRIOR_ROWS / (1.0 + _RATIOS)
            left = np.maximum(C - explained.sum(axis=0), 0.0)
            logs += 0.5 * _PRIOR_ROWS * np.log(squares)
            logs -= 0.5 * (_PRIOR_ROWS + rows - 1.0) * np.log(squares + left)
        else:
            logs += 0.5 * explained.sum(axis=0)
        usual = (EXPERTS if unknown else KNOWN_EXPERTS)[e][1]
        logs -= 0.5 * (np.log(_RATIOS / usual) / _SPREAD) ** 2
        ratio = np.array([_RATIOS[logs.argmax()]])
        prior, errors = priors(ratio, columns, unknown)
        self.prior[e], self.prior_errors[e] = prior[0], errors[0]

    def _believe(self, told: list[Told]) -> None:
        """Multiply what rows have told with the prior."""
        own = self.beliefs
        for e, one in enumerate(told):
            prior, begun = self.prior[e], self.prior_errors[e]
            own.covariance[e] = _inverse(one.A + np.diag(1.0 / prior))
            own.mean[e] = own.covariance[e] @ one.b
            squares = one.C - float(own.mean[e] @ one.b)
            own.errors[e] = begun + np.array([max(squares, 0.0), one.rows])

    def _learn_part(
        self, X: FloatArray, y: FloatArray, powers: FloatArray,
        likelihood: Likelihood | None,
    ) -> tuple[Fields, FloatArray]:  # fmt: skip
        """Learn rows in the same units."""
        own, begun = self.beliefs, self.clock == 0
        center, inverse = own.center[-1], own.inverse_scale[-1]
        scored = self._scored(X, y, powers, likelihood)
        Z, targets, unit = own.rows(X), (y - center) * inverse, 1.0 / inverse
        fields = self._learn_functions(X, targets, powers)
        root = np.sqrt(powers)
        if likelihood is None:  # a power p is a noise of variance 1 / p
            Z, targets, center, unit = Z * root[:, None], targets * root, 0.0, 1.0
        else:
            targets = y
        evidence = weighted_evidence(likelihood or _GAUSSIAN)
        each = np.empty((len(self.prior), len(X), len(Scores._fields)))
        size = Z.shape[1]
        room = np.zeros((size + 1) * -(-size // LANES) * LANES)
        for e, rate in enumerate(self.rates[: len(self.prior)]):
            _learn_rows(
                Z, targets, powers, 0.5**rate, center, unit, evidence, own.mean[e],
                own.covariance[e], own.errors[e], self.prior[e], self.prior_errors[e],
                room, each[e]
            )  # fmt: skip
        mean, variance, squares, rows = (
            np.ascontiguousarray(each[:, :, i]) for i in range(4)
        )
        if likelihood is None:
            news = (targets - mean[0]) ** 2 / (1.0 + variance[0])
            mean, variance = _twice(mean / root), _twice(variance / powers)
            recent = np.empty((2, len(X)))
            steady = np.column_stack([squares[0] / rows[0], powers])
            _follow_noise(
                steady,
                news,
                0.5 ** (1.0 / _NOISE_LIFE),
                _PRIOR_ROWS,
                own.recent,
                recent,
            )
            squares, rows = (
                np.vstack([squares, recent[:1]]),
                np.vstack([rows, recent[1:]]),
            )
        linear = own.fields(mean, variance, squares, rows)
        if fields is not None:
            pairs = zip(linear, fields, strict=True)
            linear = Fields(*(np.concatenate(pair) for pair in pairs))
        if likelihood is None:
            logs = log_densities(linear, y, powers)
        else:
            logs = each[:, :, 4:]
        if begun:  # the first target set the units
            logs[:, 0] = 0.0
            linear.mean[:, 0], linear.variance[:, 0] = 0.0, np.inf
        weights = np.empty((len(X), *self.scales.shape))
        logs, evidences = np.ascontiguousarray(logs.swapaxes(0, 1)), np.empty(len(X))
        keep = 0.5 ** float(self.rates[0])
        _mix(
            logs, powers, self.age, keep, self.shares, self.weights, self.scales,
            weights, evidences
        )  # fmt: skip
        for _ in range(len(X) if keep < 1.0 else 0):
            self.age = keep * self.age + 1.0
        self.age += len(X) if keep == 1.0 else 0.0
        self.log_evidence += float(evidences.sum())
        self._add(X, y, powers, scored)
        return linear, weights.swapaxes(0, 1)

    def _learn_functions(
        self, X: FloatArray, targets: FloatArray, powers: FloatArray
    ) -> Fields | None:
        """Let the functions learn rows, and return what they predicted."""
        if self.curved is None:
            return None
        own = self.beliefs
        rows = self.curved.functions.errors[:, 1].copy()
        found = self.curved.learn(
            X, targets[:, None], powers, own.center[:-1], own.inverse_scale[:-1]
        )
        before = np.cumsum(powers) - powers
        return self._function_fields(own, found, rows[:, None] + before)

    def _function_fields(
        self, own: Beliefs, found: list[Prediction], rows: FloatArray
    ) -> Fields:
        """Return fields of functions; their noise was found from so many ``rows``."""
        mean = np.stack([one.mean[:, 0] for one in found])
        variance = np.stack([one.variance for one in found])
        noise = np.stack([np.broadcast_to(one.noise, len(one.mean)) for one in found])
        rows = np.broadcast_to(rows, mean.shape)
        return own.fields(
            mean, np.maximum(variance, LEAST_VARIANCE), noise * rows, rows
        )

    def predict(
        self, X: FloatArray, beliefs: Beliefs | None = None, functions: Any = None
    ) -> Fields:
        """Return fields of rows, or those that copies of an earlier time know."""
        own = self.beliefs if beliefs is None else beliefs
        if not self.clock:
            zeros = np.zeros((len(self.rates), len(X)))
            return Fields(zeros, zeros + np.inf, zeros + 1.0, zeros + _PRIOR_ROWS)
        with one_thread():
            fields = own.predict(X)
            if self.curved is None:
                return fields
            known = self.curved.functions if functions is None else functions
            found = self.curved.predict(X, known)
        more = self._function_fields(own, found, known.errors[:, 1:])
        return Fields(
            *(np.concatenate(both) for both in zip(fields, more, strict=True))
        )

    def mixed(self, X: FloatArray, likelihood: Likelihood | None, later: bool) -> Mixed:
        """Return the law of each row's target: the next row's, or a later one's."""
        shares = self.scales / self.scales.sum(axis=1, keepdims=True)
        weights = self.later_weights() if later else self.weights
        return Mixed(self.predict(X), (weights[:, None] * shares)[:, None], likelihood)

    def _add(
        self, X: FloatArray, y: FloatArray, powers: FloatArray, scored: Any
    ) -> None:
        """Add rows to the sums of columns, and scores to those of copies."""
        own = self.beliefs
        rows = np.column_stack([X, y])
        Z = np.clip((rows - own.center) * own.inverse_scale, -REACH, REACH)
        self.sums += powers @ Z, powers @ Z**2
        self.summed += float(powers.sum())
        self.clock += len(X)
        self.scores += scored[0]
        self.counters[SCORED] += scored[1]

    def _scored(
        self, X: FloatArray, y: FloatArray, powers: FloatArray,
        likelihood: Likelihood | None,
    ) -> tuple[Any, float]:  # fmt: skip
        """Return sums of log-densities that copies give to some of these rows."""
        samples = int(self.counters[SAMPLES])
        places = self.samples[:samples].astype(np.int64) - self.clock
        chosen = places[(places >= 0) & (places < len(X))]
        if not chosen.size or self.counters[RENEWED] == 0.0:
            return 0.0, 0.0
        each = self.counters[GAP] / samples  # rows for each one that is scored
        fields = self.predict(X[chosen], self.copies, self.curved_copies)
        logs = log_densities(fields, y[chosen], np.ones(len(chosen)), likelihood)
        shares = self.copied_scales / self.copied_scales.sum(axis=1, keepdims=True)
        logs = logsumexp(logs, axis=2, b=shares[:, None])
        stands_for = each * powers[chosen]
        return logs @ stands_for, float(stands_for.sum())

    def _renew(self) -> None:
        """Copy beliefs, and choose the rows that the copies will be scored on."""
        self.copies, self.copied_scales = self.beliefs.copy(), self.scales.copy()
        if self.curved is not None:
            self.curved_copies = self.curved.functions.copy()
        choose_rows(self.clock, self.age, self.counters, self.samples)

    @property
    def horizon(self) -> int | None:
        """The given horizon, or None."""
        return int(self.counters[EVERY]) or None

    def coefficients(self) -> Fields:
        """Return laws of weights and of the intercept, in units of the columns."""
        own = self.beliefs
        unit = 1.0 / own.inverse_scale[-1]
        # Weights of columns in their own units, and of 1.
        T = np.diag(np.append(own.inverse_scale[:-1], 1.0)) * unit
        T[-1, :-1] = -unit * own.inverse_scale[:-1] * own.center[:-1]
        mean = own.mean @ T.T
        mean[:, -1] += own.center[-1]
        spread = np.einsum("ij,ejk,ik->ei", T, own.covariance, T)
        errors = own.errors
        if not own.unknown:
            none = np.zeros_like(mean)
            return Fields(mean, spread, none, none + np.inf)
        mean, spread = _twice(mean), _twice(spread)
        errors = np.vstack([errors, own.recent])
        noise = (errors[:, :1] / errors[:, 1:]) * np.ones_like(mean)
        return Fields(
            mean, spread * noise, unit**2 * noise, errors[:, 1:] + np.zeros_like(mean)
        )

    def draws(
        self, number: int, weights: FloatArray, random: np.random.RandomState
    ) -> FloatArray:
        """Return draws of weights and the intercept, (number, weights)."""
        own = self.beliefs
        chosen = random.choice(len(weights), number, p=weights)
        law, linear = self.coefficients(), len(own.mean)
        unit, found = 1.0 / own.inverse_scale[-1], np.empty((number, own.center.size))
        for e in np.unique(chosen):
            rows = np.flatnonzero(chosen == e)
            root = np.linalg.cholesky(own.covariance[e % linear])
            noise = 1.0
            if own.unknown:
                noise = law.noise[e, 0] / unit**2
                dof = law.dof[e, 0]
                noise = noise * dof / random.chisquare(dof, (len(rows), 1))
            draw = random.standard_normal((len(rows), own.center.size)) @ root.T
            found[rows] = own.mean[e % linear] + np.sqrt(noise) * draw
        found[:, :-1] *= own.inverse_scale[:-1]
        found[:, -1] -= found[:, :-1] @ own.center[:-1]
        found *= unit
        found[:, -1] += own.center[-1]
        return found

    def later_weights(self) -> FloatArray:
        """Return the weight of each expert for rows whose targets will not be seen."""
        weights = np.empty(len(self.rates))
        write_weights(
            self.scores, self.counters, self.rates, self.age, len(self.rates), weights
        )
        weights *= self.shares
        return np.asarray(weights / weights.sum())

    def grown(self, columns: int) -> RegressionExperts:
        """Return linear experts with more columns, which were 0 in all rows."""
        result = self.copy()
        place = self.sums.shape[1] - 1
        new = columns - place

        def wider(array: FloatArray, value: float, axes: int = 1) -> FloatArray:
            for axis in range(array.ndim - axes, array.ndim):
                array = np.insert(array, [place] * new, value, axis)
            return np.ascontiguousarray(array)

        for name in ("beliefs", "copies"):
            own = getattr(result, name)
            covariance = wider(own.covariance, 0.0, 2)
            for P, prior in zip(covariance, self.prior, strict=True):
                P[range(place, columns), range(place, columns)] = prior[0]
            # Columns of 0 have the unit 1; before any row nothing is known.
            unit = 1.0 if own.inverse_scale.any() else 0.0
            known = own._replace(
                mean=wider(own.mean, 0.0),
                covariance=covariance,
                center=wider(own.center, 0.0),
                inverse_scale=wider(own.inverse_scale, unit),
            )
            setattr(result, name, known)
        result.prior = np.insert(
            result.prior, [place] * new, result.prior[:, :1], axis=1
        )
        result.sums = wider(result.sums, 0.0)
        return result

    def merged(self, other: RegressionExperts) -> RegressionExperts:
        """Return experts of the rows of both."""
        result, other = self.copy(), other.copy()
        both = self.standardisation.joined(other.standardisation)
        for one in (result, other):
            one._use(one.standardisation.to(both.center, both.inverse_scale))
        result._believe(
            [a + b for a, b in zip(result.told(), other.told(), strict=True)]
        )
        result.sums, result.summed = both.sums, both.weight
        result.clock += other.clock
        result.age += other.age
        result.log_evidence += other.log_evidence
        result.scores += other.scores
        result.counters[SCORED] += other.counters[SCORED]
        result.weights = 0.5 * (self.weights + other.weights)
        result.scales += other.scales - _counts(other.scales.shape)
        result.beliefs.recent[:] = 0.5 * (result.beliefs.recent + other.beliefs.recent)
        if result.curved is not None and other.curved is not None:
            units = result.beliefs.center[:-1], result.beliefs.inverse_scale[:-1]
            result.curved = result.curved.merged(other.curved, *units)
        result._renew()
        return result


def joined(laws: list[Mixed]) -> Mixed:
    """Return the laws of rows one after the other."""
    columns = zip(*(one.fields for one in laws), strict=True)
    fields = Fields(*(np.concatenate(one, axis=1) for one in columns))
    weights = np.concatenate([one.weights for one in laws], axis=1)
    return Mixed(fields, weights, laws[0].likelihood)


def _rescale(own: Regression, shift: float, ratio: float) -> None:
    """Express functions and their targets in other units of the targets."""
    functions = own.functions
    functions.mean[:] *= ratio
    functions.mean[:, -1] -= shift
    functions.errors[:, 0] *= ratio**2
    own.targets = ratio * own.targets - shift


def _counts(shape: tuple[int, ...]) -> FloatArray:
    """Return counts of scales before any row; a likelihood has one scale."""
    return np.broadcast_to(SCALE_COUNTS if shape[1] > 1 else 1.0, shape).copy()


def _own_units(likelihood: Likelihood | None) -> bool:
    """Return whether targets are not numbers on a scale: counts and signs."""
    return likelihood is not None and likelihood.labels != Labels.NUMBERS


def priors(
    ratios: FloatArray, columns: int, unknown: bool
) -> tuple[FloatArray, FloatArray]:
    """Return prior variances of weights, and prior errors, for some ratios.

    Targets in their own units have variance 1. If the noise is unknown, variances are
    in units of it, and a ratio is that of the field's variance and the noise's.
    """
    prior = np.repeat(ratios[:, None] / columns, columns + 1, axis=1)
    prior[:, -1] = _INTERCEPT
    if not unknown:
        return prior, np.zeros((len(ratios), 2))
    prior[:, -1] *= 1.0 + ratios
    errors = _PRIOR_ROWS * np.stack([1.0 / (1.0 + ratios), np.ones(len(ratios))], 1)
    return prior, errors


def start(
    columns: int,
    likelihood: Likelihood | None = None,
    half_life: float | None = None,
    horizon: int | None = None,
    boundary: str = "linear",
    cosines: int = COSINES,
) -> RegressionExperts:
    """Return experts before any row; the parameters are those of BayesRegressor."""
    D = columns + 1
    table = EXPERTS if likelihood is None else KNOWN_EXPERTS
    own = [(life, ratio) for life, ratio, most in table if most >= D]
    if half_life is not None:
        own = [(half_life, ratio) for life, ratio in own if life == math.inf]
    lives, ratios = np.array(own).T
    prior, errors = priors(ratios, columns, likelihood is None)
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
        curved = regressions.start(columns, 1, 1.0, half_life, cosines)
    rates, shares = [1.0 / life for life in lives], [_OTHER] * len(own)
    shares[0] = _STEADY
    if likelihood is None:
        rates, shares = [*rates, 1.0 / _NOISE_LIFE], [*shares, _RECENT]
    if curved is not None:
        scales = len(curved.functions.mean)
        rates, shares = [*rates, *[rates[0]] * scales], [*shares, *[_RECENT] * scales]
    sizes = len(rates), len(SCALE_COUNTS) if likelihood is None else 1
    found = RegressionExperts(
        beliefs=beliefs,
        copies=beliefs.copy(),
        prior=prior,
        prior_errors=errors,
        rates=np.array(rates),
        sums=np.zeros((2, D)),
        summed=0.0,
        shares=np.array(shares) / sum(shares),
        weights=np.array(shares) / sum(shares),
        scales=_counts(sizes),
        copied_scales=_counts(sizes),
        scores=np.zeros(len(rates)),
        counters=np.zeros(COUNTERS),
        samples=np.zeros(MOST_SAMPLES),
        clock=0,
        age=0.0,
        log_evidence=0.0,
        curved=curved,
        curved_copies=None if curved is None else curved.functions.copy(),
    )
    found.counters[EVERY] = 0 if horizon in (None, 1) else horizon
    choose_rows(0, 0.0, found.counters, found.samples)
    return found
