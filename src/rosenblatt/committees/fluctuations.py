r"""Fluctuations of the overlaps of a committee around their curve, of order 1/N.

An example changes the state by :math:`f / N`, where f depends on its fields. Around
the curve s of N to infinity the state has a covariance :math:`\Sigma / N` with

.. math:: \dot\Sigma = J \Sigma + \Sigma J^T + D, \qquad
    J = \partial \langle f \rangle / \partial s, \qquad D = \operatorname{Cov} f.
    \tag{1}

J comes from the drift by differences. D is the covariance of f over quasi-random
fields. Eq. (1) is linear in D: independent sets of fields give the standard error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp
from scipy.special import ndtri
from scipy.stats import qmc

from rosenblatt.committees.committee import (
    Committee,
    RateLike,
    check_rates,
    rate_of,
    shortfall,
    starting,
    triangular,
)
from rosenblatt.committees.theory import CommitteeDrift, first_state
from rosenblatt.compiling import compiled
from rosenblatt.core import Clock
from rosenblatt.core.arguments import increasing, part, whole
from rosenblatt.core.trace import labelled
from rosenblatt.core.types import FloatArray
from rosenblatt.specification.codec import describe
from rosenblatt.theory.control import derivatives

_SETS, _SEED = 8, 0  # independent sets of fields
_TOLERANCE = 1e-6  # of a step


class Diffusion:
    """Covariance of the change in one example, for several sets of examples."""

    def __init__(self, drift: CommitteeDrift, points: int) -> None:
        self._drift = drift
        fields = drift.students + drift.teachers
        seeds = np.random.SeedSequence(_SEED).spawn(_SETS)
        draws = [
            qmc.Sobol(fields + 1, rng=np.random.default_rng(seed)).random(points)
            for seed in seeds
        ]
        normal = ndtri(np.clip(np.stack(draws), 1e-16, 1 - 1e-16))
        self._normal = np.ascontiguousarray(normal)  # (set, point, field and noise)

    def __call__(
        self, state: FloatArray, rate: float, second_rate: float
    ) -> FloatArray:
        """Return D of eq. (1), (set, entry, entry)."""
        drift, k = self._drift, self._drift.students
        cross, own, outputs = drift.unpack(state)
        covariance = drift.covariance(cross, own)
        more = shortfall(covariance) * np.eye(len(covariance))
        low = triangular(covariance + more)
        u = self._normal[..., :-1] @ low.T
        g, slopes = drift.committee.evaluate(u)
        error = g @ drift.signs(outputs)
        error += drift.committee.noise * self._normal[..., -1]
        gain = rate * outputs * slopes[..., :k] * error[..., None]
        h = u[..., :k]
        i, j = drift.rows, drift.columns
        change = np.concatenate(
            [
                (gain[..., None] * u[..., None, k:]).reshape(*error.shape, -1),
                gain[..., i] * h[..., j] + gain[..., j] * h[..., i]
                + gain[..., i] * gain[..., j],
                second_rate * g[..., :k] * error[..., None],
            ],
            axis=-1,
        )  # fmt: skip
        change -= change.mean(axis=1, keepdims=True)
        return np.asarray(change.swapaxes(1, 2) @ change / change.shape[1])


def _names(drift: CommitteeDrift) -> list[str]:
    """Return the names of a state's entries."""
    units, teachers = range(drift.students), range(drift.teachers)
    own = zip(drift.rows, drift.columns, strict=True)
    return [
        *(f"R{i}{n}" for i in units for n in teachers),
        *(f"Q{i}{k}" for i, k in own),
        *(f"outputs{i}" for i in units),
    ]


