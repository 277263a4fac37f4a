"""The start of a filter: the prior belief, before any example."""

from __future__ import annotations

from functools import partial

import numpy as np

from rosenblatt.bayes.label_law import NOISE, blank
from rosenblatt.bayes.schema import COVARIANCES
from rosenblatt.bayes.standardisation import NEVER, Standardisation
from rosenblatt.bayes.state import Filter
from rosenblatt.core.arguments import below_half, choice, either, number, whole

__all__ = ["HALF_LIFE", "LABEL_NOISE", "start"]

# Checks of the noise of labels, and of a number of examples.
LABEL_NOISE = either("auto", below_half)
HALF_LIFE = either(None, partial(number, above=0.0))
_COVARIANCE = choice(*COVARIANCES)


def start(
    features: int,
    *,
    covariance: str = "full",
    models: int = 1,
    prior: float = 1.0,
    label_variance: float = 0.0,
    noise: float | str = 0.0,
    intercept: bool = False,
    standardised: bool = False,
    clip: float = np.inf,
    half_life: float | None = None,
    input_half_life: float | None = None,
    sparse: bool = False,
) -> Filter:
    """Return the filter before any example.

    The defaults are the setting of the paper: inputs as they are, a label that is the
    sign of the field.

    Parameters
    ----------
    features
        The number of inputs.
    covariance
        ``"spherical"``, ``"diagonal"`` or ``"full"``.
    models
        One for two classes, else one for each class: the largest field is then the
        label, by the law of :mod:`rosenblatt.numerics.evidence`.
    prior
        The variance of each weight before any example.
    label_variance
        The variance of the label law's own noise: 0 for a step, 1 for the probit law.
    noise
        The probability of a wrong label, below 0.5; ``"auto"`` to estimate it.
    intercept
        Whether there is one more weight, on a constant input of 1.
    standardised
        Whether inputs are standardised as they come.
    clip
        How many scales from its centre an input counts at most.
    half_life
        The number of examples after which half of the variance of a weight is new, for
        weights that drift. None for weights that do not drift.
    input_half_life
        The number of examples after which a row counts half in the standardisation of
        the columns; None for ever.
    sparse
        Whether rows come as a sparse matrix.

    Examples
    --------
    >>> from rosenblatt.bayes import learn
    >>> filter = start(2, covariance="full")
    >>> filter = learn(filter, [[1.0, 0.0]], [1])
    >>> filter.mean.round(4), filter.variances.round(4)
    (array([[0.7979, 0.    ]]), array([[0.3634, 1.    ]]))
    """
    covariance = _COVARIANCE("covariance", covariance)
    if sparse and covariance != "diagonal":
        raise ValueError(
            f"covariance must be 'diagonal' for sparse rows, got {covariance!r}"
        )
    features, models = (
        whole("features", features, low=1),
        whole("models", models, low=1),
    )
    prior = number("prior", prior, above=0.0)
    noise = LABEL_NOISE("noise", noise)
    half_life = HALF_LIFE("half_life", half_life)
    input_half_life = HALF_LIFE("input_half_life", input_half_life)
    weights = features + bool(intercept)
    shape = {"spherical": (), "diagonal": (weights,)}.get(covariance)
    if shape is None:
        belief = np.tile(prior * np.eye(weights), (models, 1, 1))
    else:
        belief = np.full((models, *shape), prior)
    statistics = blank(models, noise)
    columns = Standardisation.unseen if standardised else Standardisation.none
    return Filter(
        covariance=covariance,
        prior=prior,
        label_variance=number("label_variance", label_variance, low=0.0),
        clip=float(clip),
        half_life=half_life,
        input_half_life=input_half_life,
        noise=statistics[:, NOISE].copy(),
        mean=np.zeros((models, weights)),
        belief=belief,
        statistics=statistics,
        standardisation=columns(features, bool(sparse)),
        clock=0,
        last_change=0,
        next_change=0 if standardised else NEVER,
    )
