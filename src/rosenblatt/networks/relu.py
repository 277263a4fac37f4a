r"""Gaussian averages of rectified fields in closed form.

With the angle :math:`\theta` between two fields, :math:`\cos\theta = c / \sqrt{a b}`,

.. math:: \langle u_+ v_+ \rangle = \frac{\sqrt{a b}}{2 \pi}
    \left[ \sin\theta + (\pi - \theta) \cos\theta \right].  \tag{1}
"""

from __future__ import annotations

import numpy as np

from rosenblatt.core.types import FloatArray

__all__ = ["products"]


def products(c: FloatArray) -> FloatArray:
    """Return eq. (1) for all pairs of fields; leading axes are kept."""
    d = np.diagonal(c, axis1=-2, axis2=-1)
    scale = np.sqrt(d[..., :, None] * d[..., None, :])
    cosine = np.divide(c, scale, out=np.zeros_like(c), where=scale > 0)
    angle = np.arccos(np.clip(cosine, -1, 1))
    found = np.sin(angle) + (np.pi - angle) * cosine
    return np.asarray(scale * found / (2 * np.pi))
