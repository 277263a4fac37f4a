"""Changes between rows inside a kernel: counts, frame, forgetting.

This is :func:`rosenblatt.filters.changes.change` for dense rows and beliefs with
variances, in place: a filter that forgets soon changes after every few rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.addresses import CHANGE, CHANGED, CLOCK, WEIGHT, State, Upkeep
from rosenblatt.filters.changes import PIECES
from rosenblatt.filters.label_law import take_in
from rosenblatt.filters.natural_parameters import independent
from rosenblatt.filters.row import counts
from rosenblatt.filters.standardisation import (
    NEVER,
    counted_in_kernels,
    follow,
    next_change_in_kernels,
    turn,
)

__all__ = [
    "change_in_place",
    "copies",
    "count_rows",
    "put_back",
    "row_clock",
    "watched",
]


class Changing(NamedTuple):
    """Copies of what changes."""

    belief: FloatArray
    center: FloatArray
    inverse_scale: FloatArray
    moments: FloatArray
    noise: FloatArray
    mean: FloatArray
    tally: FloatArray
    times: FloatArray


@inlined
def watched(upkeep: Upkeep, state: State, repeated: bool) -> State:
    """Return what rows are learned with, without sums if the next do not count.

    Rows that are presented several times come in pieces that count or do not.
    """
    clock = int(upkeep.times[CLOCK])
    if not repeated or upkeep.half_life > 0.0 or counts(clock):
        return state
    center, inverse_scale, moments, noise, mean, tally, clip, width = state
    return State(center, inverse_scale, moments[:0], noise, mean, tally, clip, width)


@inlined
def row_clock(upkeep: Upkeep, repeated: bool) -> int:
    """Return the clock by which rows count for the frame; -1 if all do."""
    if repeated or upkeep.half_life > 0.0:
        return -1
    return int(upkeep.times[CLOCK])


@inlined
def count_rows(upkeep: Upkeep, presented: int, repeated: bool) -> None:
    """Count rows that are learned."""
    times = upkeep.times
    clock = int(times[CLOCK])
    news = presented
    if upkeep.half_life == 0.0:
        if not repeated:
            news = counted_in_kernels(clock + presented) - counted_in_kernels(clock)
        elif not counts(clock):
            news = 0
    times[WEIGHT] += news
    times[CLOCK] += presented


@inlined
def copies(belief: FloatArray, state: State, upkeep: Upkeep) -> Changing:
    """Return all that a change and a row change, as it is."""
    return Changing(
        belief.copy(), state.center.copy(), state.inverse_scale.copy(),
        state.moments.copy(), state.noise.copy(), state.mean.copy(),
        state.tally.copy(), upkeep.times.copy()
    )  # fmt: skip


@inlined
def put_back(
    before: Changing, belief: FloatArray, state: State, upkeep: Upkeep
) -> None:
    """Undo a change."""
    belief[:], state.center[:] = before.belief, before.center
    state.inverse_scale[:], state.moments[:] = before.inverse_scale, before.moments
    state.noise[:], state.mean[:] = before.noise, before.mean
    state.tally[:], upkeep.times[:] = before.tally, before.times


@inlined
def _keep(belief: FloatArray, variances: FloatArray) -> None:
    """Write variances to a belief, of which there may be one for all weights."""
    if belief.ndim == 1:
        belief[:] = variances[:, 0]
    else:
        belief[:] = variances


@inlined
def change_in_place(
    belief: FloatArray, state: State, upkeep: Upkeep, row: FloatArray
) -> None:
    """Change the frame before a row is learned, and what depends on the clock."""
    center, inverse_scale, moments, noise, mean, tally, _, _ = state
    prior, half_life, times = upkeep
    features, (models, weights) = center.size, mean.shape
    clock = times[CLOCK]
    keep = 1.0
    if half_life > 0.0:
        keep = 0.5 ** ((clock - times[CHANGED]) / half_life)
    sums = moments.reshape(2, features)
    sums *= keep
    times[WEIGHT] *= keep
    weight = times[WEIGHT]
    # the frame, and the way there
    new_center, new_inverse = np.empty(features), np.empty(features)
    shifts, ratios = np.empty(features), np.empty(features)
    follow(center, inverse_scale, sums, weight, row, new_center, new_inverse)
    turn(
        center, inverse_scale, sums, weight, False, new_center, new_inverse, sums,
        shifts, ratios
    )  # fmt: skip
    center[:], inverse_scale[:] = new_center, new_inverse
    # the belief
    variances, shift = np.empty((models, weights)), np.empty((models, weights))
    precision = np.empty((models, weights))
    for k in range(models):
        variances[k] = belief[k]
    alike = belief.ndim == 1
    independent(mean, variances, prior, shifts, ratios, alike, shift, precision)
    own = 1.0 / prior
    for k in range(models):
        for i in range(weights):
            variances[k, i] = 1.0 / (keep * precision[k, i] + own)
            mean[k, i] = keep * shift[k, i] * variances[k, i]
    _keep(belief, variances)
    later = times[CHANGED] / max(clock, 1.0)
    take_in(tally, mean, noise, keep, later)
    times[CHANGED] = clock
    now = int(clock)
    following = next_change_in_kernels(now)
    if half_life > 0.0:
        step = max(1, int(min(half_life / PIECES, float(NEVER))))
        following = min(following, now + step)
    times[CHANGE] = following
