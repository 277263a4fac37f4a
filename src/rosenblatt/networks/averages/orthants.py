r"""Probabilities that Gaussian fields are positive, and moments of rectified fields.

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

where the last average is over the other two of a, b, x. At most two of the fields may
be multiples of one another, for the product of two steps at 0 to be 1/2. Angles come
from vectors, not from the covariance, and stay accurate for fields almost alike.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rosenblatt.core.types import FloatArray

__all__ = ["moment", "probability", "same"]

BoolArray = npt.NDArray[np.bool_]
_NONE = 1e-10  # relative length of a residual that is rounding
_ROOT = math.sqrt(2.0 * math.pi)


def _double_exponential(step: float, count: int) -> FloatArray:
    """Return nodes on (0, 1), their distances from 1, and weights."""
    k = step * np.arange(-count, count + 1)
    far = np.exp(np.pi * np.sinh(k))
    weights = step * np.pi * np.cosh(k) * far / (1 + far) ** 2
    return np.stack([far / (1 + far), 1 / (1 + far), weights])


_RULE = _double_exponential(0.09, 36)  # errors are 1e-12 also at square roots


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.vecdot(a, b))


def _over(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return a / b, or 0 where b is 0."""
    return np.asarray(a / np.where(b > 0, b, np.inf))


def _unit(a: FloatArray) -> FloatArray:
    return _over(a, np.sqrt(_dot(a, a))[..., None])


def _apart(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return lengths of difference and sum of the directions; both 1 if one is 0."""
    one, other = _unit(a), _unit(b)
    away, along = one - other, one + other
    return np.sqrt(_dot(away, away)), np.sqrt(_dot(along, along))


def same(a: FloatArray, b: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Return where two vectors have the same direction, and where the opposite one."""
    away, along = _apart(a, b)
    some = away**2 + along**2 > 3  # 4, or 2 if one is 0
    return some & (away < _NONE), some & (along < _NONE)


def _angle(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the angle of two vectors, a right one if one of them is 0."""
    away, along = _apart(a, b)
    found = 2 * np.arctan2(away, along)
    return np.asarray(np.where(away + along > 0, found, 0.5 * np.pi))


def _given(a: FloatArray, k: FloatArray) -> FloatArray:
    """Return the residual of a vector beside another one."""
    rest = a - _over(_dot(a, k), _dot(k, k))[..., None] * k
    small = _dot(rest, rest) <= _NONE**2 * _dot(a, a)
    return np.asarray(np.where(small[..., None], 0.0, rest))


def _pair(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return eq. (1) for two fields."""
    return np.asarray((np.pi - _angle(a, b)) / (2 * np.pi))


def _triple(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Return eq. (1) for three fields."""
    angles = _angle(a, b) + _angle(a, c) + _angle(b, c)
    return np.asarray((2 * np.pi - angles) / (4 * np.pi))


def _rectified(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    """Return eq. (3); the step of a is left out if that of b is the same."""
    alike, never = same(a, b)
    never = never | same(a, x)[1] | same(b, x)[1]
    a = np.where(alike[..., None], 0.0, a)  # a step of no field is 1/2
    total = np.sqrt(_dot(x, x)) * _pair(_given(a, x), _given(b, x))
    for k, other in ((a, b), (b, a)):
        share = _over(_dot(k, x), np.sqrt(_dot(k, k)))
        total += share * _pair(_given(other, k), _given(x, k))
    return np.asarray(np.where(never, 0.0, np.where(alike, 2.0, 1.0) * total / _ROOT))


def _four(v: FloatArray) -> FloatArray:
    """Return eq. (2) for rows of four vectors of length 1, none of which is 0."""
    cosines = np.abs(np.einsum("rfj,rgj->rfg", v, v)) - 2 * np.eye(4)
    first = cosines.max(axis=2).argmin(axis=1)  # the least correlated is p
    v = np.take_along_axis(v, ((first[:, None] + np.arange(4)) % 4)[..., None], axis=1)
    p = v[:, 0]
    total = 0.5 * _triple(v[:, 1], v[:, 2], v[:, 3])
    extra = np.zeros((len(v), _RULE.shape[1], 1))
    for j, b, c in ((1, 2, 3), (2, 1, 3), (3, 1, 2)):
        r = _dot(p, v[:, j])[:, None]
        beside = _given(p, v[:, j])
        end = np.arctan2(r, np.sqrt(_dot(beside, beside))[:, None])
        psi, left = end * _RULE[0], end * _RULE[1]
        safe = np.where(r == 0, 1.0, r)
        t = np.sin(psi) / safe
        rest = np.sqrt(np.maximum(np.sin(left) * np.sin(psi + end), 0.0)) / np.abs(safe)
        moved = np.concatenate([t[..., None] * beside[:, None], rest[..., None]], -1)
        others = [
            np.broadcast_to(_given(v[:, k], v[:, j])[:, None], moved[..., :-1].shape)
            for k in (b, c)
        ]
        others = [_given(np.concatenate([k, extra], -1), moved) for k in others]
        total += end[:, 0] / (2 * np.pi) * (_pair(*others) @ _RULE[2])
    return np.asarray(total)


def probability(v: FloatArray) -> FloatArray:
    """Return the probabilities that rows of four fields are all positive."""
    unit = _unit(v)
    none = _dot(unit, unit) == 0
    found = np.empty(len(v))
    some = none.any(axis=1)
    order = np.argsort(~none[some], axis=1, kind="stable")[..., None]
    parts = np.take_along_axis(unit[some], order, axis=1)
    found[some] = 0.5 * _triple(parts[:, 1], parts[:, 2], parts[:, 3])
    found[~some] = _four(unit[~some])
    return found


def moment(v: FloatArray) -> FloatArray:
    """Return eq. (4) for rows of fields a, b, x, y."""
    x, y = v[:, 2], v[:, 3]
    total = _dot(x, y) * probability(v)
    for k, others in ((0, (1, 2)), (1, (2, 0)), (2, (0, 1))):
        own = v[:, k]
        a, b = (_given(v[:, other], own) for other in others)
        share = _over(_dot(own, x), _ROOT * np.sqrt(_dot(own, own)))
        total += share * _rectified(a, b, _given(y, own))
    return np.asarray(total)
