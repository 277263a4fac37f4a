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

**Certificates.** Separating vector or shares that add up to zero: the first that can be
proved. The nearest point of the hull is tried first. Where data are badly scaled, rows
and columns are scaled to one size. Fractions follow where rounding leaves the answer
open.

**Cycles.** On examples that cannot be learned the perceptron rule ends in a cycle. The
weights stay bounded whatever the examples (the perceptron cycling theorem). Within
bounds there are finitely many whole numbers. So the weights at the beginning of some
pass must have occurred before. From there on everything repeats.

**Nearest point.** For rows :math:`z_i` let :math:`p` be the shortest vector
:math:`\sum_i c_i z_i` with :math:`c_i \ge 0`, :math:`\sum_i c_i = 1`. Then
:math:`p \cdot z_i \ge p \cdot p` for all rows, and :math:`p` is the direction with the
largest margin, :math:`|p|`. It is zero if and only if no vector has a positive product
with all rows. In between, for any combination,

.. math:: \min_i p \cdot z_i / |p| \;\le\; \text{largest margin} \;\le\; |p|.  \tag{2}

The shares :math:`c_i` are in proportion to the solution of the least squares problem
:math:`\sum_i c_i (1, z_i) \approx (1, 0)` with :math:`c_i \ge 0`. Its residual is in
the direction of :math:`p`. The part of the residual along the rows with a share is
subtracted twice. Then it is orthogonal to their differences to rounding, however short
:math:`p` is.

Of many rows only a working set is looked at in each step. Its next one are the rows
with a share and the worst of all others, which make the point shorter.

**In fractions**, where rounding leaves the answer open, Wolfe's algorithm finds the
nearest point, of few rows and columns. It keeps a few affinely independent rows and
steps to the shortest point of their affine hull, or until a share is zero; then that
row leaves. The row with the least product with the point comes. In fractions this ends,
at the exact point.

**Proofs** take the rounding of the check into account. A vector :math:`w` separates
rows if :math:`w \cdot z_i > 0` for all of them. A computed sum of :math:`n` products is
off by at most :math:`\gamma_n \sum_j |w_j z_{ij}|` with :math:`\gamma_n = n u / (1 - n
u)`. Where that leaves a sign open, fractions decide.

Shares :math:`c_i > 0` with :math:`\sum_i c_i z_i = 0` prove that there is no such
vector. Rounded shares miss zero by something, so what is proved is that exact ones
exist nearby. For as many independent equations as shares, with matrix :math:`A`,
approximate inverse :math:`B` and approximate solution :math:`\tilde c` of
:math:`A c = e`,

.. math:: |c - \tilde c|_\infty \le
    \frac{|B (e - A \tilde c)|_\infty}{1 - |1 - B A|_\infty},   \tag{3}

with bounds on all roundings. Where there are fewer shares than equations (rows that
lie in a face) the equations are solved in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import nnls

from rosenblatt.core.arguments import flag, numbers, shown, whole
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.linear.errors import check
from rosenblatt.linear.learner import MISTAKES, Learner
from rosenblatt.linear.learning import learn
from rosenblatt.rules import Perceptron
from rosenblatt.schedules import Constant
from rosenblatt.system.threads import one_thread

_FIRST = 1000  # rows of the first working set: a small part of what is large
_JOIN = 500  # rows that join it at most, each time
_STEPS = 200  # times columns: far more steps than ever needed for one working set
_ROUNDING = 1e-15  # what rounding leaves of nothing, rows having lengths of order 1


class Nearest(NamedTuple):
    """The nearest point, as a combination of a few rows."""

    point: FloatArray
    rows: IntArray
    shares: FloatArray  # of these rows: positive, of sum 1


def _solved(Z: FloatArray) -> Nearest:
    """Return the nearest point of the hull of a working set."""
    A, one = np.vstack([np.ones(len(Z)), Z.T]), np.eye(1, Z.shape[1] + 1)[0]
    try:
        c = nnls(A, one, maxiter=_STEPS * len(one))[0]
    except RuntimeError:  # too many steps: any row is a point of the hull
        shortest = int(np.einsum("ij,ij->i", Z, Z).argmin())
        return Nearest(Z[shortest], np.array([shortest]), np.ones(1))
    rows = np.flatnonzero(c)
    Q, _ = np.linalg.qr(A[:, rows])
    rest, sizes = one, [1.0]
    for _ in range(2):
        rest = rest - Q @ (Q.T @ rest)
        sizes.append(float(rest @ rest))
    found = sizes[2] > max(_ROUNDING**2, 0.25 * sizes[1])
    point = -rest[1:] / (1 - rest[0]) if found else np.zeros(Z.shape[1])
    return Nearest(point, rows, c[rows] / c.sum())


