r"""Beliefs about the weights: the protocol that each kind of belief follows.

A belief is the prior :math:`\mathcal N(0, \mathrm{prior}\, I)` times the likelihood of
the examples, :math:`\exp(\eta \cdot w - \tfrac12 w^T A\, w)`, projected on a family of
Gaussians after each label (:cite:t:`winther1997`, eq. 3). The families differ in what
they keep of the covariance V. A kind of belief is one file, with an object that says
what its arrays mean and names its compiled routines, and one line in
:mod:`rosenblatt.bayes.covariances`. All kinds are learned, predicted, merged and stored
by the same loops.

In another standardisation, :math:`z' = T z`, the field is the same function of the
input if

.. math:: A' = T A T^T, \qquad \eta' = T \eta,   \tag{1}

and the prior is multiplied again as it was.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rosenblatt.bayes.layout import CLOCK, HALF_LIFE, PRIOR, Arrays
from rosenblatt.compiling import inlined, kernel
from rosenblatt.core.types import FloatArray, IntArray

PIECES = 8.0  # a half-life passes in so many pieces
# A variance in the units of a column that shrank may be next to zero. It counts as at
# least this, whose reciprocal times KNOWN squared is still a number.
LEAST = 1e-290


@kernel()
def nothing(place: int, number: int) -> None:
    """Do nothing."""


class Routines(NamedTuple):
    """Compiled routines of a belief, and the room that they need.

    Rows come in blocks. ``start(place, rows)`` is called for a block that is
    standardised. Then for each row ``predict(place, row)`` writes mean and variance of
    all fields, and ``learn(place, row)`` moves the belief by all slopes and curvatures,
    unless the row is only predicted. ``finish(place, rows)`` ends the block.
    ``rescale(place, slope)`` multiplies means by a slope, too.
    """

    predict: Any
    learn: Any
    rescale: Any  # to another standardisation, eq. (1)
    start: Any = nothing
    finish: Any = nothing
    block: int = 1  # rows that are learned at once, at most MOST_ROWS
    room: int = 0  # numbers in the work space
    products: bool = False  # whether products of matrices are called


class Likelihood(NamedTuple):
    """The likelihood of examples, exp(shift.w - w.precision.w / 2), for each model."""

    shift: FloatArray  # (models, weights)
    precision: FloatArray  # in a form of the belief


class Belief(ABC):
    """A kind of belief; the first dimension of its arrays is that of the models.

    Methods that are not abstract are those of beliefs without correlations.
    """

    name: ClassVar[str]
    sparse: ClassVar[bool] = False  # whether rows may be sparse
    grows: ClassVar[bool] = True  # whether there may be more columns
    # Routine that predicts rows with correlations. It is given the addresses of a
    # model's mean and belief, the numbers of weights and of entries of the belief, the
    # address of rows side by side, and where means and variances of fields are written.
    fields: ClassVar[Any] = None

    @abstractmethod
    def shape(self, weights: int) -> tuple[int, ...]:
        """Return the shape of a model's belief."""

    @abstractmethod
    def prior(self, models: int, weights: int, variance: float) -> FloatArray:
        """Return the belief before any example."""

    def possible(self, belief: FloatArray) -> bool:
        """Return whether the variance of each sum of weights is positive."""
        return bool((belief > 0.0).all())

    @abstractmethod
    def routines(self, models: int, weights: int) -> Routines:
        """Return the routines that learn."""

    @abstractmethod
    def variances(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the variance of each weight."""

    def precisions(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the diagonal of the inverse of the covariance."""
        return np.asarray(1.0 / self.variances(belief, weights))

    def times(self, belief: FloatArray, vectors: FloatArray) -> FloatArray:
        """Return the product of the covariance and a vector, for each model."""
        return self.variances(belief, vectors.shape[-1]) * vectors

    def solve(self, belief: FloatArray, vectors: FloatArray) -> FloatArray:
        """Return the product of the covariance's inverse and a vector."""
        return np.asarray(vectors / self.variances(belief, vectors.shape[-1]))

    @abstractmethod
    def marginal(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the belief about the first weights."""

    def factors(self, belief: FloatArray) -> FloatArray | None:
        """Return F with the covariance F F^T; None if there are no correlations."""
        return None

    @abstractmethod
    def grown(
        self, belief: FloatArray, old: IntArray, weights: int, prior: float
    ) -> FloatArray:
        """Return the belief about more weights; the known ones go to places ``old``."""

    def of_logistic_law(
        self, belief: FloatArray, prior: float, square: float
    ) -> FloatArray:
        """Return eq. (1) of :mod:`rosenblatt.bayes.growing`, with s^2 ``square``."""
        return square * belief / (1.0 + (square - 1.0) / prior * belief)

    @abstractmethod
    def likelihood(
        self,
        mean: FloatArray,
        belief: FloatArray,
        prior: float,
        shifts: FloatArray,
        ratios: FloatArray,
    ) -> Likelihood:
        """Return the likelihood in a new standardisation, from a belief in an old one.

        ``ratios`` are 0 for columns of which nothing is known.
        """

    @abstractmethod
    def posterior(
        self, found: Likelihood, prior: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return mean and belief: the prior times a likelihood."""

    def log_determinants(self, belief: FloatArray, weights: int) -> FloatArray:
        """Return the logarithm of the determinant of each covariance."""
        return np.asarray(np.log(self.variances(belief, weights)).sum(axis=1))

    def log_mass(self, found: Likelihood, prior: float) -> FloatArray:
        """Return the logarithm of the integral of prior times likelihood, by model."""
        mean, belief = self.posterior(found, prior)
        weights = mean.shape[1]
        logs = self.log_determinants(belief, weights) - weights * np.log(prior)
        return np.asarray(0.5 * (logs + (mean * found.shift).sum(axis=1)))


@inlined
def drift(f: Arrays, entries: int) -> None:
    r"""Let uncorrelated weights drift; do it once per piece, not at each example.

    The weights drift towards the prior: they lose a part of their variance and gain
    the same part of the prior's,

    .. math:: m \leftarrow \sqrt{k}\, m, \qquad V \leftarrow k V + (1 - k)\,
        \mathrm{prior}\, I.   \tag{2}

    A piece is an eighth of the half-life.
    """
    half_life = f.numbers[HALF_LIFE]
    if not half_life > 0.0:
        return
    piece = int(max(1.0, half_life // PIECES))
    if (int(f.counts[CLOCK]) + 1) % piece != 0:
        return
    keep = 0.5 ** (piece / half_life)
    root, added = math.sqrt(keep), (1.0 - keep) * f.numbers[PRIOR]
    for i in range(f.models * f.weights):
        f.mean[i] *= root
    for i in range(entries):
        f.belief[i] = keep * f.belief[i] + added
