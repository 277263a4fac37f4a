r"""Cases in which the regular rule finds the teacher in spite of noise.

Special case (ii) of the paper, a mean U parallel to the teacher, holds up to the
critical noise :math:`p_c = \phi_0 / (2 \phi_0 + |s q_0|)` only, see
:mod:`rosenblatt.theory.closed.noisy_perceptron`. Beyond, the teacher is unstable and
the student ends on a cone around it.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np
import xarray as xr

from rosenblatt.core import starts
from rosenblatt.core.figures import FigureData, Series
from rosenblatt.papers.barkai1995.equations import RULE, SEED, simulated
from rosenblatt.papers.barkai1995.equations_3 import printed_excess
from rosenblatt.papers.barkai1995.section_3 import SCHEDULE, late, limit_of
from rosenblatt.papers.claims import Measurement
from rosenblatt.papers.decorators import claim, expect, figure
from rosenblatt.papers.series import line, points
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.closed.noisy_perceptron import (
    bias,
    critical_noise,
    density,
    limit,
    small_noise_slope,
)

__all__ = [
    "CLAIMS",
    "NOISY",
    "PARALLEL",
    "figure_excess",
    "figure_stability",
    "parallel",
]

PARALLEL = Gaussian(mean=1.5, overlap=1.5)
NOISY = 0.4  # far beyond the critical noise there, 0.083
_LOST = 0.9  # overlap below which the teacher counts as lost
_MEANS = (Gaussian(2.0, 1.0), Gaussian(1.0, 0.5))
# Means q0 that are simulated, by noise; where nothing is in doubt some are left out.
_GRID = {
    0.05: (1.25, 1.5, 2.0, 2.5, 3.0),
    0.1: (1.25, 1.5, 2.0, 2.5, 3.0),
    0.2: (0.25, 0.5, 0.75, 1.0, 1.25, 1.5),
    0.3: (0.25, 0.5, 0.75, 1.0, 1.25, 1.5),
    0.4: (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0),
}
_QUICK = (0.1, 0.2, 0.4)  # noise, for a quick look


@functools.lru_cache(maxsize=2)
def parallel(quick: bool) -> xr.Dataset:
    """Return the regular rule with a mean that is parallel to the teacher."""
    return late(NOISY, PARALLEL, quick)


def _contour(overlap: float, q0: float) -> float:
    """Return the noise at which the cone has this overlap: e(q) of the cone, solved."""
    clear = bias(overlap * q0) / (bias(q0) + 2 * density(q0) / q0)
    return 0.5 * (1 - clear)


def _ends(noise: float, q0: float) -> float:
    """Return the mean overlap of students that begin at the teacher."""
    run = simulated(
        RULE,
        SCHEDULE,
        Sign(noise),
        Gaussian(q0, q0),
        dim=50,
        alpha=2000.0,
        replicas=4,
        start=starts.Overlap(1.0),
        engine="reduced",
    )
    return float(run["overlap"].mean())


@figure("barkai1995/stability", "text after eq. (9)")
def figure_stability(*, quick: bool = False) -> FigureData:
    """Return where the teacher is stable if U is parallel to it."""
    q0 = [float(x) for x in np.linspace(0.02, 3.1, 100)]
    critical = [critical_noise(x) for x in q0]
    kept: list[tuple[float, float]] = []
    lost: list[tuple[float, float]] = []
    for noise in _QUICK if quick else _GRID:
        for x in _GRID[noise][::3] if quick else _GRID[noise]:
            (lost if _ends(noise, x) < _LOST else kept).append((x, noise))
    series = [
        Series(
            "critical noise; unstable above",
            q0,
            critical,
            "theory",
            low=critical,
            high=[0.5] * len(q0),
        ),
        line(
            f"the student ends at R = {_LOST:g}", q0, [_contour(_LOST, x) for x in q0]
        ),
    ]
    for sign, found in ((">", kept), ("<", lost)):
        x, y = np.array(found).T
        name = f"R {sign} {_LOST:g} in simulations, N = 50"
        series.append(points(name, x, y))
    return FigureData(
        title="Special case (ii), U parallel to the teacher",
        caption=(
            "Noise at which the teacher becomes unstable for the regular rule with "
            "rates to zero, and the noise at which the student ends at R = 0.9. Points "
            "are simulations from R = 1 to alpha = 2000, by their final R. "
            "The paper has the teacher stable everywhere."
        ),
        x_label=r"mean input along the teacher $q_0 = u$",
        y_label=r"noise $p$",
        series=tuple(series),
    )


@figure("barkai1995/excess", "eq. (9)")
def figure_excess(*, quick: bool = False) -> FigureData:
    """Return the error above p of the regular rule, for rates to zero."""
    noise = [float(p) for p in np.linspace(0.0, 0.49, 50)]
    series = []
    grid = np.array(_QUICK if quick else list(_GRID))
    seeds = itertools.count(SEED)  # points are independent of each other
    for stream in _MEANS:
        exact = [limit(noise=p, stream=stream).error - p for p in noise]
        words = f"u = {stream.mean:g}, q0 = {stream.overlap:g}"
        series.append(line(f"exact, {words}", noise, exact))
        found = [
            limit_of(late(p, stream, quick, next(seeds)), "error")
            for p in grid.tolist()
        ]
        values = np.array([m.value for m in found]) - grid
        errors = [m.stderr for m in found]
        series.append(points(f"simulations, {words}", grid, values, errors))
    small = [p for p in noise if p <= 0.2]  # further on the lines leave the figure
    printed, corrected = printed_excess(_MEANS[0]), small_noise_slope(_MEANS[0])
    series += [
        line(
            "eq. (9), u = 2, q0 = 1",
            small,
            [printed * p for p in small],
            role="published",
        ),
        line("eq. (9) corrected", small, [corrected * p for p in small]),
    ]
    return FigureData(
        title="Error of the regular rule above p, rates to zero",
        caption=(
            "The exact limit for two means of the inputs, simulations at N = 50 with "
            "their standard errors, and eq. (9), which is for small p, as printed and "
            "corrected, for the first mean."
        ),
        x_label=r"noise $p$",
        y_label=r"error above $p$",
        series=tuple(series),
    )


@claim("barkai1995/special/cone", "text after eq. (9)")
@expect(limit(noise=NOISY, stream=PARALLEL).overlap, catches=0.04)
def _cone(quick: bool) -> Measurement:
    """Special case (ii) beyond the critical noise, u = q0 = 1.5, p = 0.4: the student
    ends on a cone around the teacher, with the overlap R.
    """
    return limit_of(parallel(quick), "overlap")


CLAIMS = (_cone,)