def nearest(
    Z: FloatArray, *, gap: float = 1e-9, hint: FloatArray | None = None
) -> Nearest:
    """Return the point of the convex hull of rows that is nearest to the origin.

    Parameters
    ----------
    Z
        The rows.
    gap
        How far apart the two sides of eq. (2) may be, relatively. Rounding may not
        let it be reached.
    hint
        A vector with large products with all rows, if one is known: the rows with the
        least ones are looked at first.

    Examples
    --------
    >>> nearest(np.array([[2.0, 0.0], [0.0, 2.0], [3.0, 3.0]])).point
    array([1., 1.])
    """
    Z = np.require(Z, np.float64, ["C", "A"])
    _, power = np.frexp(np.abs(Z).max())
    Z = np.ldexp(Z, -power)
    squares = np.einsum("ij,ij->i", Z, Z)
    work = np.arange(len(Z))
    if len(Z) > _FIRST:
        fields = squares if hint is None else Z @ hint
        work = np.argpartition(fields, _FIRST)[:_FIRST]
        work = np.union1d(work, squares.argmin())
    before = math.inf
    while True:
        with one_thread():
            found = _solved(Z[work])
        used, square = work[found.rows], float(found.point @ found.point)
        fields = Z @ found.point
        out = np.flatnonzero(fields < (1 - gap) * square)
        out = np.setdiff1d(out, work, assume_unique=True)
        if not out.size or not square < before:
            return Nearest(np.ldexp(found.point, power), used, found.shares)
        before = square
        if out.size > _JOIN:
            out = out[np.argpartition(fields[out], _JOIN)[:_JOIN]]
        work = np.concatenate([used, out])


Vector = list[Fraction]


class Exact(NamedTuple):
    """The nearest point, exactly."""

    point: Vector
    rows: list[int]
    shares: Vector


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _solution(equations: Iterable[Sequence[Fraction]]) -> Vector | None:
    """Return what solves all equations, right sides last; None if not one vector does.

    Elimination without fractions: each entry stays a determinant of given numbers.
    """
    rows: list[list[int]] = []
    for equation in equations:
        common = math.lcm(*(entry.denominator for entry in equation))
        rows.append([int(entry * common) for entry in equation])
    size, last = len(rows[0]) - 1, 1
    for k in range(size):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = rows[k]
        for row in rows[k + 1 :]:
            factor = row[k]
            for j in range(k, size + 1):
                row[j] = (head[k] * row[j] - factor * head[j]) // last
        last = head[k]
    if any(row[size] for row in rows[size:]):
        return None  # a contradiction
    found = [Fraction(0)] * size
    for k in range(size - 1, -1, -1):
        rest = sum((rows[k][j] * found[j] for j in range(k + 1, size)), Fraction(0))
        found[k] = (rows[k][size] - rest) / rows[k][k]
    return found


def _affine(rows: list[Vector]) -> Vector:
    """Return the shares of the shortest point of the affine hull."""
    shares = _solution([*(1 + _dot(a, b) for b in rows), Fraction(1)] for a in rows)
    assert shares is not None  # rows are affinely independent
    total = sum(shares)
    return [share / total for share in shares]


def exact_nearest(Z: list[Vector]) -> Exact:
    """Return the point of the convex hull of rows that is nearest to the origin.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> exact_nearest([[half, half], [half, -half]])
    Exact(point=[Fraction(1, 2), Fraction(0, 1)], rows=[0, 1],
          shares=[Fraction(1, 2), Fraction(1, 2)])
    """
    first = min(range(len(Z)), key=lambda i: _dot(Z[i], Z[i]))
    rows, shares = [first], [Fraction(1)]
    while True:
        while True:
            aim = _affine([Z[i] for i in rows])
            steps = [
                c / (c - a) for c, a in zip(shares, aim, strict=True) if a <= 0 < c
            ]
            step = min([Fraction(1), *steps])
            shares = [c + step * (a - c) for c, a in zip(shares, aim, strict=True)]
            if min(shares) > 0:
                break
            rows = [i for i, c in zip(rows, shares, strict=True) if c > 0]
            shares = [c for c in shares if c > 0]
            if step == 1:
                break
        point = [
            sum((c * Z[i][j] for i, c in zip(rows, shares, strict=True)), Fraction(0))
            for j in range(len(Z[0]))
        ]
        worst = min(range(len(Z)), key=lambda i: _dot(Z[i], point))
        if _dot(Z[worst], point) >= _dot(point, point):
            return Exact(point, rows, shares)
        rows.append(worst)
        shares.append(Fraction(0))


