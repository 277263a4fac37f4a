r"""Bayesian regression on random cosines: smooth functions, learned in blocks of rows.

The map of a row z, standardised and clipped, has D features: cosines
:math:`a \cos(\omega_j \cdot z + b_j)`, the columns themselves, and 1. Frequencies are
normal, with orthogonal directions (:cite:t:`yu2016`), and drawn once. There are two
length scales. Cosines of the long one depend on all columns, those of the short one on
a few, as many tables do.

A function of each length scale has Gaussian weights with the prior
:math:`\mathcal N(0, I)` and targets with unit noise. There may be several targets,
which are the columns of Y. The covariance P does not depend on them, so that they share
it. Rows are learned in blocks. With F the features of a block and :math:`p_i` the power
of row i's likelihood,

.. math::
    L L^T = F P F^T + \mathrm{diag}(1 / p), \qquad G = L^{-1} F P, \qquad
    U = L^{-1} (Y - F W), \\
    W \leftarrow W + G^T U, \qquad P \leftarrow P - G^T G.   \tag{1}

The prediction of a row before its targets, and its variance, come from the rows above
it,

.. math::
    m = F W + \mathrm{low}(L)\, U, \qquad v = \mathrm{diag}(F P F^T) -
    \mathrm{low}(L)^2 1,   \tag{2}

where low is the triangle below the diagonal. So blocks of any sizes learn and predict
as single rows do, up to rounding.

The functions are those of standardised columns. Up to 256 rows are kept. Whenever the
standardisation changes while these are all rows, they are learned again. Later changes
are small in most streams. They stretch a function that was learned before.

Likelihoods of rows that were learned apart, in the same units, are multiplied. The two
precisions, and their products with the means, add up,

.. math::
    P^{-1} = P_1^{-1} + P_2^{-1} - I, \qquad
    W = P\, (P_1^{-1} W_1 + P_2^{-1} W_2).   \tag{3}

With a half-life the weights return to the prior, as drifting ones do: :math:`W
\leftarrow \sqrt{k}\, W` and :math:`P \leftarrow k P + (1 - k) I`.
"""

from __future__ import annotations

import functools
import math
import os
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import blas, lapack

from rosenblatt.bayes.belief import PIECES
from rosenblatt.bayes.layout import Record
from rosenblatt.compiling import kernel
from rosenblatt.compiling.jit import PLAIN
from rosenblatt.compiling.types import Matrix, Tensor
from rosenblatt.core import schema
from rosenblatt.core.arguments import shown
from rosenblatt.core.types import FloatArray
from rosenblatt.system.threads import one_thread

COSINES = 256  # of each length scale, by default
_SEED = 0  # of frequencies and phases, which models keep


class Kind(NamedTuple):
    """A kind of cosines: their length is in units of the root of their columns."""

    length: float
    least: float  # columns
    most: float
    variance: float  # of their sum, before any row


# Of each length scale, which takes its kinds in turn. Infinitely many columns are all.
SCALES = (
    (Kind(0.9, math.inf, math.inf, 150.0),),
    (Kind(0.5, 1.0, 3.0, 10.0), Kind(0.35, 1.0, math.inf, 3.0)),
)
_BLOCK = 96  # rows. Measured: 64 and 128 are slower
_PREDICTED = 1024  # rows that are predicted at once
_KEPT = 256  # rows that are learned again when the standardisation changes
CLIP = 3.0  # standard deviations
_PRIOR_ROWS = 4.0  # of the mean square of innovations
_NEVER = 1e-300  # the power of a row that is only predicted
_COPIES = 3.0  # of covariances: in use, for later rows, and while a batch is learned
_MOST = 1e100
_bounded = functools.partial(schema.Array, low=-_MOST, high=_MOST)
# Taylor coefficients of cos(pi r) in r^2, exact to 1e-14 up to r = 1/2.
_COSINE = tuple(
    (-1.0) ** k * math.pi ** (2 * k) / math.factorial(2 * k) for k in range(11)
)


