r"""Two Gaussian classes: the label is drawn first, then the input.

.. math:: P(y = +1) = \text{prior}, \qquad
    s \,|\, y = -1 \sim \mathcal N(\mu_0, \Sigma_0), \quad
    s \,|\, y = +1 \sim \mathcal N(\mu_1, \Sigma_1).  \tag{1}

What a learner sees are features,

.. math:: x = (s_1, \ldots, s_d;\; s_1^2, \ldots, s_d^2;\;
    s_1 s_2, s_1 s_3, \ldots, s_{d-1} s_d;\; c),  \tag{2}

with the squares and products for degree 2 only, and a constant :math:`c`. Its field is
then a linear or quadratic form of Gaussian variables, whose sign has a known law:
errors are exact. So is that of the best classifier there is (Bayes), the sign of

.. math:: \log \frac{P(y = +1 | s)}{P(y = -1 | s)},  \tag{3}

which is linear in :math:`s` if both covariances are the same, and quadratic otherwise.

Numbers of an example depend on its number and the generator alone; they are drawn in
blocks.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from rosenblatt.compiling import kernel, types
from rosenblatt.core import Stream
from rosenblatt.core.arguments import covariance, number, numbers, shown, whole
from rosenblatt.core.types import FloatArray
from rosenblatt.numerics.quadratic_forms import negative
from rosenblatt.numerics.random import generators, normals64, uniforms

__all__ = ["BLOCK", "EACH", "ROLES", "TESTS", "ClassLaw", "TwoClasses", "draw_features"]

Matrix = tuple[tuple[float, ...], ...]
_MOST = 2**53  # examples: up to here a float tells a whole number from the next
BLOCK = 1024  # examples drawn at a time: even, and small enough for the inner cache
# A replica's generators: inputs and labels of what is learnt, and of tests.
TESTS, ROLES = 2, 4
EACH = -1.0  # in place of a prior: labels -1 and +1 take turns


class ClassLaw(NamedTuple):
    """Law of the features and labels of two classes."""

    means: types.Matrix  # (class, component)
    roots: types.Tensor  # (class, component, component), of the covariances
    prior: float  # of the label +1, or EACH
    degree: int
    constant: float


@kernel(allocates=True)
def draw_features(
    words: types.WordMatrix,
    law: ClassLaw,
    first: int,
    X: types.Matrix,
    labels: types.Vector,
) -> None:
    """Fill whole blocks with eq. (2); ``first`` is the number of the first block.

    ``X`` has a row for each feature and a column for each example. ``words`` has two
    generators: of the inputs and of the labels.
    """
    means, roots, prior, degree, constant = law
    d = means.shape[1]
    z, u = np.empty(d * BLOCK), np.empty(BLOCK)
    for block in range(labels.size // BLOCK):
        begun = np.uint64(first + block) * np.uint64(BLOCK)
        words[0, 2], words[1, 2] = begun * np.uint64(d), begun
        normals64(z, words[0])
        uniforms(u, words[1])
        at = block * BLOCK
        y = labels[at : at + BLOCK]
        for i in range(BLOCK):
            positive = i % 2 == 1 if prior == EACH else u[i] < prior
            y[i] = 1.0 if positive else -1.0
        for j in range(d):
            x = X[j, at : at + BLOCK]
            low, high = means[0, j], means[1, j]
            for i in range(BLOCK):
                x[i] = high if y[i] > 0.0 else low
            for m in range(j + 1):
                low, high = roots[0, j, m], roots[1, j, m]
                for i in range(BLOCK):
                    x[i] += (high if y[i] > 0.0 else low) * z[m * BLOCK + i]
        if degree == 2:
            row = 2 * d
            for j in range(d):
                for i in range(at, at + BLOCK):
                    X[d + j, i] = X[j, i] * X[j, i]
                for m in range(j + 1, d):
                    for i in range(at, at + BLOCK):
                        X[row, i] = X[j, i] * X[m, i]
                    row += 1
        for i in range(at, at + BLOCK):
            X[X.shape[0] - 1, i] = constant


@dataclass(frozen=True)
class TwoClasses(Stream):
    """Labelled examples of two Gaussian classes.

    Parameters
    ----------
    means
        The mean of class 0, of label -1, and that of class 1, of label +1.
    covariances
        One for each class: a matrix, or the variance of independent components. A
        single number holds for both classes.
    prior
        Probability of class 1.
    degree
        1: features are the components. 2: their squares and products follow, in the
        order ``s1, s2, s1**2, s2**2, s1 * s2``; for one or two components.
    constant
        The last feature, whose weight is the threshold.

    Examples
    --------
    >>> stream = TwoClasses(means=[(-1, 0), (1, 0)], covariances=1)
    >>> round(stream.bayes_error, 6), round(float(stream.error([0.0, 1.0, 0.5])), 6)
    (0.158655, 0.5)
    >>> ring = TwoClasses([(0, 0), (0, 0)], covariances=(1, 9), degree=2)
    >>> round(ring.bayes_error, 6), ring.features
    (0.162295, 6)
    """

    means: Matrix
    covariances: tuple[Any, Any] = (1.0, 1.0)
    prior: float = 0.5
    degree: int = 1
    constant: float = 1.0

    def __post_init__(self) -> None:
        means = numbers("means", self.means, (2, None)).tolist()
        given: Any = self.covariances
        listed = isinstance(given, tuple | list | np.ndarray)
        if not listed or getattr(given, "shape", None) == ():
            given = (given, given)
        if len(given) != 2:
            raise ValueError(
                "covariances must be one number or two entries, one for each class, "
                f"got {shown(self.covariances)}"
            )
        matrices = tuple(
            covariance(f"covariances[{k}]", entry, len(means[0]))
            for k, entry in enumerate(given)
        )
        # tuples, also of arrays and lists
        object.__setattr__(self, "means", tuple(map(tuple, means)))
        object.__setattr__(self, "covariances", matrices)
        number("prior", self.prior, low=0, high=1)
        number("constant", self.constant)
        if whole("degree", self.degree, low=1) > 2:
            raise ValueError(f"degree must be 1 or 2, got {self.degree}")
        if self.degree == 2 and self.dim > 2:
            raise ValueError(
                "degree 2 is for inputs of one or two components, of which errors are "
                f"known exactly, got {self.dim}"
            )

    @property
    def dim(self) -> int:
        """Number of components of an input."""
        return len(self.means[0])

    @property
    def features(self) -> int:
        """Number of features, the constant included; as many weights are learnt."""
        d = self.dim
        return d + 1 if self.degree == 1 else d + d * (d + 1) // 2 + 1

    @property
    def _centers(self) -> FloatArray:
        return np.array(self.means)

    @property
    def _roots(self) -> FloatArray:
        """Lower triangular roots of the covariances."""
        return np.linalg.cholesky(np.array(self.covariances))

    def draw(
        self, rows: int, seed: int = 0, *, replica: int = 0, first: int = 0
    ) -> tuple[FloatArray, FloatArray]:
        """Return features and labels of examples number ``first`` and following.

        They are those that :func:`rosenblatt.simulate_classes` shows this replica.

        Examples
        --------
        >>> X, y = TwoClasses([(-1, 0), (1, 0)]).draw(3)
        >>> X.shape, y
        ((3, 3), array([...]))
        """
        rows, first = whole("rows", rows, low=0), whole("first", first, low=0)
        if first + rows > _MOST:
            raise ValueError(f"first + rows must not exceed 2**53, got {first + rows}")
        seed, replica = whole("seed", seed, low=0), whole("replica", replica, low=0)
        begun = first // BLOCK
        blocks = -(-(first + rows) // BLOCK) - begun
        X, y = np.empty((self.features, blocks * BLOCK)), np.empty(blocks * BLOCK)
        words = generators(seed, range(replica, replica + 1), ROLES)[0, :2]
        draw_features(words, self.law(), begun, X, y)
        skipped = first - begun * BLOCK
        wanted = slice(skipped, skipped + rows)
        return np.ascontiguousarray(X[:, wanted].T), y[wanted]

    def law(self) -> ClassLaw:
        """Return the law as kernels take it."""
        return ClassLaw(
            self._centers,
            self._roots,
            float(self.prior),
            int(self.degree),
            float(self.constant),
        )

    def _form(self, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the field as a quadratic form of the input: A, b, c."""
        d = self.dim
        A = np.zeros((*weights.shape[:-1], d, d))
        if self.degree == 2:
            for j in range(d):
                A[..., j, j] = weights[..., d + j]
            for at, (j, m) in enumerate(itertools.combinations(range(d), 2)):
                A[..., j, m] = A[..., m, j] = 0.5 * weights[..., 2 * d + at]
        return A, weights[..., :d], weights[..., -1] * self.constant

    def _weights(self, A: FloatArray, b: FloatArray, c: float) -> FloatArray:
        """Return the weights of a quadratic form of the input."""
        if self.constant == 0:
            raise ValueError(
                "constant must not be 0 if there is to be a threshold, got 0"
            )
        last = [c / self.constant]
        if self.degree == 1:
            return np.concatenate([b, last])
        j, m = np.triu_indices(self.dim, 1)
        return np.concatenate([b, np.diag(A), 2 * A[j, m], last])

    def class_errors(self, weights: npt.ArrayLike) -> FloatArray:
        """Return the exact error of weights on each class, in a last dimension of two.

        Parameters
        ----------
        weights
            One for each feature in the last dimension. Weights that are all zero, or a
            threshold alone, are errors on half of the inputs, or on one class.
        """
        w = np.asarray(weights, dtype=np.float64)
        if w.ndim == 0 or w.shape[-1] != self.features:
            raise ValueError(
                f"weights must have {self.features} entries in the last dimension, "
                f"got shape {w.shape}"
            )
        A, b, c = self._form(w)
        found = []
        for k, (mean, root) in enumerate(zip(self._centers, self._roots, strict=True)):
            # s = mean + root z
            slope = (b + 2 * A @ mean) @ root
            level = c + (b + A @ mean) @ mean
            if self.degree == 1:
                spread = np.linalg.norm(slope, axis=-1)
                with np.errstate(divide="ignore", invalid="ignore"):
                    scaled = level / spread
                below = ndtr(-np.where((level == 0) & (spread == 0), 0.0, scaled))
                above = ndtr(np.where((level == 0) & (spread == 0), 0.0, scaled))
                found.append(below if k == 1 else above)
            else:
                sign = 2 * k - 1
                turned = root.T @ A @ root
                found.append(negative(sign * turned, sign * slope, sign * level))
        return np.stack(found, axis=-1)

    def error(self, weights: npt.ArrayLike) -> FloatArray:
        """Return the exact probability that the sign of the field is not the label."""
        return np.asarray(
            self.class_errors(weights) @ np.array([1 - self.prior, self.prior])
        )

    def _log_odds(self) -> tuple[FloatArray, FloatArray, float]:
        """Return eq. (3) as a quadratic form of the input: A, b, c."""
        inverses = [np.linalg.inv(np.array(matrix)) for matrix in self.covariances]
        A = 0.5 * (inverses[0] - inverses[1])
        (first, second), (m0, m1) = inverses, self._centers
        dets = 2 * np.log(np.diagonal(self._roots, axis1=1, axis2=2)).sum(axis=1)
        c = 0.5 * (m0 @ first @ m0 - m1 @ second @ m1 + dets[0] - dets[1])
        with np.errstate(divide="ignore"):
            odds = np.log(self.prior) - np.log1p(-self.prior)
        return A, second @ m1 - first @ m0, float(c + odds)

    @property
    def _alike(self) -> bool:
        return bool(self.covariances[0] == self.covariances[1])

    @property
    def solvable(self) -> bool:
        """True if the error of the best classifier is known."""
        return self._alike or self.dim <= 2

    @property
    def bayes_weights(self) -> FloatArray:
        """Weights of the best classifier, whose field is eq. (3)."""
        if self.degree == 1 and not self._alike:
            raise ValueError(
                "the best boundary between classes of different covariances is "
                "quadratic; take degree=2"
            )
        if self.prior in (0, 1):
            raise ValueError(f"prior must be between 0 and 1, got {self.prior}")
        return self._weights(*self._log_odds())

    @property
    def bayes_error(self) -> float:
        """Exact error of the best classifier of any degree."""
        if self.prior in (0, 1):
            return 0.0
        degree = 1 if self._alike else 2
        if not self.solvable:
            raise ValueError(
                "the best error for different covariances is known for inputs of one "
                f"or two components, got {self.dim}"
            )
        best = TwoClasses(self.means, self.covariances, self.prior, degree)
        return float(best.error(best.bayes_weights))