def fluctuations(
    committee: Committee,
    rate: RateLike,
    *,
    alpha: float | Iterable[float],
    second_rate: RateLike = 0.0,
    start: Any = 0.5,
    points: int = 2048,
) -> xr.Dataset:
    """Return the covariance of a committee's overlaps at large N, times N.

    Parameters
    ----------
    committee, rate, alpha, second_rate, start
        As in :func:`rosenblatt.committees.solve`. Rates must not jump. All replicas
        begin with the same overlaps.
    points
        Examples of each of the 8 sets from which the covariance of one step is
        computed; a power of 2.

    Returns
    -------
    xarray.Dataset
        Variables: ``state`` (alpha, entry), ``covariance`` (alpha, entry, other) of the
        state times N, and its standard error ``stderr``. ``error_deviation`` (alpha) is
        the standard deviation of the error times sqrt(N). Entries have names such as
        R00, Q01 and outputs0.

    Examples
    --------
    >>> import rosenblatt as rb
    >>> committee = rb.committees.Committee(rb.rules.Erf(), students=1, teachers=1)
    >>> found = rb.committees.fluctuations(committee, 1.0, alpha=[0, 3])
    >>> found.covariance.sel(entry="R00", other="R00").values.round(2)
    array([0.  , 0.05])
    """
    part("committee", Committee, committee)
    schedules = rate_of("rate", rate), rate_of("second_rate", second_rate)
    rates = [compiled(schedule) for schedule in schedules]
    alphas = increasing("alpha", alpha)
    points = whole("points", points, low=16)
    if points & (points - 1):
        raise ValueError(f"points must be a power of 2, got {points}")
    drift = CommitteeDrift(committee)
    given = starting(start, committee.gram, drift.students)
    first = first_state(drift, given)
    diffusion, size = Diffusion(drift, points), first.size

    def change(time: float, both: FloatArray) -> FloatArray:
        clock = Clock(time, math.nan, math.inf)
        eta = float(rates[0](clock)), float(rates[1](clock))
        check_rates(schedules, eta, f"at alpha = {time:g}")
        state, spread = both[:size], both[size:].reshape(_SETS, size, size)
        slope = derivatives(lambda s: drift(s, *eta), state, drift.step)
        turned = slope @ spread
        more = turned + turned.swapaxes(1, 2) + diffusion(state, *eta)
        return np.concatenate([drift(state, *eta), more.ravel()])

    begin = np.concatenate([first, np.zeros(_SETS * size * size)])
    way = solve_ivp(
        change, (0.0, max(float(alphas[-1]), 1e-9)), begin, method="DOP853",
        t_eval=alphas, rtol=_TOLERANCE, atol=_TOLERANCE
    )  # fmt: skip
    if not (way.success and np.isfinite(way.y).all()):
        raise ArithmeticError(f"the fluctuations could not be followed: {way.message}")
    states, sets = way.y[:size].T, way.y[size:].T.reshape(-1, _SETS, size, size)
    covariance = sets.mean(axis=1)
    slopes = _error_slopes(drift, states)
    deviation = np.einsum("ae,aef,af->a", slopes, covariance, slopes)
    names, square = np.array(_names(drift)), ("alpha", "entry", "other")
    spec = describe(
        "committees.fluctuations", **vars(committee), rate=schedules[0],
        second_rate=schedules[1], start=given, alpha=alphas.tolist(), points=points
    )  # fmt: skip
    variables: dict[str, tuple[tuple[str, ...], Any]] = {
        "state": (("alpha", "entry"), states),
        "covariance": (square, covariance),
        "stderr": (square, sets.std(axis=1, ddof=1) / math.sqrt(_SETS)),
        "error_deviation": (("alpha",), np.sqrt(np.maximum(deviation, 0.0))),
    }
    along = {"alpha": alphas, "entry": names, "other": names}
    return labelled(variables, along, {}, engine="theory", spec=spec)


def _error_slopes(drift: CommitteeDrift, states: FloatArray) -> FloatArray:
    """Return the gradient of the error at each state."""

    def error(state: FloatArray) -> FloatArray:
        return drift.half_square(*drift.unpack(state))[None]

    return np.stack([derivatives(error, s, drift.step)[0] for s in states])