@kernel()
def _write_cosines(turns: Tensor, sizes: Matrix, out: Tensor) -> None:
    """Write a cos(pi x) for each number x, of sizes a for all rows."""
    for scale in range(turns.shape[0]):
        for wave in range(turns.shape[1]):
            size = sizes[scale, wave]
            for row in range(turns.shape[2]):
                x = turns[scale, wave, row]
                nearest = np.floor(x + 0.5)  # math.floor makes a whole number: slower
                r = x - nearest
                square, value = r * r, 0.0
                for k in range(10, -1, -1):
                    value = value * square + _COSINE[k]
                odd = nearest - 2.0 * np.floor(0.5 * nearest)
                out[scale, wave, row] = size * ((1.0 - 2.0 * odd) * value)


FUNCTIONS = schema.Schema(
    "functions",
    {
        "mean": _bounded((("scales", "features", "targets"),)),
        "covariance": _bounded((("scales", "features", "features"),)),
        "errors": schema.Array((("scales", 2),), low=0.0),
        "center": schema.Array((("columns",),)),
        "inverse_scale": schema.Array((("columns",),), low=0.0),
    },
    (
        schema.Relation(
            "positive variances, and innovations of some rows",
            lambda own, _: bool(
                (np.diagonal(own.covariance, axis1=1, axis2=2) > 0.0).all()
                and (own.errors > 0.0).all()
            ),
            values=True,
        ),
    ),
)


@schema.record(FUNCTIONS)
class Functions(NamedTuple):
    """The functions of each target, for each length scale, and their columns' units."""

    mean: FloatArray  # W, (scales, features, targets)
    covariance: FloatArray  # the lower triangle of P, (scales, features, features)
    errors: FloatArray  # sums of squares of innovations, and of powers, (scales, 2)
    center: FloatArray
    inverse_scale: FloatArray

    def copy(self) -> Functions:
        """Return functions that share nothing with these."""
        return Functions(*(array.copy() for array in self))

    @property
    def noise(self) -> FloatArray:
        """The mean square of innovations of each length scale, in units of 1 + v."""
        return np.asarray(self.errors[:, 0] / self.errors[:, 1])


REGRESSION = schema.Schema(
    "regression",
    {
        "frequencies": schema.Array((("scales", "cosines", "columns"),)),
        "phases": schema.Array((("scales", "cosines"),)),
        "functions": schema.Nested(FUNCTIONS),
        "rows": schema.Array((("kept", "columns"),)),
        "targets": _bounded((("kept", "targets"),)),
        "powers": schema.Array((("kept",),), low=0.0),
        "clock": schema.Whole(high=2**53),
        "half_life": schema.Number(low=0.0, above=True, optional=True),
    },
    (
        schema.Relation(
            "a feature for each cosine and each column, and one more",
            lambda _, s: s["features"] == s["cosines"] + s["columns"] + 1,
        ),
        schema.Relation(
            f"{len(SCALES)} length scales", lambda _, s: s["scales"] == len(SCALES)
        ),
        schema.Relation(
            f"at most {_KEPT} rows that are kept", lambda _, s: s["kept"] <= _KEPT
        ),
    ),
)


class Prediction(NamedTuple):
    """The functions of a length scale at some rows, as far as they are known."""

    mean: FloatArray  # (rows, targets)
    variance: FloatArray  # of all targets, in units of the noise
    noise: FloatArray  # mean square of innovations so far, summed over the targets


