r"""Gaussian averages of the error function in closed form.

Fields :math:`u` have zero mean and covariance :math:`C`, and
:math:`g(u) = \operatorname{erf}(u / \sqrt 2)`. With :math:`A = 1 + C_{11}` and so on,
:cite:t:`saad1995` give

.. math::

    \langle g(u_1) g(u_2) \rangle &= \frac{2}{\pi} \arcsin
        \frac{C_{12}}{\sqrt{(1 + C_{11}) (1 + C_{22})}},  \tag{1} \\
    \langle g'(u_1)\, u_2\, g(u_3) \rangle &= \frac{2}{\pi \sqrt{\Lambda_3}}
        \left( C_{23} - \frac{C_{12} C_{13}}{1 + C_{11}} \right),  \tag{2} \\
    \langle g'(u_1) g'(u_2) g(u_3) g(u_4) \rangle &= \frac{4}{\pi^2 \sqrt{\Lambda_4}}
        \arcsin \frac{\Lambda_0}{\sqrt{\Lambda_1 \Lambda_2}},  \tag{3}

with :math:`\Lambda_3 = (1 + C_{11}) (1 + C_{33}) - C_{13}^2` and
:math:`\Lambda_4 = (1 + C_{11}) (1 + C_{22}) - C_{12}^2`. In eq. (3) the factors
:math:`g'` change the covariance of :math:`u_3` and :math:`u_4` to :math:`D`, the Schur
complement, and eq. (1) with :math:`D` is left: :math:`\Lambda_0 = \Lambda_4 D_{34}`,
:math:`\Lambda_1 = \Lambda_4 (1 + D_{33})`, :math:`\Lambda_2 = \Lambda_4 (1 + D_{44})`.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.committees.averages.results import Averages
from rosenblatt.core.types import FloatArray

__all__ = ["averages", "products"]


def products(c: FloatArray) -> FloatArray:
    """Return eq. (1) for all pairs of fields; leading axes are kept."""
    d = 1 + np.diagonal(c, axis1=-2, axis2=-1)
    return np.asarray(
        2 / np.pi * np.arcsin(c / np.sqrt(d[..., :, None] * d[..., None, :]))
    )


def averages(c: FloatArray, signs: FloatArray, students: int) -> Averages:
    """Return the averages of the error with these signs, for the first fields."""
    own = slice(students)
    d = 1 + c.diagonal()
    cross = c[own]  # (1, any)
    # eq. (2) for 1 = i, 3 = f: factors of C_2f
    root = np.sqrt(d[own, None] * d - cross**2)
    gradient = 2 / np.pi * signs / root  # (i, f)
    gradient[:, own] -= np.diag((gradient * cross).sum(axis=1) / d[own])
    # eq. (3) for 1 = i, 2 = k, 3 and 4 = f and f'
    q = c[own, own]
    det = d[own, None] * d[own] - q**2  # Lambda_4, (i, k)
    first, second = cross[:, None, :], cross[None, :, :]  # C_1f and C_2f
    # C_f. S^-1 for the 2 x 2 block S = [[1 + C_11, C_12], [C_12, 1 + C_22]]
    left = (d[own][None, :, None] * first - q[..., None] * second) / det[..., None]
    right = (d[own][:, None, None] * second - q[..., None] * first) / det[..., None]
    schur = (
        c
        - left[..., :, None] * first[..., None, :]
        - right[..., :, None] * second[..., None, :]
    )
    slopes = 2 / np.pi / np.sqrt(det)
    squares = slopes * (products(schur) @ signs @ signs)
    return Averages(gradient, squares, slopes)
