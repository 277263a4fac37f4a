r"""Curved boundaries: Bayesian regression on cosines of the columns, as a classifier.

The regression of :mod:`rosenblatt.bayes.cosines` has a target for each class: 1 for
rows of the class, and 0 for the others. So a class that appears later has the target 0
in all rows before.

A mean m near a probability may be negative. With :math:`\epsilon` standard normal,
class k has

.. math:: p_k \propto \mathrm{E} \max(m_k + s \epsilon, 0), \qquad
    s^2 = 1.5\, \sigma^2 v + 0.07^2,   \tag{1}

with :math:`\sigma^2` the mean square of the innovations so far, in units of 1 + v. The
floor and the factor were chosen on public tables, as were the scales.

The log-odds of both scales and of the linear filters, and the means of two and of all
three of them, are seven predictions. A mixture (:mod:`rosenblatt.bayes.mixture`)
calibrates them and weighs them by their evidence. For rows whose labels will not be
seen each has another weight: that of its log-loss on rows up to 10% later, as in
:mod:`rosenblatt.bayes.horizon`, times a prior.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr, softmax

from rosenblatt.bayes import cosines as regressions
from rosenblatt.bayes import mixture as mixtures
from rosenblatt.bayes.cosines import SCALES, Functions, Prediction, Regression
from rosenblatt.bayes.horizon import softmax_of_odds
from rosenblatt.bayes.layout import Record
from rosenblatt.bayes.mixture import AGE, MIXTURE, Mixture
from rosenblatt.core import schema
from rosenblatt.core.types import FloatArray, IntArray

WIDER, FLOOR = 1.5, 0.07  # eq. (1)
LEAST = -10.0  # t below this is as good as impossible
TINY = 1e-15  # probabilities have no smaller logarithm
_MOST_ROWS = 64.0  # that scores count as
_PRESENTED = 2**14  # presentations that are mixed at once
_PARTS = 1 + len(SCALES)  # the linear filters come first
# Of each prediction of the mixture, the part of the mean that each one has.
BLENDS = np.array(
    [
        np.isin(range(_PARTS), chosen) / size
        for size in range(1, _PARTS + 1)
        for chosen in itertools.combinations(range(_PARTS), size)
    ]
)


class _OwnMixture(schema.Nested):
    """A mixture of all predictions."""

    def check(self, place: str, value: Any, sizes: schema.Sizes, values: bool) -> None:
        """Check a value with the numbers of filters and classes of its own array."""
        own = {"filters": len(BLENDS), "classes": sizes["targets"]}
        super().check(place, value, own, values)


CURVED = schema.Schema(
    "curved",
    {
        "regression": schema.Nested(regressions.REGRESSION),
        "copies": schema.Nested(regressions.FUNCTIONS),
        "slopes": schema.Array(((len(BLENDS),),)),
        # of at most 2**53 rows, none below log(TINY)
        "scores": schema.Array(((len(BLENDS),),), low=2**53 * math.log(TINY), high=0.0),
        "scored": schema.Number(low=0.0),
        "mixture": _OwnMixture(MIXTURE),
        "horizon": schema.Whole(high=2**53),
    },
    (
        schema.Relation(
            "a target for each class",
            lambda _, s: s.setdefault("classes", s["targets"]) == s["targets"],
        ),
    ),
)


@schema.record(CURVED)
@dataclass
class Curved(Record):
    """Functions of two length scales, and their mixture with the linear filters."""

    regression: Regression
    copies: Functions  # of an earlier time, which are scored on later rows
    slopes: FloatArray  # of the copies' layers
    scores: FloatArray  # sums of log-probabilities by copies of all predictions
    scored: float  # the number of rows in them
    mixture: Mixture
    horizon: int  # how many rows late labels will come; 0 if it is not known

    def __post_init__(self) -> None:
        """Check types and shapes."""
        CURVED.check(self, values=False)

    @property
    def classes(self) -> int:
        """The number of classes, at least two."""
        return int(self.copies.mean.shape[2])

    @property
    def clock(self) -> int:
        """The number of presentations so far."""
        return self.regression.clock

    def learn(
        self,
        X: FloatArray,
        codes: IntArray,
        powers: FloatArray,
        probabilities: FloatArray,
        center: FloatArray,
        inverse_scale: FloatArray,
    ) -> None:
        """Learn rows in place, all in one standardisation.

        ``probabilities`` are those of the linear filters before they learned each row.
        They become those of the mixture. ``powers`` are numbers of presentations; 0
        leaves a row out.
        """
        targets = np.eye(self.classes)[codes]
        found = self.regression.learn(X, targets, powers, center, inverse_scale)
        odds = _all_odds(probabilities, found)
        probabilities[:] = self._mixed(odds, codes, powers)

    def _mixed(
        self, odds: FloatArray, codes: IntArray, powers: FloatArray
    ) -> FloatArray:
        """Return the mixture's probabilities; it learns each row ``powers`` times."""
        times = np.maximum(np.ceil(powers), 1.0).astype(np.int64)
        ends, found = np.cumsum(times), []
        for start in range(0, int(ends[-1]), _PRESENTED):
            shown = np.arange(start, min(start + _PRESENTED, ends[-1]))
            row = np.searchsorted(ends, shown, side="right")
            done = shown - (ends[row] - times[row])
            own = np.minimum(powers[row] - done, 1.0)
            given = np.ascontiguousarray(odds[:, row])
            each = mixtures.learn(self.mixture, given, codes[row], own)
            found.append(each[done == 0])
        return np.concatenate(found)

    def score(
        self, X: FloatArray, codes: IntArray, weights: FloatArray, linear: FloatArray
    ) -> None:
        """Score rows by copies of an earlier time, and the linear filters' ``linear``.

        Each row counts ``weights`` times.
        """
        odds = _all_odds(linear, self.regression.predict(X, self.copies))
        each = softmax_of_odds(odds, self.slopes)
        likely = each[:, np.arange(len(codes)), codes]
        self.scores += np.log(np.maximum(likely, TINY)) @ weights
        self.scored += float(weights.sum())

    def renew(self, rows: float) -> None:
        """Copy the functions; so many ``rows`` came since the last copies."""
        keep = self.mixture.keep**rows
        self.scored *= keep
        self.scores *= keep
        self.copies = self.regression.functions.copy()
        self.slopes = self._later_slopes()

    def _later_slopes(self) -> FloatArray:
        """Return a slope for each prediction; that of lines has its own horizon."""
        return np.append(1.0, self.mixture.slopes[1:, 0])

    def later(self) -> Curved:
        """Return functions that predict rows whose labels will not be seen.

        Each prediction has the weight of eq. (1) of :mod:`rosenblatt.bayes.horizon`,
        without a half-life, and with a prior weight. The linear filters have a third of
        it, or their part in the prediction of the next row. Where they win there, it is
        by forgetting, and functions of all rows predict later ones badly.
        """
        mixture, others = self.mixture, len(BLENDS) - 1
        age = float(mixture.statistics[AGE])
        count = 0.5 * age / self.horizon if self.horizon else min(_MOST_ROWS, 0.5 * age)
        line = mixture.filter_weights @ BLENDS[:, 0]
        line = min(max(line, 1.0 / _PARTS), 1.0 - TINY)
        prior = np.append(line, np.full(others, (1.0 - line) / others))
        logs = count * self.scores / max(self.scored, 1.0) + np.log(prior)
        weights, slopes = np.zeros_like(mixture.weights), mixture.slopes.copy()
        weights[:, 0], slopes[:, 0] = softmax(logs), self._later_slopes()
        mixture = replace(mixture, weights=weights, slopes=slopes)
        return replace(self, mixture=mixture)

    def predict(self, X: FloatArray, linear: FloatArray) -> FloatArray:
        """Return the probability of each class; ``linear`` are the linear filters'."""
        odds = _all_odds(linear, self.regression.predict(X))
        return mixtures.predict(self.mixture, odds)

    def deviations(self, X: FloatArray) -> FloatArray:
        """Return how unsure probabilities are, as far as functions are unknown.

        It is the root mean square of both scales' standard deviations.
        """
        found = self.regression.predict(X)
        return np.asarray(np.sqrt(self._shared([own.variance for own in found])))

    def mean_probabilities(
        self, X: FloatArray, linear: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the mean probability of each class over rows, and its deviation.

        The variance is that of the functions, and of the predictions that are mixed.
        """
        odds = _all_odds(linear, self.regression.predict(X))
        each = softmax_of_odds(odds, self.mixture.slopes[:, 0]).mean(axis=1)
        weights = self.mixture.filter_weights
        mean = weights @ each
        variance = weights @ (each - mean) ** 2
        variance += self._shared(self.regression.variances_of_mean(X))
        return mean, np.sqrt(variance)

    def _shared(self, variances: Any) -> Any:
        """Return the variance of probabilities, from those of the length scales."""
        weights = self.mixture.filter_weights @ BLENDS[:, 1:]
        noise = self.regression.functions.noise / self.classes
        return np.tensordot(weights * noise, variances, axes=1)

    def with_class(self, place: int, known: int, mixture: Mixture) -> Curved:
        """Return functions with one more class, whose target was 0 in all rows.

        Of one known class, the other one of two was that. ``mixture`` has the class.
        """
        other = self.copy()
        other.mixture = mixture
        if known > 1:
            change = partial(np.insert, obj=place, values=0.0, axis=-1)
        elif place == 0:
            change = partial(np.flip, axis=-1)
        else:
            return other
        own = other.regression
        own.functions, other.copies = (
            part._replace(mean=np.ascontiguousarray(change(part.mean)))
            for part in (own.functions, other.copies)
        )
        own.targets = np.ascontiguousarray(change(own.targets))
        return other

    def merged(
        self,
        other: Curved,
        mixture: Mixture,
        center: FloatArray,
        inverse_scale: FloatArray,
    ) -> Curved:
        """Return functions of all rows that both have learned; ``mixture`` is theirs.

        Scores of copies that knew one part compare the length scales still.
        """
        own = self.regression.merged(other.regression, center, inverse_scale)
        return Curved(
            regression=own,
            copies=own.functions.copy(),
            slopes=mixture.slopes[:, 0].copy(),
            scores=self.scores + other.scores,
            scored=self.scored + other.scored,
            mixture=mixture,
            horizon=self.horizon,
        )

    def grown(self, columns: int) -> Curved:
        """Return functions of more columns, which begin anew; the mixture stays."""
        other = self.copy()
        other.regression = self.regression.grown(columns)
        if other.regression is not self.regression:
            other.copies = other.regression.functions.copy()
            other.scores, other.scored = np.zeros_like(self.scores), 0.0
        return other


def _all_odds(linear: FloatArray, found: list[Prediction]) -> FloatArray:
    """Return the log-odds of all predictions; ``linear`` are probabilities."""
    each = [_log_odds(np.log(np.maximum(linear, TINY))), *map(_odds, found)]
    return np.tensordot(BLENDS, np.stack(each), axes=1)


def _log_odds(logs: FloatArray) -> FloatArray:
    """Return the log-odds of the second of two classes; of more, the logarithms."""
    return logs[:, 1:] - logs[:, :1] if logs.shape[1] == 2 else logs


def _odds(found: Prediction) -> FloatArray:
    """Return log-odds by eq. (1)."""
    mean, variance, noise = found
    square = WIDER * noise / mean.shape[1] * variance + FLOOR**2
    deviation = np.sqrt(square)[:, None]
    t = np.maximum(mean / deviation, LEAST)
    density = np.exp(-0.5 * t * t) / math.sqrt(2.0 * math.pi)
    return _log_odds(np.log(deviation * (density + t * ndtr(t))))


def start(
    columns: int,
    classes: int,
    half_life: float | None = None,
    rows: int = 0,
    cosines: int = regressions.COSINES,
) -> Curved:
    """Return functions before any row.

    Parameters
    ----------
    columns, classes
        Their numbers; two classes if one is known.
    half_life
        The number of examples after which half of what was learned is forgotten.
    rows
        How many rows late labels will come; 0 if it is not known.
    cosines
        The number of cosines of each length scale.
    """
    classes = max(classes, 2)
    noise = 1.0 - 1.0 / classes
    own = regressions.start(columns, classes, noise, half_life, cosines)
    models, parts = 1 if classes == 2 else classes, len(BLENDS)
    return Curved(
        regression=own,
        copies=own.functions.copy(),
        slopes=np.ones(parts),
        scores=np.zeros(parts),
        scored=0.0,
        mixture=mixtures.start_mixture(parts, models, half_life),
        horizon=rows,
    )
