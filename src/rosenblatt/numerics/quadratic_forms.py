r"""The probability that a quadratic form of Gaussian variables is negative.

For standard normal :math:`z`,

.. math:: P(h < 0), \qquad h = z^T A z + b^T z + c.  \tag{1}

For two variables, along a ray :math:`z = r u`, the form is
:math:`\alpha r^2 + \beta r + c`,
and the radius lies beyond :math:`r` with probability :math:`e^{-r^2/2}`. So with
:math:`c \ge 0`, by symmetry,

.. math:: P(h < 0) = \frac{1}{2\pi} \int_0^{2\pi}
    \left[e^{-r_1^2/2} - e^{-r_2^2/2}\right] d\theta,  \tag{2}

where :math:`r_1, r_2` are the ends of the ray's part with :math:`h < 0`. Nothing is
subtracted from 1, so that small probabilities have full relative accuracy. Where a ray
touches the boundary, at the zeros of the discriminant
:math:`u^T (b b^T - 4 c A) u`, the integrand begins as a square root. Panels end there,
and :math:`\theta` goes as a sine across each of them.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import inlined, kernel
from rosenblatt.core.types import FloatArray

# The pair of Gauss (7) and Kronrod (15) on [-1, 1]: nodes and both weights, from 0 on.
_NODES = np.array(
    [
        0.0, 0.207784955007898468, 0.405845151377397167, 0.586087235467691130,
        0.741531185599394440, 0.864864423359769073, 0.949107912342758525,
        0.991455371120812640,
    ]
)  # fmt: skip
_KRONROD = np.array(
    [
        0.209482141084727828, 0.204432940075298892, 0.190350578064785410,
        0.169004726639267903, 0.140653259715525919, 0.104790010322250184,
        0.063092092629978553, 0.022935322010529225,
    ]
)  # fmt: skip
_GAUSS = np.array(
    [
        0.417959183673469388, 0.0, 0.381830050505118945, 0.0, 0.279705391489276668, 0.0,
        0.129484966168869693, 0.0,
    ]
)  # fmt: skip
_PIECES = 12  # panels of a range of directions before any is halved
_DEEPEST = 40  # halvings of a panel
# Gauss and Kronrod may differ by so much on a panel, relative to the whole integral:
# the latter is then off by much less.
_CLOSE = 1e-9


@inlined
def _ray(a: FloatArray, theta: float) -> float:
    """Return the integrand of eq. (2); ``a`` has A11, A12, A22, b1, b2 and c >= 0."""
    x, y = math.cos(theta), math.sin(theta)
    alpha = a[0] * x * x + 2.0 * a[1] * x * y + a[2] * y * y
    beta = a[3] * x + a[4] * y
    discriminant = beta * beta - 4.0 * alpha * a[5]
    if discriminant < 0.0:
        return 0.0
    root = math.sqrt(discriminant)
    if beta > 0.0:
        if alpha >= 0.0:
            return 0.0
        near = -0.5 * (beta + root) / alpha
        return math.exp(-0.5 * near * near)
    larger = 0.5 * (root - beta)
    if larger == 0.0:  # beta and c are zero
        return 1.0 if alpha < 0.0 else 0.0
    near = a[5] / larger
    below = math.exp(-0.5 * near * near)
    if alpha <= 0.0:
        return below
    far = larger / alpha
    return -below * math.expm1(0.5 * (near - far) * (near + far))


@inlined
def _panel(
    a: FloatArray, middle: float, half: float, left: float, right: float
) -> tuple[float, float]:
    """Return the integral over part of a panel, and the difference of two rules."""
    center, reach = 0.5 * (left + right), 0.5 * (right - left)
    gauss, kronrod = 0.0, 0.0
    for i in range(_NODES.size):
        for side in range(2 if i > 0 else 1):
            t = center + reach * (_NODES[i] if side == 0 else -_NODES[i])
            value = _ray(a, middle + half * math.sin(t)) * half * math.cos(t)
            gauss += _GAUSS[i] * value
            kronrod += _KRONROD[i] * value
    return reach * kronrod, reach * abs(kronrod - gauss)


@inlined
def _halved(
    a: FloatArray,
    middle: float,
    half: float,
    lefts: FloatArray,
    rights: FloatArray,
    close: float,
) -> float:
    """Return the integral over a panel, halved until two rules are close."""
    total, waiting = 0.0, 1
    while waiting > 0:
        waiting -= 1
        left, right = lefts[waiting], rights[waiting]
        value, apart = _panel(a, middle, half, left, right)
        if apart <= close or waiting >= _DEEPEST:
            total += value
            continue
        center = 0.5 * (left + right)
        lefts[waiting], rights[waiting] = center, right
        lefts[waiting + 1], rights[waiting + 1] = left, center
        waiting += 2
    return total


@kernel(allocates=True)
def _plane(forms: types.Matrix, out: types.Vector) -> None:
    """Integrate eq. (2) for each form."""
    lefts, rights = np.empty(_DEEPEST + 2), np.empty(_DEEPEST + 2)
    values, aparts = np.empty((2, _PIECES)), np.empty((2, _PIECES))
    cuts = np.linspace(-0.5 * math.pi, 0.5 * math.pi, _PIECES + 1)
    for n in range(len(forms)):
        a = forms[n].copy()
        turned = a[5] < 0.0
        if turned:
            a = -a
        # The discriminant is mean + swing * cos(2 (theta - highest)): there are two
        # ranges of directions, opposite to each other, in which it is not negative.
        m11, m12 = a[3] * a[3] - 4.0 * a[5] * a[0], a[3] * a[4] - 4.0 * a[5] * a[1]
        m22 = a[4] * a[4] - 4.0 * a[5] * a[2]
        mean, swing = 0.5 * (m11 + m22), math.hypot(0.5 * (m11 - m22), m12)
        highest = 0.5 * math.atan2(m12, 0.5 * (m11 - m22))
        half = 0.5 * math.pi if mean >= 0.0 else 0.0
        if abs(mean) < swing:
            half = 0.5 * math.acos(-mean / swing)
        total = 0.0
        for side in range(2 if half > 0.0 else 0):
            for i in range(_PIECES):
                values[side, i], aparts[side, i] = _panel(
                    a, highest + math.pi * side, half, cuts[i], cuts[i + 1]
                )
                total += values[side, i]
        close = _CLOSE * total
        for side in range(2 if half > 0.0 else 0):
            for i in range(_PIECES):
                if aparts[side, i] > close:
                    lefts[0], rights[0] = cuts[i], cuts[i + 1]
                    middle = highest + math.pi * side
                    better = _halved(a, middle, half, lefts, rights, close)
                    total += better - values[side, i]
        total /= 2.0 * math.pi
        out[n] = 1.0 - total if turned else total


def negative(A: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Return eq. (1) for forms of one or two variables.

    Parameters
    ----------
    A, b, c
        Symmetric matrices, vectors and numbers; all dimensions but the last two of A,
        and the last of b, are those of the result. A form that is zero everywhere is
        negative with probability 1/2.

    Examples
    --------
    >>> outside = negative(-np.eye(2), np.zeros(2), np.array(9.0))
    >>> float(outside), math.exp(-4.5)
    (0.011108996538242..., 0.011108996538242...)
    """
    dim = b.shape[-1]
    if dim > 2:
        raise ValueError(f"b must have one or two components, got {dim}")
    forms = np.zeros((*c.shape, 6))
    forms[..., 0], forms[..., 3], forms[..., 5] = A[..., 0, 0], b[..., 0], c
    if dim == 2:
        forms[..., 1], forms[..., 2] = A[..., 0, 1], A[..., 1, 1]
        forms[..., 4] = b[..., 1]
    # Only signs matter: no square of what follows may overflow or vanish.
    largest = np.abs(forms).max(axis=-1)
    forms /= np.where(largest > 0, largest, 1.0)[..., None]
    found = np.empty(c.size)
    _plane(forms.reshape(-1, 6), found)
    return np.where(largest > 0, found.reshape(c.shape), 0.5)
