"""Merging of filters that have learned apart."""

from __future__ import annotations

import numpy as np

from rosenblatt.compiling.blas import one_thread
from rosenblatt.filters.kernels.changing import following_change, piece_of
from rosenblatt.filters.label_law import LOG_EVIDENCE, NOISE, joined
from rosenblatt.filters.natural import Likelihood, likelihood, log_mass, posterior
from rosenblatt.filters.standardisation import NEVER
from rosenblatt.filters.state import Filter

__all__ = ["merge"]


def merge(first: Filter, second: Filter) -> Filter:
    """Return the filter of all examples that two filters have learned apart.

    Both started from the same prior, and stay as they are. The evidence is that of all
    labels together, an integral over the weights of all models.
    """
    if not (first.clock and second.clock):
        return (first if first.clock else second).copy()
    prior = first.prior
    with np.errstate(all="ignore"), one_thread():
        columns = first.standardisation.joined(second.standardisation)
        both = []
        for part in (first, second):
            own = part.standardisation
            _, shifts, ratios = own.to(columns.center, columns.inverse_scale)
            given = part.mean, part.belief, prior, shifts, ratios
            both.append(likelihood(*given))
        total = Likelihood(*(one + two for one, two in zip(*both, strict=True)))
        mean, belief = posterior(total, prior)
        evidence = log_mass(total, prior).sum()
        for apart in both:
            evidence -= log_mass(apart, prior).sum()
    clock = first.clock + second.clock
    statistics = joined(first.statistics, second.statistics, first.clock / clock)
    statistics[:, LOG_EVIDENCE] += evidence
    following = NEVER
    if first.next_change != NEVER:
        piece = piece_of(first.input_half_life or 0.0)
        following = following_change(clock, piece)
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
