r"""Are two classes linearly separable? An answer with a certificate.

With labels :math:`y = \pm 1` and :math:`z_i = y_i (x_i, 1)` (or :math:`y_i x_i` without
an intercept), either a vector :math:`w` has :math:`w \cdot z_i > 0` for all examples,
or shares :math:`c_i \ge 0` of sum 1 have :math:`\sum_i c_i z_i = 0`, and never both.
With an intercept the shares are a point that the convex hulls of both classes have in
common. The nearest point of the hull of all :math:`z_i` to the origin decides, and is
the direction of the largest margin,

.. math:: M = \max_{|w| = 1} \min_i w \cdot z_i.   \tag{1}

The perceptron rule from :math:`w = 0` makes at most :math:`R^2 / M^2` errors,
:math:`R = \max_i |z_i|` (:cite:t:`seung2002`, section 8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import whole
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.engines.dataset import learn
from rosenblatt.engines.learner import MISTAKES, Learner
from rosenblatt.engines.nearest import Nearest, nearest
from rosenblatt.engines.proofs import least_product, zero_shares
from rosenblatt.engines.rational import exact_nearest
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant

__all__ = ["Separability", "separability", "signed"]

_TINY_SHARE = 1e-9  # of the largest, that may be nothing but rounding
_COLUMNS = 16  # and rows ...
_ROWS = 400  # ... that fractions are used for: about a second
_FACTORS = range(1, 64, 2)  # by which an exact vector is multiplied before rounding


@dataclass(frozen=True)
class Separability:
    """Whether two classes are linearly separable, why, and how hard it is to learn.

    Attributes
    ----------
    separable
        The answer.
    proven
        Whether the certificate holds beyond rounding errors. If not, the classes touch
        or overlap by less than floating-point numbers can tell.
    classes
        The labels; the last counts as +1.
    weights, intercept
        A separating vector: ``X @ weights + intercept`` is positive for the last class
        and negative for the other. Zero if there is none.
    margin, margin_bound
        Two numbers that the largest margin of eq. (1) lies between, the first being
        that of ``weights`` and ``intercept``, which have length 1 together. Zero if
        there is no separating vector.
    radius
        Length of the longest example; the constant input of an intercept is 1.
    rows, shares
        If not separable: examples and positive numbers of sum 1 such that the sum of
        ``shares * sign * (x, 1)`` is zero to rounding, ``residual``.
    residual
        The largest component of that sum, relative to the largest entry of ``X`` (or
        to the constant input 1).
    mistakes
        Errors that the perceptron rule has made after each pass, from zero weights.
    converged
        Whether its last pass had none.

    Examples
    --------
    >>> from rosenblatt.engines.separability import separability
    >>> found = separability([[0.0], [1.0], [3.0]], [0, 0, 1])
    >>> found.separable, found.weights.round(3), round(found.intercept, 3)
    (True, array([0.447]), -0.894)
    """

    separable: bool
    proven: bool
    classes: tuple[Any, ...]
    weights: FloatArray = field(repr=False)
    intercept: float
    margin: float
    margin_bound: float
    radius: float
    rows: IntArray = field(repr=False)
    shares: FloatArray = field(repr=False)
    residual: float
    mistakes: tuple[int, ...] = field(repr=False)
    converged: bool

    @property
    def mistake_bound(self) -> float:
        """The most errors that the perceptron rule can make; infinite if it cycles."""
        ratio = self.radius / self.margin if self.margin > 0 else math.inf
        return ratio * ratio

    def __str__(self) -> str:
        lines = [
            f"{'separable' if self.separable else 'not separable'}"
            f"{'' if self.proven else ' (not proven: the difference is rounding)'}"
        ]
        errors = self.mistakes[-1] if self.mistakes else 0
        if self.separable:
            lines += [
                f"largest margin {self.margin:.6g} to {self.margin_bound:.6g}, radius "
                f"{self.radius:.6g}",
                f"perceptron rule: {errors} errors in {len(self.mistakes)} passes"
                f"{', converged' if self.converged else ''}; "
                f"never more than {self.mistake_bound:.6g}",
            ]
        else:
            lines += [
                f"{len(self.rows)} examples combine to zero, residual "
                f"{self.residual:.2g}",
                f"perceptron rule: {errors} errors in {len(self.mistakes)} passes, "
                "and no end",
            ]
        return "\n".join(lines)


def signed(
    X: npt.ArrayLike, y: npt.ArrayLike, *, fit_intercept: bool
) -> tuple[FloatArray, tuple[Any, ...]]:
    """Return the rows ``sign * (x, 1)`` and the classes; all is checked.

    Examples
    --------
    >>> signed([[2.0], [3.0]], ["no", "yes"], fit_intercept=True)[0]
    array([[-2., -1.],
           [ 3.,  1.]])
    """
    try:
        data = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"X must be a table of numbers, got {type(X).__name__}") from None
    labels = np.asarray(y)
    if data.ndim != 2 or 0 in data.shape:
        raise ValueError(
            f"X must have rows and columns, at least one each, got shape {data.shape}"
        )
    if labels.shape != (len(data),):
        raise ValueError(
            f"y must have {len(data)} entries as X has rows, got shape {labels.shape}"
        )
    for row, column in np.argwhere(~np.isfinite(data)):
        raise ValueError(
            "X must not contain NaN or inf, "
            f"got {data[row, column]} in row {row}, column {column}"
        )
    classes = np.unique(labels)
    if len(classes) > 2:
        raise ValueError(
            "y must have two classes at most (compare one with the rest, y == one), "
            f"got {len(classes)}: {classes[:5].tolist()}"
        )
    if fit_intercept:
        data = np.column_stack([data, np.ones(len(data))])
    signs = np.where(labels == classes[-1], 1.0, -1.0)
    return data * signs[:, None], tuple(classes.tolist())


def _perceptron(Z: FloatArray, passes: int) -> tuple[Learner, tuple[int, ...], bool]:
    """Run the rule pass by pass until one has no errors."""
    learner, labels, errors = Learner.zero(Z.shape[1]), np.ones(len(Z)), [0]
    rule, schedule = Perceptron(), Constant(1.0)
    for _ in range(passes):
        learner = learn(rule, schedule, Z, labels, learner)
        errors.append(int(learner.counts[MISTAKES]))
        if errors[-1] == errors[-2]:
            break
    return learner, tuple(errors[1:]), len(errors) > 1 and errors[-1] == errors[-2]


class _Answer(NamedTuple):
    """A vector and the least product, or rows and shares; neither if undecided."""

    vector: FloatArray | None = None
    least: float = 0.0
    rows: IntArray | None = None
    shares: FloatArray | None = None


def _vector(Z: FloatArray, *vectors: FloatArray) -> _Answer | None:
    """Return the vector of length 1 with the largest margin, if any separates.

    If rounding to length 1 is what spoils it, its length is between 1 and 2.
    """
    best = _Answer()
    for vector in vectors:
        largest = float(np.abs(vector).max())
        if not 0 < largest < math.inf:
            continue
        scaled = np.ldexp(vector, -np.frexp(largest)[1])
        length = float(np.linalg.norm(scaled))
        for w in (scaled / length, np.ldexp(scaled, -np.frexp(length)[1] + 1)):
            least = least_product(Z, w)
            if least > 0:
                margin = least / float(np.linalg.norm(w))
                best = max(best, _Answer(w, margin), key=lambda one: one.least)
                break
    return best if best.vector is not None else None


def _shares(Z: FloatArray, rows: IntArray, shares: FloatArray) -> _Answer | None:
    """Return rows and shares that are proved, if they are: without the tiny ones?"""
    for least in (_TINY_SHARE * shares.max(), 0.0):
        kept = rows[shares > least]
        proved = zero_shares(Z[kept])
        if proved is not None:
            return _Answer(rows=kept[proved > 0], shares=proved[proved > 0])
        if kept.size == rows.size:
            break
    return None


def _balanced(Z: FloatArray, fit_intercept: bool) -> tuple[Nearest, FloatArray]:
    """Return the nearest point and a candidate vector for rows of about one size.

    Columns are shifted to their middle, where an intercept makes up for that, and
    divided by their range; rows are divided by their largest entry. This changes the
    margin, not the answer.
    """
    columns, middle = Z, np.zeros(Z.shape[1])
    if fit_intercept:
        points = Z[:, :-1] * Z[:, -1:]  # without the signs
        middle[:-1] = points.min(axis=0) / 2 + points.max(axis=0) / 2
        columns = Z - Z[:, -1:] * middle
    _, power = np.frexp(np.abs(columns).max(axis=0))
    columns = np.ldexp(columns, -power)
    _, rows = np.frexp(np.abs(columns).max(axis=1))
    found = nearest(np.ldexp(columns, -rows[:, None]))
    w = np.ldexp(found.point, -power - np.frexp(np.abs(found.point).max())[1])
    if fit_intercept:
        w[-1] -= w @ middle
    # Shares of the scaled rows, as shares of the rows themselves.
    _, most = np.frexp(np.ldexp(found.shares, -rows[found.rows]).max())
    shares = np.ldexp(found.shares, -rows[found.rows] - most)
    return found._replace(shares=shares / shares.sum()), w


def _in_fractions(Z: FloatArray, w: FloatArray) -> _Answer | None:
    """Return what exact arithmetic finds, if there is not too much of it.

    Rows that the vector given leaves open are looked at first, others as they turn out
    to be on the wrong side.
    """
    if Z.shape[1] > _COLUMNS:
        return None
    _, power = np.frexp(np.abs(Z).max(axis=0))
    scaled = np.ldexp(Z, -power)
    _, size = np.frexp(w)
    v = np.ldexp(w, power - int((size + power).max()))
    order = np.argsort(scaled @ v / (np.abs(scaled) @ np.abs(v) + 1e-300))
    active = order[: 4 * Z.shape[1]].tolist()
    while len(active) <= _ROWS:
        exact = exact_nearest([[Fraction(z) for z in Z[i].tolist()] for i in active])
        if not any(exact.point):
            rows = np.array([active[i] for i in exact.rows])
            return _Answer(rows=rows, shares=np.array([float(c) for c in exact.shares]))
        largest = max(abs(p) for p in exact.point)
        point = [p / largest for p in exact.point]
        for factor in _FACTORS:
            found = _vector(Z, np.array([float(p * factor) for p in point]))
            if found is not None:
                return found
        v = np.ldexp([float(p) for p in point], power)
        out = np.setdiff1d(np.argsort(scaled @ v)[: len(active)], active)
        if not out.size:
            break
        active += out.tolist()
    return None


def _decide(
    Z: FloatArray, found: Nearest, learner: Learner, fit_intercept: bool
) -> _Answer:
    """Return the first answer with a proof."""
    answer = _vector(Z, found.point, learner.weights)
    answer = answer or _shares(Z, found.rows, found.shares)
    if answer is None:
        other, w = _balanced(Z, fit_intercept)
        answer = (
            _vector(Z, w)
            or _shares(Z, other.rows, other.shares)
            or _in_fractions(Z, w)
        )
    return answer or _Answer()


def separability(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    fit_intercept: bool = True,
    passes: int = 100,
) -> Separability:
    """Tell whether a hyperplane separates two classes, with a proof.

    Parameters
    ----------
    X
        One example a row.
    y
        Its class, one of two.
    fit_intercept
        Whether the hyperplane may be anywhere. It then has an intercept, the weight of
        a constant input 1, which counts in margin and radius. If false it contains the
        origin.
    passes
        How many times the perceptron rule goes through the examples, as they are
        ordered; it stops after a pass without an error.

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> separability(X, [0, 1, 1, 1]).separable
    True
    >>> xor = separability(X, [0, 1, 1, 0])
    >>> xor.separable, xor.proven, xor.shares
    (False, True, array([0.25, 0.25, 0.25, 0.25]))
    """
    passes = whole("passes", passes, low=0)
    Z, classes = signed(X, y, fit_intercept=fit_intercept)
    _, power = np.frexp(np.abs(Z).max())
    scaled = np.ldexp(Z, -power)  # so that squares do not overflow
    learner, mistakes, converged = _perceptron(scaled, passes)
    found = nearest(scaled, hint=learner.weights)
    answer = _decide(Z, found, learner, fit_intercept)
    separable = answer.vector is not None
    w = np.zeros(Z.shape[1]) if answer.vector is None else answer.vector
    rows, shares = np.zeros(0, np.int64), np.zeros(0)
    if not separable:
        rows = found.rows if answer.rows is None else answer.rows
        shares = found.shares if answer.shares is None else answer.shares
    radius = float(np.linalg.norm(scaled, axis=1).max())
    bound = float(np.linalg.norm(found.point))
    if bound == 0:  # to rounding
        combined = np.linalg.norm(found.shares @ scaled[found.rows])
        bound = float(combined) + found.rows.size * np.finfo(np.float64).eps * radius
    return Separability(
        separable=separable,
        proven=separable or answer.shares is not None,
        classes=classes,
        weights=w[:-1] if fit_intercept else w,
        intercept=float(w[-1]) if fit_intercept else 0.0,
        margin=answer.least,
        margin_bound=math.ldexp(bound, int(power)) if separable else 0.0,
        radius=math.ldexp(radius, int(power)),
        rows=rows,
        shares=shares,
        residual=float(np.abs(shares @ scaled[rows]).max()) if rows.size else 0.0,
        mistakes=mistakes,
        converged=converged,
    )
