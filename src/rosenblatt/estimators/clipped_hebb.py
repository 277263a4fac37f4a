"""The clipped Hebb rule as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY

import numpy as np

from rosenblatt.bits import unpack
from rosenblatt.core.arguments import flag
from rosenblatt.core.types import IntArray
from rosenblatt.counting.binary_weights import clipped_hebb_weights
from rosenblatt.estimators.bases.counting import CountingClassifier
from rosenblatt.estimators.bases.parameters import parameter, with_parameters
from rosenblatt.estimators.inputs.class_weight import ClassWeight, checked_class_weight
from rosenblatt.estimators.inputs.levels import BINARISE, Binarise

__all__ = ["ClippedHebb"]


@with_parameters
class ClippedHebb(CountingClassifier):
    r"""A perceptron whose weights are the signs of the sums of label times input.

    With inputs and labels :math:`\pm 1` the weights are
    :math:`w_i = \mathrm{sgn} \sum y x_i`, where :math:`\mathrm{sgn}(0) = -1`, and the
    threshold is 0 (:cite:t:`golea1993`, eq. 11). All examples are read once and only
    counted. Their order does not matter, and models of parts of them can be merged
    (:meth:`merge`). With more than two classes each class has a perceptron that
    separates it from the rest.

    The rule is right if every column is high half of the time, independently of the
    others, and the threshold is 0. If columns are rarely high or rarely low, it may
    never find the weights, for any number of examples. :class:`BinaryPerceptron` does,
    and finds a threshold too.

    A ``sample_weight`` of k counts an example k times. If an error is raised, the model
    does not change.

    Parameters
    ----------
    binarise
        The conversion of numbers to two levels, see :class:`BinaryPerceptron`.
    class_weight, warm_start
        See :class:`BinaryPerceptron`.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of shape (1 or n_classes, n_features)
        The weights, -1 or +1.
    threshold_, intercept_ : ndarray of shape (1 or n_classes,)
        Zero.
    n_features_in_ : int
        The number of features.
    t_ : int
        The number of examples seen.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.estimators import ClippedHebb
    >>> X = np.random.default_rng(0).choice([-1, 1], (400, 21))
    >>> y = X @ np.repeat([1, -1], [11, 10]) > 0
    >>> ClippedHebb().fit(X, y).coef_
    array([[ 1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1, -1, -1, -1, -1, -1,
            -1, -1, -1, -1, -1]])
    """

    _: KW_ONLY
    binarise: Binarise = parameter(BINARISE, default="auto")
    class_weight: ClassWeight = parameter(checked_class_weight, default=None)
    warm_start: bool = parameter(flag, default=False)

    @property
    def coef_(self) -> IntArray:
        """The weights."""
        return unpack(self._packed.signs, np.int64)

    @property
    def threshold_(self) -> IntArray:
        """Zero for every model."""
        return np.zeros(len(self._counted.modelled_classes), np.int64)

    def _weights(self) -> IntArray:
        counts = self._counted.weighted(self.class_weight).counts
        return np.stack([clipped_hebb_weights(one) for one in counts])

    def _subtracted(self) -> None:
        """Nothing is subtracted."""
