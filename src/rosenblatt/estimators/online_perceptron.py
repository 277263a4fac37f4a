r"""Any learning rule as a scikit-learn classifier that learns from a stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.core import Rule
from rosenblatt.estimators.bases.linear import LinearClassifier
from rosenblatt.rules import Perceptron
from rosenblatt.specification.parts import ScheduleLike

__all__ = ["OnlinePerceptron"]

_PLAIN = Perceptron()


class OnlinePerceptron(LinearClassifier):
    """A linear classifier that learns by any rule, one example after the other.

    Weights start at zero, and an update adds ``gain * x``. Clocks count examples and
    mistakes per weight (the intercept is one of the N weights), and are part of the
    model: data in one piece or in many give the same weights, bit for bit (sparse data
    and a rule with decay: to rounding). With more than two classes each has weights,
    mistakes and a clock of its own, and learns to tell itself from the rest.

    A ``sample_weight`` of k presents an example k times in succession; 0 leaves it out,
    clock included. What is left over of a weight that is no whole number goes that part
    of the way of one more presentation, and counts as so much of an example. If
    anything is wrong with the data, an error says so and the model stays as it was.

    Parameters
    ----------
    rule
        The learning rule; by default ``Perceptron()``.
    schedule
        The learning rate, or any function of the clock; by default ``Constant(1.0)``.
    fit_intercept
        Whether to learn an intercept, as the weight of a constant input 1.
    max_iter
        How many times ``fit`` goes through the data; ``partial_fit`` does so once.
    shuffle
        Whether each pass of ``fit`` has an order of its own; ``partial_fit`` keeps that
        of the rows.
    random_state
        Seed or generator for ``shuffle``.
    class_weight
        A dictionary from labels to weights that multiply ``sample_weight`` (1 where
        nothing is said), or ``"balanced"``: in inverse proportion to how often a class
        comes, for ``fit`` only. None: 1 for all.
    warm_start
        Whether ``fit`` goes on from where the last call ended, clock included, instead
        of forgetting everything.

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
        How many times the last ``fit`` went through its data; callbacks may end it.
    t_ : int or float
        The number of examples seen, the sum of their weights.
    mistakes_ : ndarray of shape (1 or n_classes,)
        The number of examples on whose wrong side the weights were, ties included.

    Notes
    -----
    Rules were made for inputs of squared length about 1. Without an intercept,
    ``Perceptron()`` and ``Hebb()`` do not care, since the weights follow the scale.

    Dense rows of single precision are learned in single precision, without a copy, and
    the intercept in double precision; a decay that changes weights by less than a part
    in 1e7 is lost there. Sparse rows (CSR; others are converted) and rules with a shift
    are learned in double precision; a shift makes rows dense, some at a time.
    ``Perceptron()`` learns the weights of scikit-learn's ``Perceptron`` without penalty
    and shuffling, exactly, unless rounding decides on a tie.

    What the start at zero means for some rules:

    * ``AdaTron()`` corrects in proportion to the field, which is zero: it never leaves
      the start, and ``fit`` warns of that.
    * ``Normalised(rule)`` gives the weights their length at the first update.
    * ``Shifted(rule)`` starts with the sum of ``label * x`` over the first examples, 20
      for each weight; its rule acts after that. With a uniform shift it learns no
      intercept to speak of, since a constant input is all shift, and ``fit`` warns if
      the labels are balanced; with ``AverageShift(uniform=False)`` neither matters.

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

    def __init__(
        self,
        rule: Rule | None = None,
        schedule: ScheduleLike | None = None,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        shuffle: bool = False,
        random_state: int | np.random.RandomState | None = None,
        class_weight: Any = None,
        warm_start: bool = False,
    ) -> None:
        self.rule = rule
        self.schedule = schedule
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.class_weight = class_weight
        self.warm_start = warm_start

    def _parts(self) -> tuple[Rule, ScheduleLike]:
        """Return the rule and the schedule."""
        return _PLAIN if self.rule is None else self.rule, self._schedule()
