"""A filter as kernels take it: everything by one address.

To pass an array takes a tenth of a microsecond, and a filter has many; to learn a row
of a few columns takes not much longer.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.compiling import inlined
from rosenblatt.compiling.addresses import doubles_at, wholes_at
from rosenblatt.core.types import FloatArray
from rosenblatt.filters.label_law import TALLIES
from rosenblatt.filters.state import Filter

__all__ = [
    "CHANGE",
    "CHANGED",
    "CLOCK",
    "WEIGHT",
    "Seat",
    "State",
    "Upkeep",
    "diagonal_at",
    "full_at",
    "seated",
    "spherical_at",
    "state_at",
    "upkeep_at",
]

# Where the kernels find things: addresses of arrays, then sizes.
_CENTER, _INVERSE, _SUMS, _NOISE, _MEAN, _TALLY, _BELIEF, _NUMBERS, _TIMES = range(9)
_FEATURES, _WEIGHTS, _MODELS, _SUMMED = range(9, 13)
_SIZE = 13
_CLIP, _WIDTH, _PRIOR, _HALF_LIFE = range(4)
# What kernels keep count of: the rows in the sums of the frame, and the filter's own.
WEIGHT, CLOCK, CHANGED, CHANGE = range(4)
_COUNTS = struct.Struct(f"{CHANGE + 1}d")


class State(NamedTuple):
    """What rows are learned with; only the belief is apart, which has many shapes."""

    center: FloatArray
    inverse_scale: FloatArray
    moments: FloatArray  # the sums of the frame, flat; empty if none are kept
    noise: FloatArray
    mean: FloatArray
    tally: FloatArray
    clip: float
    width: float


class Upkeep(NamedTuple):
    """What is needed between rows."""

    prior: float
    half_life: float  # 0 if nothing is forgotten
    times: FloatArray


@inlined
def state_at(place: int) -> State:
    """Return what is learned with, of the filter whose seat is at an address."""
    told = wholes_at(place, _SIZE)
    features, models = told[_FEATURES], told[_MODELS]
    numbers = doubles_at(told[_NUMBERS], _HALF_LIFE + 1)
    return State(
        doubles_at(told[_CENTER], features),
        doubles_at(told[_INVERSE], features),
        doubles_at(told[_SUMS], told[_SUMMED]),
        doubles_at(told[_NOISE], models),
        doubles_at(told[_MEAN], (models, told[_WEIGHTS])),
        doubles_at(told[_TALLY], (models, TALLIES)),
        numbers[_CLIP],
        numbers[_WIDTH],
    )


@inlined
def upkeep_at(place: int) -> Upkeep:
    """Return what is needed between rows."""
    told = wholes_at(place, _SIZE)
    numbers = doubles_at(told[_NUMBERS], _HALF_LIFE + 1)
    return Upkeep(
        numbers[_PRIOR],
        numbers[_HALF_LIFE],
        doubles_at(told[_TIMES], CHANGE + 1),
    )


@inlined
def spherical_at(place: int) -> FloatArray:
    """Return the variance of each model."""
    told = wholes_at(place, _SIZE)
    return doubles_at(told[_BELIEF], told[_MODELS])


@inlined
def diagonal_at(place: int) -> FloatArray:
    """Return the variances of each model."""
    told = wholes_at(place, _SIZE)
    return doubles_at(told[_BELIEF], (told[_MODELS], told[_WEIGHTS]))


@inlined
def full_at(place: int) -> FloatArray:
    """Return the factors of each model."""
    told = wholes_at(place, _SIZE)
    weights = told[_WEIGHTS]
    return doubles_at(told[_BELIEF], (told[_MODELS], weights, weights))


class Seat:
    """Where a filter's arrays are, for kernels that are given ``place``.

    It goes on being good as long as these are the same, and must not outlive its
    process. Clock and other counts are the filter's own, and copied both ways.
    """

    def __init__(self, filter: Filter) -> None:
        center, inverse_scale, sums, _, _ = filter.frame
        state = (center, inverse_scale, sums, filter.noise, filter.mean, filter.tally)
        forget = filter.half_life or 0.0
        numbers = (filter.clip, filter.width, filter.prior, forget)
        times = np.zeros(CHANGE + 1)
        self._room: Any = times.data.cast("B")
        # for as long as their addresses are in use
        self._kept = (*state, filter.belief, np.array(numbers, float), times)
        models, weights = filter.mean.shape
        self.alone = models == 1 and filter.covariance != "full"
        places = [array.ctypes.data for array in self._kept]
        sizes = (center.size, weights, models, sums.size)
        self._told = np.array([*places, *sizes], dtype=np.int64)
        self.place: int = self._told.ctypes.data

    @property
    def good(self) -> bool:
        """Whether the arrays may be read and written where they are."""
        return all(array.flags.carray for array in self._kept)

    def write(self, filter: Filter) -> None:
        """Write the counts of a filter for a kernel."""
        _COUNTS.pack_into(
            self._room,
            0,
            filter.frame.weight,
            filter.clock,
            filter.changed,
            filter.change,
        )

    def read(self, filter: Filter) -> None:
        """Let a filter have the counts of a kernel."""
        weight, clock, changed, change = _COUNTS.unpack(self._room)
        filter.frame = filter.frame._replace(weight=weight)
        filter.clock, filter.changed, filter.change = (
            int(clock),
            int(changed),
            int(change),
        )


def seated(filter: Filter) -> Seat:
    """Return the seat of a filter, which from now on keeps its arrays."""
    if filter.seat is None:
        found = Seat(filter)
        if not found.good:  # a file that is only to be read, for instance
            vars(filter).update(vars(filter.copy()))
            found = Seat(filter)
        vars(filter)["seat"] = found
    seat: Seat = filter.seat
    return seat
