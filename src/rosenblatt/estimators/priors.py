"""Prior beliefs of BayesPerceptron: its first filters, and classes that appear."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy.typing as npt

from rosenblatt.bayes import COVARIANCES, experts, growing, start
from rosenblatt.bayes.experts import Experts
from rosenblatt.core.arguments import choice
from rosenblatt.estimators.inputs.new_classes import places

__all__ = ["COVARIANCE", "Settings", "prior_filters", "with_classes"]

COVARIANCE = choice("auto", *COVARIANCES)  # its check

Settings = tuple[str, float | str, float | None]  # covariance, noise, half-life
_MOST_FULL = 2**18  # entries of all covariances together that are kept by default
# Variances of a weight, for inputs of variance 1: of a single filter, and of two.
_ALONE, _TOGETHER = [1.0], [1 / 16, 9.0]
# Others believe that weights drift, with such half-lives and prior variances: a
# geometric ladder, from changes that a few thousand examples hardly show to those that
# leave a dozen to learn from. Weights found from few examples are long. Last comes the
# number of entries up to which covariances are full: the more examples a filter
# remembers, the more entries they determine.
_DRIFTS = (4096.0, 4.0, 2**15), (256.0, 16.0, 2**12), (16.0, 16.0, 2**12)
# Sparse columns drift in pieces, and every piece takes the time of all columns: only
# the first two have long ones.
_SPARSE_DRIFTS = 2
# Their columns are standardised by at least so many rows: half of 16 rows is noise.
# Changes of the standardisation take the time of all columns, too.
_INPUTS = 256.0
# With a half-life that was given another filter forgets at least as fast as this.
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
    horizon: int | None = None,
) -> Experts:
    """Return the filters before any example, for examples of this kind.

    The first three and the last are the parameters of
    :class:`~rosenblatt.estimators.BayesPerceptron`.

    Examples
    --------
    >>> some = prior_filters("auto", "auto", None, 5, 2, False).filters
    >>> [filter.covariance for filter in some]
    ['full', 'full', 'full', 'full', 'full']
    >>> [filter.half_life for filter in some]
    [None, None, 4096.0, 256.0, 16.0]
    """
    models = 1 if classes == 2 else classes
    entries = models * (columns + 1) ** 2
    kept, priors = covariance, _ALONE
    if COVARIANCE("covariance", covariance) == "auto":
        kept = "full" if entries <= _MOST_FULL and not sparse else "diagonal"
        priors = _TOGETHER
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
        begin(
            covariance=kept, prior=prior, half_life=half_life, input_half_life=half_life
        )
        for prior in priors
    ]
    if covariance == "auto" and half_life is None:
        for life, prior, most in _DRIFTS[: _SPARSE_DRIFTS if sparse else None]:
            form = "full" if entries <= most and not sparse else "diagonal"
            inputs = None if sparse else max(life, _INPUTS)
            filters.append(
                begin(
                    covariance=form, prior=prior, half_life=life, input_half_life=inputs
                )
            )
    elif covariance == "auto":
        soon = min(_SOON, half_life or _SOON)
        filters.append(
            begin(
                covariance="diagonal", prior=1.0, half_life=soon, input_half_life=soon
            )
        )
    rows = None if horizon == 1 else horizon  # 1 needs no copies of its own
    return experts.start(filters, half_life, rows)


def with_classes(
    found: Experts,
    settings: Settings,
    known: npt.NDArray[Any],
    classes: npt.NDArray[Any],
) -> Experts:
    """Return the filters with more classes, of which no example was seen.

    They keep variances only if covariances of so many classes are too large.

    Parameters
    ----------
    found
        The filters; they stay as they are.
    settings
        The parameters of the model.
    known, classes
        The labels before, and all labels after, both sorted.
    """
    added = places(known, classes)
    if not added:
        return found
    for count, place in enumerate(added, len(known)):
        found = growing.all_with_class(found, place, count)
    first = found.first
    shape = first.center.size, len(classes), first.sparse
    allowed = prior_filters(*settings, *shape).filters
    return growing.all_in_form(found, [filter.covariance for filter in allowed])
