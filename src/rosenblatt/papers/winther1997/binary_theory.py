"""Learning curve of the binary prior: future work of the paper."""

from __future__ import annotations

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from rosenblatt.core.gaussian import nodes
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.papers.winther1997.binary import learned
from rosenblatt.rules import BinaryBayes
from rosenblatt.theory import critical_alpha, solve_online
from rosenblatt.theory.closed import spherical_bayes

__all__ = ["CLAIMS", "LARGE", "TIMES", "large_runs"]

LARGE = 3000
TIMES = (1.0, 2.0, 3.0, 4.0, 5.5)
_FOUND = TIMES[-1]
_MEDIUM = 1000  # instead, where it has to be quick
_NOISES = (0.05, 0.1, 0.2)
_LATEST = 40.0  # strength; 1 - q is then below 1e-9


def large_runs(noise: float, quick: bool) -> xr.Dataset:
    """Return runs at large N, of the learner that is not trapped."""
    return learned(BinaryBayes(noise=noise), _MEDIUM if quick else LARGE, TIMES, 20)


def _theory(noise: float, alpha: float) -> float:
    curve = solve_online([alpha], noise, prior="binary")["error"]
    return float(curve.sel(learner="bayes")[0])


def _error(noise: float, index: int) -> Claim:
    alpha = TIMES[index]

    @claim(f"winther1997/curve/noise{noise:g}-alpha{alpha:g}", "section 4, future work")
    @expect(lambda quick: _theory(noise, alpha), catches=0.016)
    @allow(2 / _MEDIUM, "corrections are O(1/N): the transition is a little earlier")
    @fill(alpha=alpha, noise=noise, dim=LARGE, medium=_MEDIUM)
    def measure(quick: bool) -> Measurement:
        """Error with a binary prior at alpha = {alpha:g}, noise {noise:g}: runs of N =
        {dim} ({medium} if quick) against the curve for N to infinity.
        """
        return average(np.asarray(large_runs(noise, quick)["error"])[:, index])

    return measure


@claim("winther1997/curve/critical", "section 4, future work")
@expect(critical_alpha(0.0), catches=0.01)
@allow(1e-3, "it is followed until 1 - q is about 1e-9, not to infinity")
def _blown_up(quick: bool) -> Measurement:
    """Without noise the learner knows the teacher exactly from alpha = 4.368 on: where
    the equation blows up, integrated step by step.

    There the strength of the field is beyond all bounds.
    """
    z, weight = nodes([])

    def overlap(strength: float) -> float:
        return float(weight @ np.tanh(np.sqrt(strength) * z + strength) ** 2)

    def slope(alpha: float, state: FloatArray) -> list[float]:
        q = overlap(state[0])
        return [spherical_bayes.information(q) / (1 - q)]

    def end(alpha: float, state: FloatArray) -> float:
        return float(state[0] - _LATEST)

    end.terminal = True  # type: ignore[attr-defined]
    found = solve_ivp(slope, (0.0, 10.0), [0.0], "LSODA", events=end, rtol=1e-8)
    return Measurement(float(found.t[-1]), 0.0)


@claim("winther1997/curve/found", "section 4, future work")
@expect(1.0, catches=0.05)
@allow(0.01, "one run in a hundred would not be seen")
def _all_solved(quick: bool) -> Measurement:
    """Share of runs at large N that know the teacher at alpha = 5.5."""
    run = large_runs(0.0, quick).sel(alpha=_FOUND)
    return average(np.asarray(run["solved"], dtype=np.float64))


CLAIMS = (
    *(_error(0.0, index) for index in range(3)),
    *(_error(noise, 3) for noise in _NOISES),
    _blown_up,
    _all_solved,
)
