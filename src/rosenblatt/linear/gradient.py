r"""The squared error of smooth outputs over a set of examples, with its derivatives.

For an output :math:`f` of the field :math:`h = w \cdot x` and targets :math:`t`, the
mean over examples (each counted as often as it is repeated) is

.. math:: \bar e(w) = \tfrac12 \langle [t - f(h)]^2 \rangle, \qquad
    \nabla \bar e = - \langle [t - f(h)] f'(h)\, x \rangle,   \tag{1}

.. math:: \nabla \nabla \bar e =
    \langle \{f'(h)^2 - [t - f(h)] f''(h)\}\, x x^\top \rangle.   \tag{2}

The cost :math:`E` of :cite:t:`seung2002`, section 1, is :math:`m \bar e` for
:math:`m` examples, so that a rate :math:`\eta` there is one of :math:`m \eta` here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.compiling.jit import activations
from rosenblatt.core import Activation
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.system.threads import interruptible

__all__ = ["Batch", "batch", "hessian", "outputs"]

_CHANGE = 1e-5  # of a field, for f'': rounding and the next order both give 1e-10


class Batch(NamedTuple):
    """Averages over all examples, one for each learner."""

    cost: FloatArray  # eq. (1)
    gradient: FloatArray  # eq. (1), shape (learners, weights)
    slope: FloatArray  # of f, on average
    mistakes: FloatArray  # examples on the wrong side, ties included


def outputs(
    activation: Activation, fields: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return outputs and their slopes for an array of fields.

    Examples
    --------
    >>> from rosenblatt.rules import Logistic
    >>> outputs(Logistic(), np.array([0.0]))
    (array([0.5]), array([0.25]))
    """
    given = np.ascontiguousarray(fields, dtype=np.float64)
    values, slopes = np.empty((2, *given.shape))
    fill = activations(activation)
    with np.errstate(all="ignore"):  # as compiled code: callers check the numbers
        interruptible(lambda: fill(given.ravel(), values.ravel(), slopes.ravel()))
    return values, slopes


def _fields(X: Any, weights: FloatArray) -> FloatArray:
    """Return w.x; w may have one entry more, that of a constant input 1."""
    features = X.shape[1]
    fields = X @ weights[:, :features].T + weights[:, features:].sum(axis=1)
    return np.asarray(fields)


def _targets(activation: Activation, labels: FloatArray) -> FloatArray:
    low, high = activation.targets
    return np.where(labels > 0, high, low)


def batch(
    activation: Activation,
    X: Any,
    labels: FloatArray,
    weights: FloatArray,
    repeats: FloatArray | IntArray,
) -> Batch:
    """Return cost and gradient of some learners on the same examples.

    Parameters
    ----------
    activation
        The output.
    X
        One example a row, an array or a CSR matrix.
    labels
        -1 or +1 for each example and learner, shape (examples, learners).
    weights
        The weights of each learner, shape (learners, columns of X); one more column is
        for an intercept.
    repeats
        How often each example counts; not all zero.

    Examples
    --------
    >>> from rosenblatt.rules import Linear
    >>> one, labels = np.array([[2.0]]), np.array([[1.0]])
    >>> batch(Linear(), one, labels, np.array([[0.0]]), np.array([1]))[:2]
    (array([0.5]), array([[-2.]]))
    """
    fields = _fields(X, weights)
    values, slopes = outputs(activation, fields)
    share = repeats / repeats.sum()
    missing = _targets(activation, labels) - values
    pull = share[:, None] * missing * slopes
    gradient = np.empty(weights.shape)
    gradient[:, : X.shape[1]] = -(pull.T @ X)
    gradient[:, X.shape[1] :] = -pull.sum(axis=0)[:, None]
    wrong = labels * fields <= 0
    return Batch(
        0.5 * share @ missing**2,
        gradient,
        share @ slopes,
        repeats @ wrong.astype(float),
    )


def hessian(
    activation: Activation, X: FloatArray, labels: FloatArray, weights: FloatArray
) -> FloatArray:
    """Return eq. (2) for one learner; f'' is a difference of slopes.

    Examples
    --------
    >>> from rosenblatt.rules import Linear
        >>> X = np.array([[1.0, 0.0], [0.0, 3.0]])
    >>> hessian(Linear(), X, np.array([1.0, 1.0]), np.zeros(2))
    array([[0.5, 0. ],
           [0. , 4.5]])
    """
    fields = _fields(X, weights[None])[:, 0]
    values, slopes = outputs(activation, fields)
    above, below = (outputs(activation, fields + c)[1] for c in (_CHANGE, -_CHANGE))
    missing = _targets(activation, labels) - values
    curve = slopes**2 - missing * (above - below) / (2 * _CHANGE)
    inputs = np.column_stack([X, np.ones((len(X), weights.size - X.shape[1]))])
    return np.asarray((inputs * curve[:, None]).T @ inputs / len(X))
