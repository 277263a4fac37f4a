"""Types of arrays, and the range of numbers in double precision."""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

__all__ = ["HUGE", "LONGEST", "SHORTEST", "FloatArray", "IntArray", "Words"]

HUGE = sys.float_info.max  # a number that is not at most this is not finite
# Lengths of weights over sqrt(N) whose squares, and those of a small part, are exact.
SHORTEST, LONGEST = 1e-140, 1e140

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]  # packed bits, or the state of a generator