_UNIT = np.finfo(np.float64).eps / 2
_TINY = np.finfo(np.float64).tiny  # covers what underflows
_MANY = 50_000  # entries that fractions are used for though no sign is in doubt
_LARGEST = 12_000  # entries of equations that are solved in whole numbers: seconds


def _growth(terms: int) -> float:
    """Return gamma_n, with room for the rounding of the bound itself."""
    return 2.0 * (terms + 2) * _UNIT


def _exact_product(z: FloatArray, w: Iterable[float | Fraction]) -> Fraction:
    terms = zip(z.tolist(), w, strict=True)
    return sum((Fraction(a) * Fraction(b) for a, b in terms), Fraction(0))


def least_product(Z: FloatArray, w: FloatArray) -> float:
    """Return the least product of a vector with any row; its sign is beyond doubt.

    If positive it is exact, or a lower bound where too many rows come near it.
    Columns and vector are scaled by powers of two, so that nothing overflows. Numbers
    that underflow are smaller than the check allows for.

    Examples
    --------
    >>> least_product(np.array([[1.0, 1.0], [0.1, 0.2]]), np.array([2.0, -1.0]))
    0.0
    """
    _, power = np.frexp(np.abs(Z).max(axis=0))
    _, size = np.frexp(w)
    scale = int((size + power)[w != 0].max(initial=-2000))
    A, v = np.ldexp(Z, -power), np.ldexp(w, power - scale)  # both at most 1
    fields = A @ v
    doubt = _growth(w.size) * (np.abs(A) @ np.abs(v)) + w.size * _TINY
    if (fields < -doubt).any():
        least = float(fields.min())
    else:
        # Rows that may have the least one, and all whose sign is open.
        close = (fields - doubt <= (fields + doubt).min()) | (fields <= doubt)
        if np.count_nonzero(close) * w.size > _MANY:
            close = fields <= doubt
        least = min(
            float((fields - doubt)[~close].min(initial=math.inf)),
            *(_rounded(_exact_product(z, w.tolist()), scale) for z in Z[close]),
            math.inf,
        )
    with np.errstate(over="ignore"):
        return float(np.ldexp(least, scale))


def rows_below(Z: FloatArray, w: Sequence[Fraction], bound: Fraction) -> IntArray:
    """Return the rows whose exact product with a vector is below a bound.

    The lowest products come first. Floating-point numbers decide where their rounding
    errors leave no doubt, as in :func:`least_product`.

    Examples
    --------
    >>> Z = np.array([[1.0, 0.0], [0.1, 0.2], [-1.0, 0.0]])
    >>> rows_below(Z, [Fraction(2), Fraction(-1)], Fraction(1, 10**30)).tolist()
    [2, 1]
    """
    _, power = np.frexp(np.abs(Z).max(axis=0))
    scaled = [b * Fraction(2) ** int(p) for b, p in zip(w, power, strict=True)]
    largest = max(abs(b) for b in scaled) or Fraction(1)
    A, v = np.ldexp(Z, -power), np.array([float(b / largest) for b in scaled])
    limit = float(bound / largest)
    fields = A @ v
    size = len(w) + 2  # one more rounding of each entry of the vector, and the limit
    doubt = _growth(size) * (np.abs(A) @ np.abs(v) + abs(limit)) + size * _TINY
    open_rows = np.flatnonzero(fields - doubt < limit)
    below = [
        fields[i] + doubt[i] < limit or _exact_product(Z[i], w) < bound
        for i in open_rows
    ]
    rows = open_rows[np.array(below, dtype=bool)]
    return np.asarray(rows[np.argsort(fields[rows], kind="stable")])


def _rounded(value: Fraction, scale: int) -> float:
    """Return the value over a power of two, not zero unless it is."""
    scaled = value / Fraction(2) ** scale
    return math.copysign(max(abs(float(scaled)), _TINY), scaled) if scaled else 0.0


