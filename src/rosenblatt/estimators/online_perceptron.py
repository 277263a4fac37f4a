r"""Any learning rule as a scikit-learn classifier that learns from a stream."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any

import numpy as np

from rosenblatt.core import Rule
from rosenblatt.core.arguments import either, flag, instance
from rosenblatt.estimators.bases.linear import PASSES, LinearClassifier
from rosenblatt.estimators.bases.parameters import parameter, with_parameters
from rosenblatt.estimators.inputs.class_weight import checked_class_weight
from rosenblatt.estimators.inputs.random_state import checked_random_state
from rosenblatt.rules import Perceptron
from rosenblatt.specification.parts import SCHEDULE, ScheduleLike

__all__ = ["OnlinePerceptron"]

_PLAIN = Perceptron()


@with_parameters
class OnlinePerceptron(LinearClassifier):
    """A linear classifier that learns by any rule, one example after the other.

    The weights start at zero, and an update adds ``gain * x``. The clock counts
    examples and mistakes per weight; the intercept is one of the N weights. The clock
    is part of the model. Data in one batch or in many batches give the same weights,
    bit for bit (sparse data and a rule with decay: to rounding). With more than two
    classes each class has its own weights, mistakes and clock. It learns to separate
    itself from the rest.

    A ``sample_weight`` of k presents an example k times in succession; 0 leaves it out.
    For a weight that is not a whole number, the fraction f is one more presentation. It
    makes f times the update, and counts as f examples. If an error is raised, the model
    does not change.

    Parameters
    ----------
    rule
        The learning rule; by default ``Perceptron()``.
    schedule
        The learning rate, or any function of the clock; by default ``Constant(1.0)``.
    fit_intercept
        Whether to learn an intercept, as the weight of a constant input 1.
    max_iter
        The number of passes of ``fit`` over the data; ``partial_fit`` makes one pass.
    shuffle
        Whether each pass of ``fit`` has its own random order. ``partial_fit`` takes the
        rows in their order.
    random_state
        Seed or generator for ``shuffle``.
    class_weight
        A dictionary from labels to weights that multiply ``sample_weight``; classes
        left out have weight 1. ``"balanced"`` weighs classes in inverse proportion to
        their number of examples, for ``fit`` only. None: 1 for all.
    warm_start
        Whether ``fit`` goes on from the weights and the clock of the last call.

    Attributes
    ----------
    classes_ : ndarray
        The labels, sorted.
    coef_ : ndarray of shape (1 or n_classes, n_features)
        The weights.
    intercept_ : ndarray of shape (1 or n_classes,)
        The intercepts, zero without ``fit_intercept``.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of passes of the last ``fit``.
    t_ : int or float
        The number of examples seen, the sum of their weights.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of examples that were on the wrong side of the boundary, ties
        included.

    Notes
    -----
    The rules are meant for inputs of squared length about 1. Without an intercept,
    ``Perceptron()`` and ``Hebb()`` do not depend on the scale of the inputs.

    Dense rows of single precision are learned in single precision, without a copy; the
    intercept is learned in double precision. A decay that changes weights by less than
    1e-7 of their size is lost there. Sparse rows (CSR; other formats are converted) and
    rules with a shift are learned in double precision. A shift makes rows dense, a few
    at a time. ``Perceptron()`` learns the weights of scikit-learn's ``Perceptron``
    without penalty and shuffling, exactly, unless rounding decides on a tie.

    Some rules need more than weights of zero to start from:

    * ``AdaTron()`` corrects in proportion to the field, which is zero. It never leaves
      the start, and ``fit`` warns of that.
    * ``Normalised(rule)`` gives the weights their length at the first update.
    * ``Shifted(rule)`` starts with the sum of ``label * x`` over the first examples, 20
      for each weight. Its rule acts after that. With a uniform shift the intercept
      stays near zero, and ``fit`` warns if the labels are balanced. Neither holds for
      ``AverageShift(uniform=False)``.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from rosenblatt.estimators import OnlinePerceptron
    >>> from rosenblatt.rules import PassiveAggressive
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), OnlinePerceptron(PassiveAggressive()))
    >>> round(model.fit(X, y).score(X, y), 2)
    0.97
    """

    rule: Rule | None = parameter(either(None, instance(Rule)), default=None)
    schedule: ScheduleLike | None = parameter(SCHEDULE, default=None)
    _: KW_ONLY
    fit_intercept: bool = parameter(flag, default=True)
    max_iter: int = parameter(PASSES, default=1)
    shuffle: bool = parameter(flag, default=False)
    random_state: int | np.random.RandomState | None = parameter(
        checked_random_state, default=None
    )
    class_weight: Any = parameter(checked_class_weight, default=None)
    warm_start: bool = parameter(flag, default=False)

    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""
        return _PLAIN if self.rule is None else self.rule, self._schedule()
