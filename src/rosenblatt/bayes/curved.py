r"""Curved boundaries: Bayesian regression on cosines of the columns.

The map of a row z, standardised and clipped, has D features: cosines
:math:`a \cos(\omega_j \cdot z + b_j)`, the columns themselves, and 1. Frequencies are
normal and drawn once. There are two length scales. Cosines of the long one depend on
all columns, those of the short one on a few, as many tables do.

The targets are 1 for the class of a row, and 0 for the others. So a class that appears
later has the target 0 in all rows before. With unit noise the covariance P does not
depend on labels, and all classes share it. Rows are learned in blocks. With F the
features of a block, Y its targets, and :math:`p_i` the power of row i's likelihood,

.. math::
    L L^T = F P F^T + \mathrm{diag}(1 / p), \qquad G = L^{-1} F P, \qquad
    U = L^{-1} (Y - F W), \\
    W \leftarrow W + G^T U, \qquad P \leftarrow P - G^T G.   \tag{1}

The prediction of a row before its label, and its variance, come from the rows above it,

.. math::
    m = F W + \mathrm{low}(L)\, U, \qquad v = \mathrm{diag}(F P F^T) -
    \mathrm{low}(L)^2 1,   \tag{2}

where low is the triangle below the diagonal. So blocks of any sizes learn and predict
as single rows do, up to rounding.

A mean m near a probability may be negative. With :math:`\epsilon` standard normal,
class k has

.. math:: p_k \propto \mathrm{E} \max(m_k + s \epsilon, 0), \qquad
    s^2 = 1.5\, \sigma^2 v + 0.07^2,   \tag{3}

with :math:`\sigma^2` the mean square of the innovations so far, in units of 1 + v. The
floor and the factor were chosen on public tables, as were the scales.

A mixture (:mod:`rosenblatt.bayes.mixture`) calibrates both scales and the linear
filters' prediction, and weighs them by their evidence. For rows whose labels will not
be seen each of the three has another weight: that of its log-loss on rows up to 10%
later, as in :mod:`rosenblatt.bayes.horizon`, times a prior.

The functions are those of standardised columns. Up to 256 rows are kept. Whenever the
standardisation changes while they are all, they are learned again. Later changes are
small in most streams; a function then moves with the columns.
"""

from __future__ import annotations

import copy
import functools
import math
import os
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import blas, lapack
from scipy.special import ndtr, softmax

from rosenblatt.bayes import mixture as mixtures
from rosenblatt.bayes.belief import PIECES
from rosenblatt.bayes.horizon import softmax_of_odds
from rosenblatt.bayes.mixture import AGE, MIXTURE, Mixture
from rosenblatt.compiling import kernel, types
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.core.schema import (
    Array,
    Nested,
    Number,
    Relation,
    Schema,
    Sizes,
    Whole,
    record,
)
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.system.threads import one_thread

COSINES = 300  # of each length scale, by default
_SEED = 0  # of frequencies and phases, which models keep


class _Kind(NamedTuple):
    """A kind of cosines: their length is in units of the root of their columns."""

    length: float
    least: float  # columns
    most: float
    variance: float  # of their sum, before any row


# Of each length scale, which takes its kinds in turn. Infinitely many columns are all.
_SCALES = (
    (_Kind(1.2, math.inf, math.inf, 60.0),),
    (_Kind(0.5, 1.0, 3.0, 10.0), _Kind(0.35, 1.0, math.inf, 3.0)),
)
_BLOCK = 96  # rows. Measured: 64 and 128 are slower
_PREDICTED = 1024  # rows that are predicted at once
_KEPT = 256  # rows that are learned again when the standardisation changes
_CLIP = 3.0  # standard deviations
_WIDER, _FLOOR = 1.5, 0.07  # eq. (3)
_FARTHEST = -10.0  # t below this is as good as impossible
_PRIOR_ROWS = 4.0  # of the mean square of innovations
_NEVER = 1e-300  # the power of a row that is only predicted
_TINY = 1e-15  # probabilities have no smaller logarithm
_COPIES = 3.0  # of covariances: in use, for later rows, and while a batch is learned
_MOST_ROWS = 64.0  # that scores count as
_MOST = 1e100
# Taylor coefficients of cos(pi r) in r^2, exact to 1e-14 up to r = 1/2.
_COSINE = tuple(
    (-1.0) ** k * math.pi ** (2 * k) / math.factorial(2 * k) for k in range(11)
)