def _equations(Z: FloatArray) -> FloatArray | None:
    """Return the different equations that shares of rows obey, the sum first.

    Columns that are zero, or a copy of another up to a sign, say nothing new. Each is
    scaled by a power of two; None if that rounds something.
    """
    columns = Z.T[np.abs(Z).max(axis=0) > 0]
    _, exponents = np.frexp(np.abs(columns).max(axis=1, initial=0.0))
    scaled = np.ldexp(columns, -exponents[:, None])
    if (np.ldexp(scaled, exponents[:, None]) != columns).any():
        return None
    first = np.argmax(scaled != 0, axis=1)
    signs = np.sign(np.take_along_axis(scaled, first[:, None], axis=1))
    scaled = np.unique(scaled * signs, axis=0) if len(scaled) else scaled
    return np.vstack([np.ones(len(Z)), scaled])


def _enclosed(A: FloatArray) -> FloatArray | None:
    """Return the solution of the equations if it is positive beyond rounding errors."""
    size = len(A)
    right = np.zeros(size)
    right[0] = 1.0
    try:
        B = np.linalg.inv(A)
    except np.linalg.LinAlgError:
        return None
    shares: FloatArray = B @ right
    grow = _growth(size)
    both = np.abs(B) @ np.abs(A)
    defect = (np.abs(np.eye(size) - B @ A) + grow * (both + 1)).sum(axis=1).max()
    residual = np.abs(right - A @ shares) + grow * (np.abs(A) @ np.abs(shares) + right)
    if not defect < 0.5:
        return None
    error = (1 + grow) * (np.abs(B) @ residual).max() / (1 - defect)
    return shares if shares.min() > 1.01 * error else None  # 1.01: of this line


def exact_shares(Z: FloatArray) -> Vector | None:
    """Return the only shares of sum 1 that combine rows to zero; None if not unique.

    Examples
    --------
    >>> exact_shares(np.array([[1.0, 0.5], [-2.0, -1.0]]))
    [Fraction(2, 3), Fraction(1, 3)]
    """
    A = _equations(Z)
    if A is None or len(A) < len(Z):
        return None
    right = np.eye(len(A), 1)
    return _solution([*map(Fraction, row)] for row in np.hstack([A, right]).tolist())


def zero_shares(Z: FloatArray) -> FloatArray | None:
    """Return shares that combine rows to zero, rounded; None if none were proved.

    They are not negative and have the sum 1.

    Examples
    --------
    >>> zero_shares(np.array([[0.25], [-0.75]]))
    array([0.75, 0.25])
    """
    A = _equations(Z)
    if A is None:
        return None
    if len(A) == len(Z):
        enclosed = _enclosed(A)
        if enclosed is not None:
            return enclosed
    if len(A) < len(Z) or A.size > _LARGEST:
        return None
    exact = exact_shares(Z)
    if exact is None or min(exact) < 0:
        return None
    return np.array([float(share) for share in exact])


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
    >>> from rosenblatt.linear.separation import separability
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
    data = numbers("X", X)
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
    check(data)
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


_TINY_SHARE = 1e-9  # of the largest, that may be nothing but rounding
_COLUMNS = 16  # and rows ...
_ROWS = 400  # ... that fractions are used for: about a second
_FACTORS = range(1, 64, 2)  # by which an exact vector is multiplied before rounding


class Answer(NamedTuple):
    """A separating vector and its margin, or rows and shares; neither if undecided.

    The separator is the vector in fractions. The vector is missing if the separator
    cannot be rounded to floating-point numbers that separate.
    """

    vector: FloatArray | None = None
    separator: tuple[Fraction, ...] = ()
    margin: float = 0.0
    rows: IntArray | None = None
    shares: FloatArray | None = None


def _vector(Z: FloatArray, *vectors: FloatArray) -> Answer | None:
    """Return the vector of length 1 with the largest margin, if any separates.

    If rounding to length 1 is what spoils it, its length is between 1 and 2.
    """
    best = Answer()
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
                if best.vector is None or margin > best.margin:
                    best = Answer(w, tuple(map(Fraction, w.tolist())), margin)
                break
    return best if best.vector is not None else None