@schema.record(REGRESSION)
@dataclass
class Regression(Record):
    """Functions of all length scales, with their map and the first rows."""

    frequencies: FloatArray  # in half turns, (scales, cosines, columns)
    phases: FloatArray
    functions: Functions
    rows: FloatArray  # the first rows, as long as they are learned again
    targets: FloatArray
    powers: FloatArray
    clock: int  # presentations so far
    half_life: float | None

    def __post_init__(self) -> None:
        """Check types and shapes."""
        REGRESSION.check(self, values=False)

    @property
    def amplitudes(self) -> FloatArray:
        """The amplitude of each cosine, (scales, cosines)."""
        return _amplitudes(self.phases.shape[1])

    def learn(
        self,
        X: FloatArray,
        Y: FloatArray,
        powers: FloatArray,
        center: FloatArray,
        inverse_scale: FloatArray,
    ) -> list[Prediction]:
        """Learn rows in place, all in one standardisation; predict each one before.

        ``powers`` are numbers of presentations; 0 leaves a row out. There is a
        prediction for each length scale.
        """
        with one_thread():
            self._use(center, inverse_scale)
            shown = powers > 0.0
            if self.clock < _KEPT:
                self.rows = np.concatenate([self.rows, X[shown]])[:_KEPT]
                self.targets = np.concatenate([self.targets, Y[shown]])[:_KEPT]
                self.powers = np.concatenate([self.powers, powers[shown]])[:_KEPT]
            found = self._learn_from(self.clock, X, Y, powers)
            self.clock += int(np.ceil(powers).sum())
            if self.clock > _KEPT:  # they are not learned again
                self._leave_rows()
        return found

    def _learn_from(
        self, clock: int, X: FloatArray, Y: FloatArray, powers: FloatArray
    ) -> list[Prediction]:
        """Learn rows that come after others, block by block, and forget."""
        ends, first = clock + np.cumsum(np.ceil(powers)), 0
        found = [
            Prediction(np.empty(Y.shape), *np.empty((2, len(Y))))
            for _ in self.functions.mean
        ]
        while first < len(X):
            part = self._block(ends, first, clock)
            own = [Prediction(*(array[part] for array in each)) for each in found]
            self._learn_block(X[part], Y[part], powers[part], own)
            later = int(ends[part.stop - 1])
            self._forget(clock, later)
            clock, first = later, part.stop
        return found

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
        errors = self.functions.errors.copy()
        self.functions.mean[:] = 0.0
        self.functions.covariance[:] = np.eye(self.functions.mean.shape[1])
        self._learn_from(0, self.rows, self.targets, self.powers)
        self.functions.errors[:] = errors  # those rows were predicted in other units

    @property
    def _kept(self) -> float:
        """The number of presentations of the rows that are kept."""
        return float(np.ceil(self.powers).sum())

    def _leave_rows(self) -> None:
        """Keep no rows any more."""
        self.rows, self.targets = self.rows[:0].copy(), self.targets[:0].copy()
        self.powers = self.powers[:0].copy()

    def features(self, X: FloatArray, units: Functions) -> FloatArray:
        """Return the features of rows, (scales, rows, features), in columns."""
        scales, cosines, columns = self.frequencies.shape
        Z = (X - units.center) * units.inverse_scale
        Z = np.minimum(np.maximum(Z, -CLIP), CLIP).T
        waves = self.frequencies.reshape(-1, columns) @ Z
        waves += self.phases.reshape(-1, 1)
        waves = waves.reshape(scales, cosines, -1)
        result = np.empty((scales, cosines + columns + 1, len(X)))
        if PLAIN:
            result[:, :cosines] = self.amplitudes[:, :, None] * np.cos(np.pi * waves)
        else:
            _write_cosines(waves, self.amplitudes, result)
        result[:, cosines:-1] = Z
        result[:, -1] = 1.0
        return result.transpose(0, 2, 1)

    def _learn_block(
        self, X: FloatArray, Y: FloatArray, powers: FloatArray, found: list[Prediction]
    ) -> None:
        """Learn a block; write predictions before the targets, eqs. (1, 2)."""
        noise, known = 1.0 / np.maximum(powers, _NEVER), self.functions
        parts = known.mean, known.covariance, known.errors, found
        for F, W, P, sums, own in zip(self.features(X, known), *parts, strict=True):
            FP = blas.dsymm(1.0, P.T, F, side=1)
            both = np.asarray(FP @ F.T)
            variance = both.diagonal().copy()
            both[np.diag_indices_from(both)] += noise
            L = lapack.dpotrf(both, lower=1)[0]
            mean = F @ W
            U = blas.dtrsm(1.0, L, Y - mean, lower=1)
            G = blas.dtrsm(1.0, L, FP, lower=1, overwrite_b=1)
            np.fill_diagonal(L, 0.0)
            mean += L @ U
            variance -= (L**2).sum(axis=1)
            variance = np.maximum(variance, 0.0)
            blas.dsyrk(-1.0, G, 1.0, P.T, trans=1, overwrite_c=1)
            W += G.T @ U
            squares = ((Y - mean) ** 2).sum(axis=1) / (1.0 + variance)
            news = np.stack([powers * squares, powers], axis=1)
            after = sums + np.cumsum(news, axis=0)
            before = np.concatenate([sums[None], after[:-1]])
            sums[:] = after[-1]
            own.mean[:], own.variance[:] = mean, variance
            own.noise[:] = before[:, 0] / before[:, 1]

    def _forget(self, clock: int, later: float) -> None:
        """Let functions return to the prior, piece by piece."""
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

    def predict(
        self, X: FloatArray, functions: Functions | None = None
    ) -> list[Prediction]:
        """Return the functions at rows, for each length scale; or those of a copy."""
        known = self.functions if functions is None else functions
        scales, _, targets = known.mean.shape
        mean, variance = np.empty((scales, len(X), targets)), np.empty((scales, len(X)))
        with one_thread():
            for first in range(0, len(X), _PREDICTED):
                rows = slice(first, first + _PREDICTED)
                for s, F in enumerate(self.features(X[rows], known)):
                    FP = blas.dsymm(1.0, known.covariance[s].T, F, side=1)
                    mean[s, rows] = F @ known.mean[s]
                    variance[s, rows] = np.einsum("ij,ij->i", FP, F)
        found = mean, np.maximum(variance, 0.0), known.noise
        return [Prediction(*own) for own in zip(*found, strict=True)]

    def variances_of_mean(self, X: FloatArray) -> list[float]:
        """Return the variance of the mean over rows, in units of the noise."""
        known, found = self.functions, []
        with one_thread():
            means = self.features(X, known).mean(axis=1)
            for f, P in zip(means, known.covariance, strict=True):
                Pf = blas.dsymv(1.0, P.T, f)
                found.append(max(float(f @ Pf), 0.0))
        return found

    def merged(
        self, other: Regression, center: FloatArray, inverse_scale: FloatArray
    ) -> Regression:
        """Return functions of all rows that two with one map have learned, eq. (3).

        In other units functions move with the columns, unless all rows are kept.
        """
        result, other = self.copy(), other.copy()
        with one_thread():
            for part in (result, other):
                part._use(center, inverse_scale)
            own, more = result.functions, other.functions
            for W, P, V, Q in zip(
                own.mean, own.covariance, more.mean, more.covariance, strict=True
            ):
                A, B = _inverse(P), _inverse(Q)
                shift = A @ W + B @ V
                P[:] = _inverse(A + B - np.eye(len(A)))
                W[:] = P @ shift
            own.errors[:] += more.errors
        known = all(part.clock <= part._kept for part in (result, other))
        for name in ("rows", "targets", "powers"):
            each = [getattr(part, name) for part in (result, other)]
            setattr(result, name, np.concatenate(each))
        if not known or len(result.rows) > _KEPT:
            result._leave_rows()
        result.clock += other.clock
        return result

    def grown(self, columns: int) -> Regression:
        """Return functions of more columns, which begin anew but for kept rows."""
        cosines, before = self.frequencies.shape[1:]
        if columns == before:
            return self
        targets = self.functions.mean.shape[2]
        other = start(columns, targets, 1.0, self.half_life, cosines)
        if self.clock <= self._kept:
            more = np.zeros((len(self.rows), columns - before))
            other.rows = np.hstack([self.rows, more])
            other.targets, other.powers = self.targets, self.powers
        other.clock = self.clock
        return other