@kernel(types.void, types.float64[::1])
def _write_cosines(turns: FloatArray) -> None:
    """Replace each number x by cos(pi x)."""
    for i in range(turns.size):
        nearest = math.floor(turns[i] + 0.5)
        r = turns[i] - nearest
        square, value = r * r, 0.0
        for k in range(10, -1, -1):
            value = value * square + _COSINE[k]
        odd = nearest - 2.0 * math.floor(0.5 * nearest)
        turns[i] = (1.0 - 2.0 * odd) * value


FUNCTIONS = Schema(
    "functions",
    {
        "mean": Array((("scales", "features", "classes"),), low=-_MOST, high=_MOST),
        "covariance": Array(
            (("scales", "features", "features"),), low=-_MOST, high=_MOST
        ),
        "errors": Array((("scales", 2),), low=0.0),
        "center": Array((("columns",),)),
        "inverse_scale": Array((("columns",),), low=0.0),
    },
    (
        Relation(
            "positive variances, and innovations of some rows",
            lambda own, _: bool(
                (np.diagonal(own.covariance, axis1=1, axis2=2) > 0.0).all()
                and (own.errors > 0.0).all()
            ),
            values=True,
        ),
    ),
)


@record(FUNCTIONS)
class Functions(NamedTuple):
    """The functions of each class, for each length scale, and their columns' units."""

    mean: FloatArray  # W, (scales, features, classes)
    covariance: FloatArray  # the lower triangle of P, (scales, features, features)
    errors: FloatArray  # sums of squares of innovations, and of powers, (scales, 2)
    center: FloatArray
    inverse_scale: FloatArray

    def copy(self) -> Functions:
        """Return functions that share nothing with these."""
        return Functions(*(array.copy() for array in self))


class _OwnMixture(Nested):
    """A mixture of the linear filters' prediction and of the length scales."""

    def check(self, place: str, value: Any, sizes: Sizes, values: bool) -> None:
        """Raise an error unless the value is allowed: sizes are its own."""
        own = {"filters": sizes["scales"] + 1, "classes": sizes["classes"]}
        super().check(place, value, own, values)


CURVED = Schema(
    "curved",
    {
        "frequencies": Array((("scales", "cosines", "columns"),)),
        "phases": Array((("scales", "cosines"),)),
        "functions": Nested(FUNCTIONS),
        "copies": Nested(FUNCTIONS),
        "slopes": Array((("scales",),)),
        "scores": Array((("parts",),), high=0.0),
        "scored": Number(low=0.0),
        "mixture": _OwnMixture(MIXTURE),
        "horizon": Whole(high=2**53),
        "rows": Array((("kept", "columns"),)),
        "codes": Array((("kept",),), "int64", low=0),
        "powers": Array((("kept",),), low=0.0),
        "clock": Whole(high=2**53),
        "half_life": Number(low=0.0, above=True, optional=True),
    },
    (
        Relation(
            "a feature for each cosine and each column, and one more",
            lambda _, s: s["features"] == s["cosines"] + s["columns"] + 1,
        ),
        Relation(
            f"{len(_SCALES)} length scales", lambda _, s: s["scales"] == len(_SCALES)
        ),
        Relation(
            f"at most {_KEPT} rows that are kept, with known classes",
            lambda own, s: (
                s["kept"] <= _KEPT and bool((own.codes < s["classes"]).all())
            ),
            values=True,
        ),
        Relation(
            "a score for each scale, and one for the linear filters",
            lambda _, s: s["parts"] == s["scales"] + 1,
        ),
    ),
)


