"""Bayesian learning of a linear classifier, for River."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.estimators.locking import exclusive
from rosenblatt.estimators.priors import COVARIANCE, prior_filters, with_classes
from rosenblatt.filters import experts, growing
from rosenblatt.filters.experts import Experts
from rosenblatt.filters.forgetting import Forgetting, forgetting
from rosenblatt.filters.starting import HALF_LIFE, LABEL_NOISE
from rosenblatt.river.classifier import StreamClassifier
from rosenblatt.river.frames import frame, named

__all__ = ["BayesPerceptron"]


class BayesPerceptron(StreamClassifier):
    """A Bayesian linear classifier with calibrated probabilities and nothing to tune.

    It is :class:`rosenblatt.estimators.BayesPerceptron` for features that come by name,
    and may appear and vanish. An absent feature is 0, and one that appears counts as if
    it had been 0 before. Features are standardised as they come, so that no scaler is
    needed. ``learn_many`` does what ``learn_one`` does row after row, bit for bit. If
    anything is wrong with an example, an error says so and the model stays as it was.

    Parameters
    ----------
    covariance, noise, half_life
        As of :class:`rosenblatt.estimators.BayesPerceptron`. ``"auto"`` keeps full
        covariances as long as there are few features, and their diagonals from then on.
    classes
        All labels that will come; others are then refused. By default classes are
        learned from their first example on.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> from rosenblatt.river import BayesPerceptron
    >>> model = BayesPerceptron()
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 89.76%
    """

    def __init__(
        self,
        covariance: str = "auto",
        noise: float | str = "auto",
        half_life: float | None = None,
        classes: Sequence[Any] | None = None,
    ) -> None:
        super().__init__(classes)
        self.covariance = COVARIANCE("covariance", covariance)
        self.noise = LABEL_NOISE("noise", noise)
        self.half_life = HALF_LIFE("half_life", half_life)

    @exclusive
    def predict_proba_one(
        self, x: Mapping[Any, Any], **kwargs: Any
    ) -> dict[Any, float]:
        """Return the probability of each class."""
        probabilities = self._probabilities(self._columns.row(x))[0].tolist()
        return dict(zip(self._labels.classes, probabilities, strict=True))

    @exclusive
    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """Return the probability of each class, for each row."""
        return frame(
            self._probabilities(self._columns.rows(X)), self._labels.classes, X
        )

    def _probabilities(self, rows: FloatArray) -> FloatArray:
        """Return the probabilities of the classes known so far."""
        count = len(self._labels.classes)
        if self._state is None or count == 1:
            return np.full((len(rows), count), 1.0 / count)
        return experts.predict(self._state, rows)

    @property
    @exclusive
    def weights(self) -> dict[Any, Any]:
        """The mean of each weight, for features in their own units."""
        if self._state is None:
            return {}
        return named(self._columns.names, self._state.weights()[0])

    @property
    @exclusive
    def forgetting(self) -> Forgetting | None:
        """Half-lives that the data chose so far; None before the first example."""
        return None if self._state is None else forgetting(self._state)

    def _grown(self, state: Experts | None, columns: int) -> Experts:
        given = (self.covariance, self.noise, self.half_life)
        count = max(len(self._labels.classes), 2)
        if state is None:
            return prior_filters(*given, columns, count, sparse=False)
        if len(state.first.center) == columns:
            return state
        wider = growing.all_grown(state, columns)
        allowed = prior_filters(*given, columns, count, sparse=False).filters
        return growing.all_in_form(wider, [filter.covariance for filter in allowed])

    def _with_class(self, state: Experts, classes: int) -> Experts:
        given = (self.covariance, self.noise, self.half_life)
        return with_classes(state, given, np.arange(classes), np.arange(classes + 1))

    def _learn_row(self, state: Experts, row: FloatArray, code: IntArray) -> None:
        experts.learn_row(state, row, code, wanted=False)

    def _learned(self, state: Experts, rows: FloatArray, codes: IntArray) -> Experts:
        # Row by row: some kernels work ahead, which differs in the last bit.
        found = state.copy()
        for row, code in zip(rows[:, None], codes[:, None], strict=True):
            experts.learn_row(found, row, code, wanted=False)
        return found
