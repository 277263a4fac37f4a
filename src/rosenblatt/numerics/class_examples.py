r"""Labelled examples of two Gaussian classes, drawn in kernels.

Class :math:`k`, of label -1 or +1, has inputs :math:`s = \mu_k + L_k z` with standard
normal :math:`z`. What a learner sees are features,

.. math:: x = (s_1, \ldots, s_d;\; s_1^2, \ldots, s_d^2;\;
    s_1 s_2, s_1 s_3, \ldots, s_{d-1} s_d;\; c),  \tag{1}

with the squares and products for degree 2 only, and a constant :math:`c`. Numbers of
an example depend on its number and the generator alone; they are drawn in blocks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import types
from rosenblatt.compiling.jit import kernel
from rosenblatt.core.types import FloatArray, Words
from rosenblatt.numerics.random import normals64, uniforms

__all__ = ["BLOCK", "EACH", "ROLES", "TESTS", "ClassLaw", "draw_features"]

BLOCK = 1024  # examples drawn at a time: even, and small enough for the inner cache
# A replica's generators: inputs and labels of what is learnt, and of tests.
TESTS, ROLES = 2, 4
EACH = -1.0  # in place of a prior: labels -1 and +1 take turns

_f = types.float64


class ClassLaw(NamedTuple):
    """Law of the features and labels of two classes."""

    means: FloatArray  # (class, component)
    roots: FloatArray  # (class, component, component), of the covariances
    prior: float  # of the label +1, or EACH
    degree: int
    constant: float


_i = types.int64
_LAW = types.structure(ClassLaw, _f[:, ::1], _f[:, :, ::1], _f, _i, _f)


@kernel(types.void, types.uint64[:, ::1], _LAW, _i, _f[:, ::1], _f[::1], allocates=True)
def draw_features(
    words: Words, law: ClassLaw, first: int, X: FloatArray, labels: FloatArray
) -> None:
    """Fill whole blocks with eq. (1); ``first`` is the number of the first block.

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
