"""Prior beliefs of BayesPerceptron."""

from __future__ import annotations

from functools import partial

from rosenblatt.filters import COVARIANCES, experts, start
from rosenblatt.filters.experts import Experts

__all__ = ["prior_filters"]

_MOST_FULL = 2**18  # entries of all covariances together that are kept by default
# Variances of a weight, for inputs of variance 1: of a single filter, and of three.
_ALONE, _TOGETHER = [1.0], [1 / 64, 1 / 4, 4.0]
# A fourth forgets: it is right soonest where the stream changes. A diagonal belief is
# enough for so few examples, and forgetting costs a full one the cube of the columns.
_SOON = 100.0  # examples
_LABEL_VARIANCE = 1.0  # of the probit law
_CLIP = 3.0  # standard deviations: outliers and rare indicators count no more


def prior_filters(
    covariance: str,
    noise: float | str,
    half_life: float | None,
    columns: int,
    classes: int,
    sparse: bool,
) -> Experts:
    """Return the filters that have seen nothing, for examples of this kind.

    The first three are the parameters of
    :class:`~rosenblatt.estimators.BayesPerceptron`.

    Examples
    --------
    >>> some = prior_filters("auto", "auto", None, 5, 2, False).filters
    >>> [filter.covariance for filter in some]
    ['full', 'full', 'full', 'diagonal']
    """
    models = 1 if classes == 2 else classes
    kept, priors = covariance, _ALONE
    if covariance == "auto":
        small = models * (columns + 1) ** 2 <= _MOST_FULL
        kept = "full" if small and not sparse else "diagonal"
        priors = _TOGETHER
    elif covariance not in COVARIANCES:
        kinds = ", ".join(map(repr, ("auto", *COVARIANCES)))
        raise ValueError(f"covariance must be one of {kinds}, got {covariance!r}")
    begin = partial(
        start,
        columns,
        models=models,
        label_variance=_LABEL_VARIANCE,
        noise=noise,
        intercept=True,
        standardised=True,
        clip=_CLIP,
        sparse=sparse and kept == "diagonal",
    )
    filters = [
        begin(covariance=kept, prior=prior, half_life=half_life) for prior in priors
    ]
    if covariance == "auto":
        soon = _SOON if half_life is None else min(_SOON, half_life)
        filters.append(begin(covariance="diagonal", prior=1.0, half_life=soon))
    return experts.start(filters, half_life)