def _shares(Z: FloatArray, rows: IntArray, shares: FloatArray) -> Answer | None:
    """Return a proof by shares, or None; leave out tiny shares if possible."""
    for least in (_TINY_SHARE * shares.max(), 0.0):
        used = rows[shares > least]
        proved = zero_shares(Z[used])
        if proved is not None:
            return Answer(rows=used[proved > 0], shares=proved[proved > 0])
        if used.size == rows.size:
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
    _, size = np.frexp(found.point)
    largest = (size - power)[found.point != 0].max(initial=-9999)
    w = np.ldexp(found.point, -power - largest)
    if fit_intercept:
        w[-1] -= w @ middle
    # Shares of the scaled rows, as shares of the rows themselves.
    _, most = np.frexp(np.ldexp(found.shares, -rows[found.rows]).max())
    shares = np.ldexp(found.shares, -rows[found.rows] - most)
    return found._replace(shares=shares / shares.sum()), w


def _in_fractions(Z: FloatArray, w: FloatArray) -> Answer | None:
    """Return what exact arithmetic finds, if it does not take too long.

    It begins with the rows that ``w`` does not clearly classify, and adds rows that
    turn out to be on the wrong side.
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
            return Answer(rows=rows, shares=np.array([float(c) for c in exact.shares]))
        largest = max(abs(p) for p in exact.point)
        point = tuple(p / largest for p in exact.point)
        for factor in _FACTORS:
            found = _vector(Z, np.array([float(p * factor) for p in point]))
            if found is not None:
                return found
        square = sum((p * p for p in exact.point), Fraction(0))
        nearer = rows_below(Z, exact.point, square)
        if not nearer.size:  # the nearest point of all rows: it has the largest margin
            length = float(np.linalg.norm([float(p) for p in point]))
            return Answer(separator=point, margin=length * float(largest))
        active += nearer[: len(active)].tolist()
    return None


def decide(
    Z: FloatArray, found: Nearest, guess: FloatArray, fit_intercept: bool
) -> Answer:
    """Return the first answer with a proof.

    Parameters
    ----------
    Z
        The rows ``sign * (x, 1)``.
    found
        The point of their hull that is nearest to the origin, in any scale.
    guess
        Another vector that may separate them.
    fit_intercept
        Whether the last column is the constant input.
    """
    answer = _vector(Z, found.point, guess)
    answer = answer or _shares(Z, found.rows, found.shares)
    if answer is None:
        other, w = _balanced(Z, fit_intercept)
        answer = (
            _vector(Z, w) or _shares(Z, other.rows, other.shares) or _in_fractions(Z, w)
        )
    return answer or Answer()


class Presentation(NamedTuple):
    """An example, and the update that it causes."""

    row: int
    stability: float  # sign * field, before; an error if it is not positive
    weights: tuple[float, ...]  # after it; an intercept comes last


class Cycle(NamedTuple):
    """States that repeat for ever."""

    first: int  # passes before it begins
    passes: int  # its length
    start: tuple[float, ...]  # weights at its beginning and end
    presentations: tuple[Presentation, ...]

    @property
    def errors(self) -> int:
        """Errors in one round of the cycle; none if the examples are learned."""
        return sum(one.stability <= 0 for one in self.presentations)

    def __str__(self) -> str:
        lines = [f"after {self.first} passes, for ever: weights {list(self.start)}"]
        for one in self.presentations:
            what = "error" if one.stability <= 0 else "right"
            lines.append(
                f"  example {one.row}, stability {one.stability:g}: {what}, "
                f"weights {list(one.weights)}"
            )
        return "\n".join(lines)


def perceptron_cycle(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    fit_intercept: bool = True,
    passes: int = 1000,
) -> Cycle | None:
    """Present examples in their order until weights repeat; None if they do not.

    Parameters
    ----------
    X, y
        The examples, of two classes, the last of which counts as +1.
    fit_intercept
        Whether there is a constant input 1 besides.
    passes
        When to give up.

    Examples
    --------
    >>> print(perceptron_cycle([[1.0], [1.0]], [1, -1], fit_intercept=False))
    after 0 passes, for ever: weights [0.0]
      example 0, stability 0: error, weights [1.0]
      example 1, stability -1: error, weights [0.0]
    """
    passes = whole("passes", passes, low=1)
    Z, _ = signed(X, y, fit_intercept=fit_intercept)
    w = np.zeros(Z.shape[1])
    seen: dict[tuple[float, ...], int] = {}
    history: list[Presentation] = []
    for count in range(passes + 1):
        state = tuple(w.tolist())
        if state in seen:
            first = seen[state]
            shown = tuple(history[first * len(Z) :])
            return Cycle(first, count - first, state, shown)
        seen[state] = count
        for row, z in enumerate(Z):
            stability = float(w @ z)
            if stability <= 0:
                w = w + z
            history.append(Presentation(row, stability, tuple(w.tolist())))
    return None
