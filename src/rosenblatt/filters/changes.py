"""Changes between examples: standardisation, forgetting, merging."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.filters.label_law import LOG_EVIDENCE, NOISE, joined, take_in
from rosenblatt.filters.natural_parameters import (
    Sites,
    log_mass,
    posterior,
    sites,
    threads,
)
from rosenblatt.filters.standardisation import NEVER, next_change
from rosenblatt.filters.state import Filter

__all__ = ["PIECES", "change", "merge"]

PIECES = 8  # a half-life is forgotten in so many pieces


def change(filter: Filter, row: Any) -> None:
    """Change the frame before a row is learned, and what depends on the clock.

    Arrays are replaced, not written to. Dense beliefs with variances are changed by
    kernels, :mod:`rosenblatt.filters.upkeep`, in the same way.
    """
    filter.leave()
    keep = 1.0
    if filter.half_life is not None:
        keep = float(0.5 ** ((filter.clock - filter.changed) / filter.half_life))
    frame = filter.frame if keep == 1.0 else filter.frame.faded(keep)
    filter.frame, move = frame.following(row)
    with threads(filter.belief):
        said = sites(filter.mean, filter.belief, filter.prior, move)
        if keep < 1.0:
            said = Sites(keep * said.shift, keep * said.precision)
        filter.mean, filter.belief = posterior(said, filter.prior)
    filter.tally, filter.noise = filter.tally.copy(), filter.noise.copy()
    later = filter.changed / max(filter.clock, 1)
    take_in(filter.tally, filter.mean, filter.noise, keep, later)
    filter.changed = filter.clock
    filter.change = _following(filter)


def _following(filter: Filter) -> int:
    """Return the clock at which the next change is due."""
    if filter.half_life is None:
        return next_change(filter.clock)
    step = max(1, int(filter.half_life / PIECES))
    return min(next_change(filter.clock), filter.clock + step)


def merge(first: Filter, second: Filter) -> Filter:
    """Return the filter of all examples that two filters have learned apart.

    Both started from the same prior, and stay as they are. The evidence is that of all
    labels together, an integral over the weights of all models.
    """
    if not (first.clock and second.clock):
        return (first if first.clock else second).copy()
    result = first.copy()
    with np.errstate(all="ignore"), threads(first.belief):
        result.frame = first.frame.joined(second.frame)
        both = []
        for part in (first, second):
            _, move = part.frame.to(result.frame.center, result.frame.inverse_scale)
            both.append(sites(part.mean, part.belief, part.prior, move))
        total = Sites(*(one + two for one, two in zip(*both, strict=True)))
        result.mean, result.belief = posterior(total, result.prior)
        news = log_mass(total, result.prior).sum()
        for said in both:
            news -= log_mass(said, result.prior).sum()
    share = first.clock / (first.clock + second.clock)
    result.tally = joined(first.tally, second.tally, share)
    result.tally[:, LOG_EVIDENCE] += news
    result.clock = result.changed = first.clock + second.clock
    result.noise = result.tally[:, NOISE].copy()
    if result.change != NEVER:
        result.change = _following(result)
    return result
