"""Types of arrays, and the largest number of double precision."""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

__all__ = ["HUGE", "FloatArray", "IntArray", "Words"]

HUGE = sys.float_info.max  # a number that is not at most this is not finite

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]  # packed bits, or the state of a generator