@record(CURVED)
@dataclass
class Curved:
    """Functions of two length scales, and their mixture with the linear filters."""

    frequencies: FloatArray  # in half turns, (scales, cosines, columns)
    phases: FloatArray
    functions: Functions
    copies: Functions  # of an earlier time, which are scored on later rows
    slopes: FloatArray  # of the copies' layers
    scores: FloatArray  # sums of log-probabilities by the filters' and own copies
    scored: float  # the number of rows in them
    mixture: Mixture
    horizon: int  # how many rows late labels will come; 0 if it is not known
    rows: FloatArray  # the first rows, as long as they are learned again
    codes: IntArray
    powers: FloatArray
    clock: int  # presentations so far
    half_life: float | None

    def __post_init__(self) -> None:
        """Check types and shapes; weights for later rows are set by ``later``."""
        self._weights: FloatArray | None = None
        CURVED.check(self, values=False)

    def copy(self) -> Curved:
        """Return functions that share nothing with these; maps do not change."""
        other = copy.copy(self)
        for name in ("slopes", "scores"):
            setattr(other, name, getattr(self, name).copy())
        for name in ("functions", "copies", "mixture"):
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def classes(self) -> int:
        """The number of classes, at least two."""
        return int(self.functions.mean.shape[2])

    def learn(
        self,
        X: FloatArray,
        codes: IntArray,
        powers: FloatArray,
        probabilities: FloatArray,
        center: FloatArray,
        inverse_scale: FloatArray,
    ) -> None:
        """Learn rows in place, all in one standardisation.

        ``probabilities`` are those of the linear filters before they learned each row.
        They become those of the mixture. ``powers`` are numbers of presentations; 0
        leaves a row out.
        """
        with one_thread():
            self._use(center, inverse_scale)
            shown = powers > 0.0
            if self.clock < _KEPT:
                self.rows = np.concatenate([self.rows, X[shown]])[:_KEPT]
                self.codes = np.concatenate([self.codes, codes[shown]])[:_KEPT]
                self.powers = np.concatenate([self.powers, powers[shown]])[:_KEPT]
            ends = self.clock + np.cumsum(np.ceil(powers))
            first = 0
            while first < len(X):
                part = self._block(ends, first, self.clock)
                own = X[part], codes[part], powers[part]
                odds = self._learn_block(*own, probabilities[part])
                probabilities[part] = self._mixed(odds, *own[1:])
                self._forget(self.clock, ends[part.stop - 1])
                self.clock = int(ends[part.stop - 1])
                first = part.stop
            if self.clock > _KEPT:  # they are not learned again
                self.rows, self.codes = self.rows[:0].copy(), self.codes[:0].copy()
                self.powers = self.powers[:0].copy()

    def _block(self, ends: FloatArray, first: int, clock: int) -> slice:
        """Return the next rows, up to the end of a piece of the half-life."""
        due = math.inf
        if self.half_life is not None:
            piece = max(1.0, self.half_life // PIECES)
            due = piece * (clock // piece + 1)
        stop = int(np.searchsorted(ends, due, side="right"))
        return slice(first, min(max(stop, first + 1), first + _BLOCK, len(ends)))

    def _use(self, center: FloatArray, inverse_scale: FloatArray) -> None:
        """Change the standardisation; learn the first rows again, if they are all."""
        known = self.functions
        if np.array_equal(known.center, center) and np.array_equal(
            known.inverse_scale, inverse_scale
        ):
            return
        self.functions = known._replace(
            center=center.copy(), inverse_scale=inverse_scale.copy()
        )
        if self.clock > self._kept:
            return
        self._reset()
        ends, clock, first = np.cumsum(np.ceil(self.powers)), 0, 0
        while first < len(ends):
            part = self._block(ends, first, clock)
            self._learn_functions(self.rows[part], self.codes[part], self.powers[part])
            self._forget(clock, ends[part.stop - 1])
            clock, first = int(ends[part.stop - 1]), part.stop

    @property
    def _kept(self) -> float:
        """The number of presentations of the rows that are kept."""
        return float(np.ceil(self.powers).sum())

    def _reset(self) -> None:
        """Return to the prior."""
        self.functions.mean[:] = 0.0
        self.functions.covariance[:] = np.eye(self.functions.mean.shape[1])

    def _features(self, X: FloatArray, units: Functions) -> FloatArray:
        """Return the features of rows, (scales, rows, features), in columns."""
        scales, cosines, columns = self.frequencies.shape
        Z = (X - units.center) * units.inverse_scale
        Z = np.minimum(np.maximum(Z, -_CLIP), _CLIP).T
        waves = self.frequencies.reshape(-1, columns) @ Z
        waves += self.phases.reshape(-1, 1)
        if PLAIN:
            np.cos(np.pi * waves, out=waves)
        else:
            _write_cosines(waves.reshape(-1))
        result = np.empty((scales, cosines + columns + 1, len(X)))
        each = waves.reshape(scales, cosines, -1)
        np.multiply(each, _amplitudes(cosines)[:, :, None], out=result[:, :cosines])
        result[:, cosines:-1] = Z
        result[:, -1] = 1.0
        return result.transpose(0, 2, 1)

    def _learn_functions(
        self, X: FloatArray, codes: IntArray, powers: FloatArray
    ) -> list[tuple[FloatArray, FloatArray]]:
        """Learn a block; return means and variances before each label, eqs. (1, 2)."""
        found = []
        noise = 1.0 / np.maximum(powers, _NEVER)
        targets = np.eye(self.classes)[codes]
        known = self.functions
        each = self._features(X, known)
        for F, W, P in zip(each, known.mean, known.covariance, strict=True):
            FP = blas.dsymm(1.0, P.T, F, side=1)
            both = np.asarray(FP @ F.T)
            variance = both.diagonal().copy()
            both[np.diag_indices_from(both)] += noise
            L = lapack.dpotrf(both, lower=1)[0]
            mean = F @ W
            U = blas.dtrsm(1.0, L, targets - mean, lower=1)
            G = blas.dtrsm(1.0, L, FP, lower=1)
            below = np.tril(L, -1)
            mean += below @ U
            variance -= (below**2).sum(axis=1)
            blas.dsyrk(-1.0, G, 1.0, P.T, trans=1, overwrite_c=1)
            W += G.T @ U
            found.append((mean, np.maximum(variance, 0.0)))
        return found

    def _learn_block(
        self, X: FloatArray, codes: IntArray, powers: FloatArray, linear: FloatArray
    ) -> FloatArray:
        """Learn a block; return log-odds of the linear filters and of each scale."""
        odds = [_log_odds(np.log(np.maximum(linear, _TINY)))]
        targets = np.eye(self.classes)[codes]
        found = self._learn_functions(X, codes, powers)
        for (mean, variance), sums in zip(found, self.functions.errors, strict=True):
            squares = ((targets - mean) ** 2).sum(axis=1) / (1.0 + variance)
            news = np.stack([powers * squares, powers], axis=1)
            each = sums + np.cumsum(news, axis=0)
            before = each - news
            odds.append(_odds(mean, variance, before[:, 0] / before[:, 1]))
            sums[:] = each[-1]
        return np.stack(odds)

    def _mixed(
        self, odds: FloatArray, codes: IntArray, powers: FloatArray
    ) -> FloatArray:
        """Return the mixture's probabilities; it learns each row ``powers`` times."""
        times = np.maximum(np.ceil(powers), 1.0).astype(np.int64)
        row = np.repeat(np.arange(len(codes)), times)
        first = np.cumsum(times) - times
        done = np.arange(len(row)) - first[row]
        own = np.minimum(powers[row] - done, 1.0)
        shown = np.ascontiguousarray(odds[:, row])
        return np.asarray(mixtures.learn(self.mixture, shown, codes[row], own)[first])

    def _forget(self, clock: int, later: float) -> None:
        """Let functions return to the prior, as drifting weights do, piece by piece."""
        if self.half_life is None:
            return
        piece = max(1.0, self.half_life // PIECES)
        keep = 0.5 ** ((later // piece - clock // piece) * piece / self.half_life)
        if keep < 1.0:
            self.functions.errors[:] *= keep
            self.functions.mean[:] *= math.sqrt(keep)
            self.functions.covariance[:] *= keep
            self.functions.covariance[:] += (1.0 - keep) * np.eye(
                self.functions.mean.shape[1]
            )

    def score(
        self, X: FloatArray, codes: IntArray, weights: FloatArray, linear: FloatArray
    ) -> None:
        """Score rows by copies of an earlier time, and the linear filters' ``linear``.

        ``weights`` are numbers of rows that each one stands for.
        """
        odds = np.stack(self._all_odds(self.copies, X))
        each = np.concatenate([linear[None], softmax_of_odds(odds, self.slopes)])
        likely = each[:, np.arange(len(codes)), codes]
        self.scores += np.log(np.maximum(likely, _TINY)) @ weights
        self.scored += float(weights.sum())

    def renew(self, rows: float) -> None:
        """Copy the functions; so many ``rows`` came since the last copies."""
        keep = self.mixture.keep**rows
        self.scored *= keep
        self.scores *= keep
        self.copies = self.functions.copy()
        self.slopes = self.mixture.slopes[1:, 0].copy()

    def later(self) -> Curved:
        """Return functions that predict rows whose labels will not be seen.

        Each part has the weight of eq. (1) of :mod:`rosenblatt.bayes.horizon`, without
        a half-life, and with a prior weight. All have the same, unless the linear
        filters have a larger weight for the next row. Where they win there, it is by
        forgetting, and functions of all rows predict later ones badly.
        """
        other = copy.copy(self)
        age = float(self.mixture.statistics[AGE])
        count = 0.5 * age / self.horizon if self.horizon else min(_MOST_ROWS, 0.5 * age)
        parts = len(self.scores)
        line = min(max(self.mixture.filter_weights[0], 1.0 / parts), 1.0 - _TINY)
        prior = np.append(line, np.full(parts - 1, (1.0 - line) / (parts - 1)))
        logs = count * self.scores / max(self.scored, 1.0) + np.log(prior)
        other._weights = softmax(logs)
        return other

    def predict(self, X: FloatArray, linear: FloatArray) -> FloatArray:
        """Return the probability of each class; ``linear`` are the linear filters'."""
        result = np.empty(linear.shape)
        for first in range(0, len(X), _PREDICTED):
            part = slice(first, first + _PREDICTED)
            if self._weights is not None:
                own = np.stack(self._all_odds(self.functions, X[part]))
                own = softmax_of_odds(own, self.mixture.slopes[1:, 0])
                both = np.concatenate([linear[None, part], own])
                result[part] = np.tensordot(self._weights, both, axes=1)
                continue
            odds = [_log_odds(np.log(np.maximum(linear[part], _TINY)))]
            odds += self._all_odds(self.functions, X[part])
            result[part] = mixtures.predict(self.mixture, np.stack(odds))
        return result

    def deviations(self, X: FloatArray) -> FloatArray:
        """Return how unsure probabilities are, as far as functions are unknown.

        It is the root mean square of both scales' standard deviations.
        """
        weights = self._weights
        if weights is None:
            weights = self.mixture.filter_weights
        variances = np.zeros(len(X))
        ratios = self.functions.errors[:, 0] / self.functions.errors[:, 1]
        factors = weights[1:] * ratios / self.classes
        for first in range(0, len(X), _PREDICTED):
            part = slice(first, first + _PREDICTED)
            found = self._moments(self.functions, X[part])
            for factor, (_, variance) in zip(factors, found, strict=True):
                variances[part] += factor * variance
        return np.sqrt(variances)

    def _moments(
        self, units: Functions, X: FloatArray
    ) -> list[tuple[FloatArray, FloatArray]]:
        """Return means and variances of the functions of each length scale."""
        found = []
        with one_thread():
            each = self._features(X, units)
            for F, W, P in zip(each, units.mean, units.covariance, strict=True):
                FP = blas.dsymm(1.0, P.T, F, side=1)
                variance = np.einsum("ij,ij->i", FP, F)
                found.append((F @ W, np.maximum(variance, 0.0)))
        return found

    def _all_odds(self, units: Functions, X: FloatArray) -> list[FloatArray]:
        """Return the log-odds of each length scale."""
        ratios = units.errors[:, 0] / units.errors[:, 1]
        found = self._moments(units, X)
        return [_odds(*own, ratio) for own, ratio in zip(found, ratios, strict=True)]

    def with_class(self, place: int, known: int, mixture: Mixture) -> Curved:
        """Return functions with one more class, whose target was 0 in all rows.

        Of one known class, the other one of two was that. ``mixture`` has the class.
        """
        other = self.copy()
        other.mixture = mixture
        other.codes = self.codes + (self.codes >= place)
        if known > 1:
            other.functions, other.copies = (
                part._replace(mean=np.insert(part.mean, place, 0.0, axis=2))
                for part in (other.functions, other.copies)
            )
        elif place == 0:
            other.functions, other.copies = (
                part._replace(mean=part.mean[:, :, ::-1].copy())
                for part in (other.functions, other.copies)
            )
        return other

    def grown(self, columns: int) -> Curved:
        """Return functions of more columns, which begin anew; the mixture stays."""
        cosines, before = self.frequencies.shape[1:]
        if columns == before:
            return self
        other = start(columns, self.classes, self.half_life, self.horizon, cosines)
        other.mixture = self.mixture.copy()
        if self.clock <= self._kept:
            more = np.zeros((len(self.rows), columns - before))
            other.rows = np.hstack([self.rows, more])
            other.codes, other.powers = self.codes, self.powers
        other.clock = self.clock
        return other


def _log_odds(logs: FloatArray) -> FloatArray:
    """Return the log-odds of the second of two classes; of more, the logarithms."""
    return logs[:, 1:] - logs[:, :1] if logs.shape[1] == 2 else logs


def _odds(mean: FloatArray, variance: FloatArray, error: Any) -> FloatArray:
    """Return log-odds by eq. (3); ``error`` is summed over the classes."""
    square = _WIDER * error / mean.shape[1] * variance + _FLOOR**2
    deviation = np.sqrt(square)[:, None]
    t = np.maximum(mean / deviation, _FARTHEST)
    density = np.exp(-0.5 * t * t) / math.sqrt(2.0 * math.pi)
    return _log_odds(np.log(deviation * (density + t * ndtr(t))))


@functools.lru_cache(maxsize=8)
def _amplitudes(cosines: int) -> FloatArray:
    """Return the amplitude of each cosine, of all length scales."""
    variances = [np.resize([k.variance for k in kinds], cosines) for kinds in _SCALES]
    return np.sqrt(2.0 / cosines * np.stack(variances))


def _frequencies(columns: int, cosines: int) -> tuple[FloatArray, FloatArray]:
    """Return frequencies, in half turns, and phases of all length scales.

    The number of a cosine's columns is log-uniform.
    """
    rng = np.random.default_rng(_SEED)
    found = np.zeros((len(_SCALES), cosines, columns))
    for kinds, frequencies in zip(_SCALES, found, strict=True):
        for j, row in enumerate(frequencies):
            kind = kinds[j % len(kinds)]
            low, high = min(kind.least, columns), min(kind.most, columns)
            number = int(math.exp(rng.uniform(math.log(low), math.log(high + 1.0))))
            number = min(max(number, int(low)), int(high))
            chosen = rng.permutation(columns)[:number]
            scale = kind.length * math.sqrt(number) * math.pi
            row[chosen] = rng.standard_normal(number) / scale
    return found, rng.uniform(0.0, 2.0, found.shape[:2])


def _check_memory(features: int) -> None:
    """Raise an error, before memory is taken, if covariances do not fit into it."""
    needed = _COPIES * len(_SCALES) * 8.0 * features**2
    if not hasattr(os, "sysconf"):
        return
    there = float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    if needed > there:
        raise MemoryError(
            f"cosines and columns, {features} together, need {needed / 1e9:.1f} GB for "
            f"covariances, and this machine has {there / 1e9:.1f} GB; set fewer cosines"
        )


def start(
    columns: int,
    classes: int,
    half_life: float | None = None,
    rows: int = 0,
    cosines: int = COSINES,
) -> Curved:
    """Return functions before any row.

    Parameters
    ----------
    columns, classes
        Their numbers; two classes if one is known.
    half_life
        The number of examples after which half of what was learned is forgotten.
    rows
        How many rows late labels will come; 0 if it is not known.
    cosines
        The number of cosines of each length scale.
    """
    features, scales = cosines + columns + 1, len(_SCALES)
    _check_memory(features)
    frequencies, phases = _frequencies(columns, cosines)
    classes = max(classes, 2)
    eye = np.tile(np.eye(features), (scales, 1, 1))
    functions = Functions(
        mean=np.zeros((scales, features, classes)),
        covariance=eye,
        errors=np.tile([_PRIOR_ROWS * (1.0 - 1.0 / classes), _PRIOR_ROWS], (scales, 1)),
        center=np.zeros(columns),
        inverse_scale=np.zeros(columns),
    )
    models = 1 if classes == 2 else classes
    mixture = mixtures.start_mixture(scales + 1, models, half_life)
    return Curved(
        frequencies=frequencies,
        phases=phases,
        functions=functions,
        copies=functions.copy(),
        slopes=np.ones(scales),
        scores=np.zeros(scales + 1),
        scored=0.0,
        mixture=mixture,
        horizon=rows,
        rows=np.zeros((0, columns)),
        codes=np.zeros(0, np.int64),
        powers=np.zeros(0),
        clock=0,
        half_life=half_life,
    )
