"""Merging of filters, and of mixtures of them, that have learned apart.

A belief is the prior times the likelihood of the examples. Likelihoods of examples that
were learned apart are multiplied: their natural parameters add up.
"""

from __future__ import annotations

import numpy as np

from rosenblatt.bayes.belief import Likelihood
from rosenblatt.bayes.experts import Experts
from rosenblatt.bayes.filter import Filter
from rosenblatt.bayes.horizon import start_horizon
from rosenblatt.bayes.label_law import LOG_EVIDENCE, NOISE, joined
from rosenblatt.bayes.mixture import AGE, MISTAKES, PRECISION, Mixture
from rosenblatt.bayes.mixture import LOG_EVIDENCE as MIXED_EVIDENCE
from rosenblatt.bayes.standardisation import KNOWN, NEVER, following_change
from rosenblatt.core.types import FloatArray
from rosenblatt.system.threads import one_thread

__all__ = ["likelihood", "merge", "merge_experts", "merge_mixtures"]


def likelihood(
    filter: Filter, center: FloatArray, inverse_scale: FloatArray
) -> Likelihood:
    """Return the likelihood of a filter's examples in another standardisation."""
    _, shifts, ratios = filter.standardisation.to(center, inverse_scale)
    known = (ratios > 0.0) & (ratios < KNOWN)
    move = np.where(known, shifts, 0.0), np.where(known, ratios, 0.0)
    return filter.kind.likelihood(filter.mean, filter.belief, filter.prior, *move)


def merge(first: Filter, second: Filter) -> Filter:
    """Return the filter of all examples that two filters have learned apart.

    Both started from the same prior, and stay as they are. The evidence is that of all
    labels together, an integral over the weights of all models.
    """
    if not (first.clock and second.clock):
        return (first if first.clock else second).copy()
    prior, kind = first.prior, first.kind
    with np.errstate(all="ignore"), one_thread():
        columns = first.standardisation.joined(second.standardisation)
        both = [
            likelihood(part, columns.center, columns.inverse_scale)
            for part in (first, second)
        ]
        total = Likelihood(*(one + two for one, two in zip(*both, strict=True)))
        mean, belief = kind.posterior(total, prior)
        evidence = kind.log_mass(total, prior).sum()
        for apart in both:
            evidence -= kind.log_mass(apart, prior).sum()
    clock = first.clock + second.clock
    statistics = joined(first.statistics, second.statistics, first.clock / clock)
    statistics[:, LOG_EVIDENCE] += evidence
    following = NEVER
    if first.next_change != NEVER:
        following = following_change(clock, first.piece)
    return first.replaced(
        mean=mean,
        belief=belief,
        standardisation=columns,
        statistics=statistics,
        noise=statistics[:, NOISE].copy(),
        clock=clock,
        last_change=clock,
        next_change=following,
    )


def merge_mixtures(first: Mixture, second: Mixture) -> Mixture:
    """Return the mixture for filters that are merged.

    Layers and weights have learned about filters that knew one part of the examples
    each. The merged filter has more examples, and is more certain. So both parts are
    averaged, weighted by their numbers of examples: the layers' natural parameters, and
    the logarithms of the weights. Sums, which are right for beliefs about constants,
    would correct twice. The evidence is that of the predictions that each part has
    made. The record of forgetting is that of the part with more examples.
    """
    ages = np.array([first.statistics[AGE], second.statistics[AGE]])
    if not ages.all():
        return (first if ages[0] else second).copy()
    parts = list(zip(ages / ages.sum(), (first, second), strict=True))
    result = (first if ages[0] >= ages[1] else second).copy()
    for name, precisions, mean in (
        ("slopes", "slope_precisions", 1.0),
        ("offsets", "offset_precisions", 0.0),
    ):
        each = [(c, getattr(p, name), getattr(p, precisions)) for c, p in parts]
        precision = sum(c * known for c, _, known in each)
        shift = sum(c * (PRECISION + known) * (a - mean) for c, a, known in each)
        setattr(result, precisions, precision)
        setattr(result, name, mean + shift / (PRECISION + precision))
    weights = np.exp(np.sum([c * np.log(part.weights) for c, part in parts], axis=0))
    result.weights = weights / weights.sum()
    for entry in (AGE, MIXED_EVIDENCE, MISTAKES):
        result.statistics[entry] = first.statistics[entry] + second.statistics[entry]
    return result


def merge_experts(first: Experts, second: Experts) -> Experts:
    """Return experts of all examples that two groups of the same kind have learned."""
    filters = [
        merge(one, two) for one, two in zip(first.filters, second.filters, strict=True)
    ]
    if first.mixture is None or second.mixture is None:
        return Experts(filters)
    mixture = merge_mixtures(first.mixture, second.mixture)
    rows = first.horizon.rows if first.horizon else None
    # scores of copies that knew one part of the examples are no guide
    return Experts(filters, mixture, start_horizon(filters, mixture, rows))