def _inverse(matrix: FloatArray) -> FloatArray:
    """Return the inverse of a positive matrix; read its lower triangle only."""
    root = lapack.dpotrf(matrix, lower=1)[0]
    half = np.tril(lapack.dpotri(root, lower=1)[0])
    return np.asarray(half + np.tril(half, -1).T)


@functools.lru_cache(maxsize=8)
def _amplitudes(cosines: int) -> FloatArray:
    """Return the amplitude of each cosine, of all length scales."""
    variances = [np.resize([k.variance for k in kinds], cosines) for kinds in SCALES]
    return np.sqrt(2.0 / cosines * np.stack(variances))


def _frequencies(columns: int, cosines: int) -> tuple[FloatArray, FloatArray]:
    """Return frequencies, in half turns, and phases of all length scales.

    Directions of successive cosines are orthogonal, and phases and logarithms of
    numbers of columns fill their ranges evenly: fewer cosines are enough.
    """
    rng = np.random.default_rng(_SEED)
    found = np.zeros((len(SCALES), cosines, columns))
    phases = np.stack([2.0 * _even(rng, cosines) for _ in SCALES])
    for kinds, frequencies in zip(SCALES, found, strict=True):
        square = -(-cosines // columns), columns, columns
        directions = np.linalg.qr(rng.standard_normal(square))[0].reshape(-1, columns)
        lengths = np.sqrt(rng.chisquare(columns, cosines))
        sizes = _even(rng, cosines)
        for j, row in enumerate(frequencies):
            kind = kinds[j % len(kinds)]
            low, high = min(kind.least, columns), min(kind.most, columns)
            number = int(low * ((high + 1.0) / low) ** sizes[j])
            number = min(max(number, int(low)), int(high))
            chosen = rng.permutation(columns)[:number]
            scale = kind.length * math.sqrt(number) * math.pi
            row[chosen] = lengths[j] * directions[j, chosen] / scale
    return found, phases


def _even(rng: np.random.Generator, number: int) -> FloatArray:
    """Return numbers from 0 to 1 in random order, one in each of equal parts."""
    return rng.permutation((np.arange(number) + rng.uniform(size=number)) / number)


def _check_memory(features: int) -> None:
    """Raise an error, before memory is taken, if covariances do not fit into it."""
    if not hasattr(os, "sysconf"):
        return
    there = float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    most = int(math.sqrt(there / (8.0 * _COPIES * len(SCALES))))
    if features > most:
        raise ValueError(
            f"cosines and columns must be at most {most} together, with which "
            f"covariances fill the memory of this machine, got {shown(features)}"
        )


def start(
    columns: int,
    targets: int,
    noise: float = 1.0,
    half_life: float | None = None,
    cosines: int = COSINES,
) -> Regression:
    """Return functions before any row.

    Parameters
    ----------
    columns, targets
        Their numbers.
    noise
        The mean square of all targets together that is expected at first.
    half_life
        The number of examples after which half of what was learned is forgotten.
    cosines
        The number of cosines of each length scale.

    Examples
    --------
    >>> x = np.linspace(-2.0, 2.0, 200)[:, None]
    >>> own = start(columns=1, targets=1)
    >>> _ = own.learn(x, np.sin(3.0 * x), np.ones(200), np.zeros(1), np.ones(1))
    >>> near, far = own.predict(np.array([[0.5], [2.9]]))[1].variance
    >>> bool(near < 0.1 < far)
    True
    """
    features, scales = cosines + columns + 1, len(SCALES)
    _check_memory(features)
    frequencies, phases = _frequencies(columns, cosines)
    functions = Functions(
        mean=np.zeros((scales, features, targets)),
        covariance=np.tile(np.eye(features), (scales, 1, 1)),
        errors=np.tile([_PRIOR_ROWS * noise, _PRIOR_ROWS], (scales, 1)),
        center=np.zeros(columns),
        inverse_scale=np.zeros(columns),
    )
    return Regression(
        frequencies=frequencies,
        phases=phases,
        functions=functions,
        rows=np.zeros((0, columns)),
        targets=np.zeros((0, targets)),
        powers=np.zeros(0),
        clock=0,
        half_life=None if half_life is None else float(half_life),
    )
