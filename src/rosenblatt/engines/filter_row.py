r"""What the Gaussian filters share: one row in the frame, and one label's news.

A frame makes numbers of any scale comparable,

.. math:: z_i = \mathrm{clip}\big((x_i - \mathrm{center}_i) / \mathrm{scale}_i\big),
    \tag{1}

and an intercept is one more coordinate :math:`z = 1`, the last. All filters believe
that the field is Gaussian with mean :math:`m \cdot z` and variance :math:`z^T V z`, to
which the ``width`` of the label law is added: 0 for a step, 1 for the probit law.
"""

from __future__ import annotations

import math
from typing import Any

from numba import types

from rosenblatt.core import inlined
from rosenblatt.core.evidence import evidence
from rosenblatt.core.gaussian import FloatArray

__all__ = [
    "CODES",
    "FLIPS",
    "GIVEN",
    "HUGE",
    "LOG_EVIDENCE",
    "MATRIX",
    "MISTAKES",
    "REACH",
    "SMALLEST",
    "TALLIES",
    "VECTOR",
    "log_odds",
    "news",
    "observe",
    "rows_of",
    "standardise",
]

# Entries of a model's tally.
LOG_EVIDENCE, MISTAKES, FLIPS = range(3)
TALLIES = 3
# For the statistics of a column an entry counts as no farther than this many scales
# from the centre: its square cannot overflow, and one absurd entry does not make the
# column's spread absurd for ever.
REACH = 1e3
HUGE = 1e300  # fields and variances up to here are numbers to go on with
SMALLEST = 1e-307  # a scale whose reciprocal is still a number

_f, _i = types.float64, types.int64
VECTOR, MATRIX = _f[::1], _f[:, ::1]
GIVEN = types.Array(_f, 1, "C", readonly=True)
CODES = types.Array(_i, 1, "C", readonly=True)


def rows_of(number: Any) -> Any:
    """Return the type of a table of such numbers."""
    return types.Array(number, 2, "C", readonly=True)


@inlined
def standardise(
    x: FloatArray,
    center: FloatArray,
    inverse_scale: FloatArray,
    clip: float,
    z: FloatArray,
) -> bool:
    """Write eq. (1) and return whether all entries are finite numbers."""
    odd = 0.0
    for i in range(x.size):
        entry = float(x[i])
        odd += entry * 0.0  # NaN if the entry is NaN or infinite
        deviation = (entry - center[i]) * inverse_scale[i]
        z[i] = min(max(deviation, -clip), clip)
    return odd == 0.0


@inlined
def observe(
    x: FloatArray,
    center: FloatArray,
    inverse_scale: FloatArray,
    times: float,
    sums: FloatArray,
) -> None:
    """Add a row that many times to the sums of deviations and of their squares."""
    for i in range(x.size):
        deviation = (float(x[i]) - center[i]) * inverse_scale[i]
        deviation = min(max(deviation, -REACH), REACH)
        sums[0, i] += times * deviation
        sums[1, i] += times * deviation * deviation


@inlined
def log_odds(mean: float, variance: float, noise: float) -> float:
    """Return by how much the label +1 is likelier than -1, as a logarithm."""
    if not variance > 0.0:
        return 0.0
    positive = evidence(mean, variance, 1.0, noise)
    negative = evidence(mean, variance, -1.0, noise)
    return float(positive.log_probability - negative.log_probability)


@inlined
def news(
    mean: float, variance: float, label: float, noise: float, tally: FloatArray
) -> tuple[float, float]:
    """Return slope and curvature for one label, and keep count.

    A label that was believed to have the probability Z was flipped with probability
    k (1 - k - Z) / ((1 - 2k) Z).
    """
    if label * mean <= 0.0:
        tally[MISTAKES] += 1.0
    if not variance > 0.0:  # a step, and nothing of the input is left
        tally[LOG_EVIDENCE] -= math.log(2.0)
        return 0.0, 0.0
    told = evidence(mean, variance, label, noise)
    tally[LOG_EVIDENCE] += told.log_probability
    if noise > 0.0:
        z = math.exp(told.log_probability)
        tally[FLIPS] += noise * max(1.0 - noise - z, 0.0) / ((1.0 - 2.0 * noise) * z)
    return told.slope, told.curvature
