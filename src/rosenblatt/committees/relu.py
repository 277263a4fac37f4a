r"""Gaussian averages of rectified fields, and probabilities of orthants.

Fields are given by vectors, :math:`C_{ab} = a \cdot b`. Two and three fields have
closed forms in their angles (a field of no length is positive with probability 1/2),

.. math:: P(a, b) = \frac{\pi - \theta_{ab}}{2 \pi}, \qquad
    P(a, b, c) = \frac{2 \pi - \theta_{ab} - \theta_{ac} - \theta_{bc}}{4 \pi}. \tag{1}

For four, let the correlations :math:`t\, r_j` of the field :math:`p` with the others
grow from 0 to their values (Plackett). With :math:`\psi = \arcsin(t\, r_j)`,

.. math:: P(p, j, b, c) = \tfrac12 P(j, b, c) + \sum_j \int_0^{\arcsin r_j}
    \frac{d\psi}{2\pi}\, P(b, c \mid p_t = j = 0).  \tag{2}

The lemma of Stein reduces moments to these: with :math:`a' = a \mid x = 0`,

.. math::

    \langle \theta_a \theta_b\, x_+ \rangle &= \frac{1}{\sqrt{2\pi}} \Big[
        \frac{a \cdot x}{|a|} P(b, x \mid a = 0) + \frac{b \cdot x}{|b|}
        P(a, x \mid b = 0) + |x| P(a, b \mid x = 0) \Big],  \tag{3} \\
    \langle \theta_a \theta_b\, x_+ y_+ \rangle &= (x \cdot y)\, P(a, b, x, y)
        + \sum_{k = a, b, x} \frac{k \cdot x}{\sqrt{2\pi} |k|}
        \langle \theta\, \theta\, y_+ \mid k = 0 \rangle,  \tag{4}

where the last average is over the other two of a, b, x. A step is left out if another
factor has it too: a step of no field is 1/2. Angles come from vectors, not from the
covariance, and stay accurate for fields almost alike.

In the integral of eq. (2) only the part of b and c along p changes. With coordinates of
:math:`p, b, c \mid j = 0` that are triangular, it is multiplied by the sine of the
angle between :math:`p_t` and p.

Averages over two fields follow. With their angle :math:`\theta`,
:math:`\cos\theta = c / \sqrt{a b}`,

.. math:: \langle u_+ v_+ \rangle = \frac{\sqrt{a b}}{2 \pi}
    \left[ \sin\theta + (\pi - \theta) \cos\theta \right],  \qquad
    \langle \theta(u)\, \theta(v) \rangle = \frac{\pi - \theta}{2 \pi}.  \tag{5}

All are closed forms but for one integral in one dimension. Beyond the Gram matrices,
where errors of integration and differences lead, all averages are continued linearly.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.committees.averages import (
    Averages,
    continued,
    gradient,
    quadruples,
    sum_squares,
)
from rosenblatt.committees.committee import triangular
from rosenblatt.compiling import inlined, kernel, types
from rosenblatt.compiling.vectors import dot
from rosenblatt.core.types import FloatArray

_NONE = 1e-10  # relative length of a residual that is rounding
_ROOT = math.sqrt(2.0 * math.pi)
_RIGHT = 0.5 * math.pi
SAME, OPPOSITE = 1, -1


def _double_exponential(step: float, count: int) -> FloatArray:
    """Return nodes on (0, 1), their distances from 1, and weights."""
    k = step * np.arange(-count, count + 1)
    far = np.exp(np.pi * np.sinh(k))
    weights = step * np.pi * np.cosh(k) * far / (1 + far) ** 2
    return np.stack([far / (1 + far), 1 / (1 + far), weights])


_RULE = _double_exponential(0.09, 36)  # errors are 1e-12 also at square roots


@inlined
def _apart(a: FloatArray, b: FloatArray) -> tuple[float, float]:
    """Return lengths of difference and sum of the directions; 1 and 1 if one is 0."""
    one, other = math.sqrt(dot(a, a)), math.sqrt(dot(b, b))
    if one == 0.0 or other == 0.0:
        return 1.0, 1.0
    away, along = 0.0, 0.0
    for i in range(a.size):
        x, y = a[i] / one, b[i] / other
        away += (x - y) * (x - y)
        along += (x + y) * (x + y)
    return math.sqrt(away), math.sqrt(along)


@inlined
def _alike(a: FloatArray, b: FloatArray) -> int:
    """Return whether two vectors have the same direction, or opposite ones, or none."""
    away, along = _apart(a, b)
    if away < _NONE:
        return SAME
    return OPPOSITE if along < _NONE else 0


@inlined
def _angle(a: FloatArray, b: FloatArray) -> float:
    """Return the angle of two vectors, a right one if one of them is 0."""
    away, along = _apart(a, b)
    return 2.0 * math.atan2(away, along)


@inlined
def _given(a: FloatArray, k: FloatArray) -> FloatArray:
    """Return the residual of a vector beside another one."""
    rest, own = a.copy(), dot(k, k)
    if own > 0.0:
        share = dot(a, k) / own
        for i in range(a.size):
            rest[i] -= share * k[i]
        if dot(rest, rest) <= _NONE**2 * dot(a, a):
            for i in range(a.size):
                rest[i] = 0.0
    return rest


@inlined
def _pair(a: FloatArray, b: FloatArray) -> float:
    """Return eq. (1) for two fields."""
    return float((math.pi - _angle(a, b)) / (2.0 * math.pi))


@inlined
def _triple(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    """Return eq. (1) for three fields."""
    angles = _angle(a, b) + _angle(a, c) + _angle(b, c)
    return float((2.0 * math.pi - angles) / (4.0 * math.pi))


@inlined
def _rectified(a: FloatArray, b: FloatArray, x: FloatArray) -> float:
    """Return eq. (3); the step of a is left out if that of b is the same."""
    relation, times = _alike(a, b), 1.0
    if OPPOSITE in (relation, _alike(a, x), _alike(b, x)):
        return 0.0
    if relation == SAME:
        a, times = np.zeros_like(a), 2.0  # a step of no field is 1/2
    total = math.sqrt(dot(x, x)) * _pair(_given(a, x), _given(b, x))
    own, other = dot(a, a), dot(b, b)
    if own > 0.0:
        total += dot(a, x) / math.sqrt(own) * _pair(_given(b, a), _given(x, a))
    if other > 0.0:
        total += dot(b, x) / math.sqrt(other) * _pair(_given(a, b), _given(x, b))
    return float(times * total / _ROOT)


@inlined
def _integral(p: FloatArray, j: FloatArray, b: FloatArray, c: FloatArray) -> float:
    """Return the integral of eq. (2) for one j, of vectors of length 1."""
    r, beside = dot(p, j), _given(p, j)
    length = math.sqrt(dot(beside, beside))
    end = math.atan2(r, length)
    if r == 0.0 or length == 0.0:
        return 0.0
    b, c = _given(b, j), _given(c, j)
    b1, c1 = dot(b, beside) / length, dot(c, beside) / length
    b, c = _given(b, beside), _given(c, beside)
    b2 = math.sqrt(dot(b, b))
    c2 = dot(c, b) / b2 if b2 > 0.0 else 0.0
    c = _given(c, b)
    c3, total = math.sqrt(dot(c, c)), 0.0
    for n in range(_RULE.shape[1]):
        psi = end * _RULE[0, n]
        t = math.sin(psi) / r
        rest2 = math.sin(end * _RULE[1, n]) * math.sin(psi + end) / (r * r)
        rest2 = max(rest2, 0.0)
        moved2 = t * t * length * length + rest2
        sine = math.sqrt(rest2 / moved2) if moved2 > 0.0 else 1.0
        x, y = sine * b1, sine * c1
        one, other = math.sqrt(x * x + b2 * b2), math.sqrt(y * y + c2 * c2 + c3 * c3)
        angle = _RIGHT
        if one > _NONE and other > _NONE:
            x, z, y, u, w = x / one, b2 / one, y / other, c2 / other, c3 / other
            away = (x - y) * (x - y) + (z - u) * (z - u) + w * w
            along = (x + y) * (x + y) + (z + u) * (z + u) + w * w
            angle = 2.0 * math.atan2(math.sqrt(away), math.sqrt(along))
        total += _RULE[2, n] * (math.pi - angle)
    return end / (2.0 * math.pi) ** 2 * total


@inlined
def _first(v: FloatArray) -> int:
    """Return the field whose largest correlation with another one is the least."""
    first, least = 0, 2.0
    for f in range(4):
        largest = 0.0
        for g in range(4):
            if g != f:
                largest = max(largest, abs(dot(v[f], v[g])))
        if largest < least:
            first, least = f, largest
    return first


@inlined
def _probability(v: FloatArray) -> float:
    """Return the probability that four fields are all positive, eq. (2)."""
    unit, nothing = np.zeros_like(v), -1
    for f in range(4):
        length = math.sqrt(dot(v[f], v[f]))
        if length > 0.0:
            for i in range(v.shape[1]):
                unit[f, i] = v[f, i] / length
        else:
            nothing = f
    first = nothing if nothing >= 0 else _first(unit)
    p, i, j, k = unit[first], (first + 1) % 4, (first + 2) % 4, (first + 3) % 4
    total = 0.5 * _triple(unit[i], unit[j], unit[k])
    if nothing >= 0:
        return float(total)
    total += _integral(p, unit[i], unit[j], unit[k])
    total += _integral(p, unit[j], unit[i], unit[k])
    return float(total + _integral(p, unit[k], unit[i], unit[j]))


@inlined
def _moment(v: FloatArray) -> float:
    """Return eq. (4) for fields a, b, x, y."""
    x, y = v[2], v[3]
    total = dot(x, y) * _probability(v)
    for k in range(3):
        own = v[k]
        length = math.sqrt(dot(own, own))
        if length > 0.0:
            a, b = _given(v[(k + 1) % 3], own), _given(v[(k + 2) % 3], own)
            share = dot(own, x) / (_ROOT * length)
            total += share * _rectified(a, b, _given(y, own))
    return float(total)


@kernel(allocates=True)
def moments(rows: types.Tensor, out: types.Vector) -> None:
    """Write the averages of two steps and two rectified fields, in rows of vectors."""
    for row in range(len(rows)):
        v, times = rows[row].copy(), 1.0
        for step in range(2):
            again = False
            for other in range(step + 1, 4):
                relation = _alike(v[step], v[other])
                again = again or relation == SAME
                times = 0.0 if relation == OPPOSITE else times
            if again:
                for i in range(v.shape[1]):
                    v[step, i] = 0.0
                times *= 2.0
        if times == 0.0 or _alike(v[2], v[3]) == OPPOSITE:
            out[row] = 0.0
        else:
            out[row] = times * _moment(v)


def _angles(c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return products of lengths, and angles."""
    d = np.diagonal(c, axis1=-2, axis2=-1)
    scale = np.sqrt(d[..., :, None] * d[..., None, :])
    cosine = np.divide(c, scale, out=np.zeros_like(c), where=scale > 0)
    return scale, np.arccos(np.clip(cosine, -1, 1))


def _products(c: FloatArray, scale: FloatArray, angle: FloatArray) -> FloatArray:
    return np.asarray((scale * np.sin(angle) + (np.pi - angle) * c) / (2 * np.pi))


def products(c: FloatArray) -> FloatArray:
    """Return eq. (5) for all pairs of fields; leading axes are kept."""
    return _products(c, *_angles(c))


def averages(c: FloatArray, signs: FloatArray, students: int) -> Averages:
    """Return the averages of the error with these signs; students come first."""
    scale, angle = _angles(c)
    slopes = (np.pi - angle[:students]) / (2 * np.pi)
    # <g'(u_i) u_i g(u_f)> is <g(u_i) g(u_f)> here
    field = gradient(c, signs, _products(c, scale, angle)[:students], slopes)
    rows = quadruples(students, len(c))

    def four(within: FloatArray) -> FloatArray:
        found = np.empty(len(rows))
        moments(triangular(within)[rows], found)
        return found

    squares = sum_squares(continued(four, c), signs, students)
    return Averages(field, squares, slopes[:, :students])
