"""What BayesPerceptron believes before it has seen anything."""

from __future__ import annotations

from rosenblatt.engines import experts, filtering
from rosenblatt.engines.experts import Experts

__all__ = ["beginners"]

_MOST_FULL = 2**18  # entries of all covariances together that are kept by default
# Variances of a weight, for inputs of variance 1: of a single filter, and of three.
_ALONE, _TOGETHER = [1.0], [1 / 64, 1 / 4, 4.0]
_WIDTH = 1.0  # of the probit law
_CLIP = 3.0  # standard deviations: outliers and rare indicators count no more


def beginners(
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
    >>> some = beginners("auto", "auto", None, 5, 2, False).filters
    >>> [filter.covariance for filter in some]
    ['full', 'full', 'full']
    """
    models = 1 if classes == 2 else classes
    priors = _ALONE
    if covariance == "auto":
        small = models * (columns + 1) ** 2 <= _MOST_FULL
        covariance = "full" if small and not sparse else "diagonal"
        priors = _TOGETHER
    elif covariance not in filtering.COVARIANCES:
        kinds = ", ".join(map(repr, ("auto", *filtering.COVARIANCES)))
        raise ValueError(f"covariance must be one of {kinds}, got {covariance!r}")
    return experts.start(
        columns,
        priors,
        covariance=covariance,
        models=models,
        width=_WIDTH,
        noise=None if noise == "auto" else noise,
        intercept=True,
        framed=True,
        clip=_CLIP,
        half_life=half_life,
        sparse=sparse and covariance == "diagonal",
    )
