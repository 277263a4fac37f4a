r"""Linear separability of two classes, with a certificate.

Let labels be :math:`y = \pm 1` and :math:`z_i = y_i (x_i, 1)`, or :math:`y_i x_i`
without an intercept. Either a vector :math:`w` has :math:`w \cdot z_i > 0` for all
examples, or shares :math:`c_i \ge 0` of sum 1 have :math:`\sum_i c_i z_i = 0`, and
never both. With an intercept the shares are a point that the convex hulls of both
classes have in common. The nearest point of the hull of all :math:`z_i` to the origin
decides, and is the direction of the largest margin,

.. math:: M = \max_{|w| = 1} \min_i w \cdot z_i.   \tag{1}

The perceptron rule from :math:`w = 0` makes at most :math:`R^2 / M^2` errors,
:math:`R = \max_i |z_i|` (:cite:t:`seung2002`, section 8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rosenblatt.core.arguments import flag, shown, whole
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.learner import MISTAKES, Learner
from rosenblatt.linear.learning import learn
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant
from rosenblatt.separation.deciding import decide
from rosenblatt.separation.nearest_point import nearest

__all__ = ["Separability", "separability", "signed"]

_MOST_PASSES = 1_000_000  # more are a mistake: they would take minutes or for ever


@dataclass(frozen=True)
class Separability:
    """Linear separability of two classes: the answer, its proof, and the margin.

    Attributes
    ----------
    separable
        The answer.
    proven
        True if the certificate holds beyond rounding errors. If False, the classes
        touch within rounding errors, and the table is too large for exact arithmetic.
        Then ``separable`` is a guess.
    classes
        The labels; the last counts as +1.
    weights, intercept
        A separating vector: ``X @ weights + intercept`` is positive for the last class
        and negative for the other. Zero if there is none, or none in floating-point
        numbers: then ``separator`` is the only one.
    separator
        A separating vector in fractions, an intercept last: the numbers of ``weights``
        and ``intercept``, or the direction of the largest margin where these are zero.
        Empty if the classes are not separable.
    margin, margin_bound
        Two numbers that the largest margin of eq. (1) lies between, the first being
        that of ``separator`` divided by its length. Zero if the classes are not
        separable, or if the margin is below the smallest floating-point number.
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
    >>> from rosenblatt.separation.separability import separability
    >>> found = separability([[0.0], [1.0], [3.0]], [0, 0, 1])
    >>> found.separable, found.weights.round(3), round(found.intercept, 3)
    (True, array([0.447]), -0.894)
    """

    separable: bool
    proven: bool
    classes: tuple[Any, ...]
    weights: FloatArray = field(repr=False)
    intercept: float
    separator: tuple[Fraction, ...] = field(repr=False)
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
            if not (self.weights.any() or self.intercept):
                lines[0] += ", by a vector of fractions only"
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
    fit_intercept = flag("fit_intercept", fit_intercept)
    try:
        if np.iscomplexobj(X):
            raise TypeError
        data = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"X must be a table of numbers, got {type(X).__name__}"
        ) from None
    try:
        labels = np.asarray(y)
    except ValueError:  # rows of different lengths
        raise ValueError(f"y must be one label for each row, got {shown(y)}") from None
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
    try:
        classes, codes = np.unique(labels, return_inverse=True)
        missing = (classes != classes).any()  # NaN is not equal to itself
    except TypeError:
        raise TypeError(f"y must have labels of one kind, got {y!r:.80}") from None
    if missing:
        raise ValueError("y must not contain NaN")
    if len(classes) > 2:
        raise ValueError(
            "y must have two classes at most (compare one with the rest, y == one), "
            f"got {len(classes)}: {classes[:5].tolist()}"
        )
    if fit_intercept:
        data = np.column_stack([data, np.ones(len(data))])
    signs = np.where(codes == len(classes) - 1, 1.0, -1.0)
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
        ordered, at most a million; it stops after a pass without an error.

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
    if passes > _MOST_PASSES:
        raise ValueError(
            f"passes must be at most {_MOST_PASSES:,}, got {shown(passes)}"
        )
    Z, classes = signed(X, y, fit_intercept=fit_intercept)
    _, power = np.frexp(np.abs(Z).max())
    scaled = np.ldexp(Z, -power)  # so that squares do not overflow
    learner, mistakes, converged = _perceptron(scaled, passes)
    found = nearest(scaled, hint=learner.weights)
    answer = decide(Z, found, learner.weights, fit_intercept)
    separable = bool(answer.separator)
    w = np.zeros(Z.shape[1]) if answer.vector is None else answer.vector
    rows, shares = np.zeros(0, np.int64), np.zeros(0)
    if not separable:
        rows = found.rows if answer.rows is None else answer.rows
        shares = found.shares if answer.shares is None else answer.shares
    radius = float(np.linalg.norm(scaled, axis=1).max())
    shortest = found.point if found.point.any() else found.shares @ scaled[found.rows]
    # An upper bound: any combination is one, and this is what may be rounded off.
    room = 4 * found.rows.size * np.finfo(np.float64).eps * radius
    bound = float(np.linalg.norm(shortest)) + room
    return Separability(
        separable=separable,
        proven=separable or answer.shares is not None,
        classes=classes,
        weights=w[:-1] if fit_intercept else w,
        intercept=float(w[-1]) if fit_intercept else 0.0,
        separator=answer.separator,
        margin=answer.margin,
        margin_bound=math.ldexp(bound, int(power)) if separable else 0.0,
        radius=math.ldexp(radius, int(power)),
        rows=rows,
        shares=shares,
        residual=float(np.abs(shares @ scaled[rows]).max()) if rows.size else 0.0,
        mistakes=mistakes,
        converged=converged,
    )
