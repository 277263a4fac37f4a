r"""Averages over examples that the theory of committees needs.

With the error :math:`e = \sum_f c_f\, g(u_f)` over all fields :math:`u`, those of the
student first, they are :math:`\langle g'(u_i)\, e\, u_f \rangle`,
:math:`\langle g'(u_i)\, g'(u_k)\, e^2 \rangle` and
:math:`\langle g'(u_i)\, g'(u_k) \rangle`.
"""

from __future__ import annotations

from typing import NamedTuple

from rosenblatt.core.types import FloatArray

__all__ = ["Averages"]


class Averages(NamedTuple):
    """Averages of a student's units with the error, for one Gram matrix."""

    error_field: FloatArray  # <g'(u_i) e u_f>, (K, K + M)
    squares: FloatArray  # <g'(u_i) g'(u_k) e^2>, (K, K)
    slopes: FloatArray  # <g'(u_i) g'(u_k)>, (K, K)
