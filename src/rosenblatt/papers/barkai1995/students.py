"""Simulations of section 4 that several claims, errata and figures share.

Students of one parameter are given as x, in the unit of
:mod:`~rosenblatt.papers.barkai1995.equilibrium`: multiples of the next step.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import xarray as xr

from rosenblatt.core import Machine
from rosenblatt.core.types import FloatArray
from rosenblatt.machines import Ball, Threshold
from rosenblatt.papers.barkai1995 import disc
from rosenblatt.papers.barkai1995.equations import SEED, simulated_machine
from rosenblatt.schedules import Constant, Power
from rosenblatt.streams import Normal, Uniform

__all__ = [
    "DISC",
    "EVEN",
    "FIRST",
    "KAPPA",
    "LINE_RATE",
    "NOISE",
    "constant_rate",
    "discs",
    "falling_rate",
    "noisy_rate",
    "spread",
    "steady",
]

DISC = Ball(dim=2, radius=1.0)
FIRST = 100.0  # n before the first example, which keeps falling rates small
EVEN = Uniform(1, -2.0, 2.0)
KAPPA = 0.25  # its density, which is kappa of a threshold
LINE_RATE = 1 / math.sqrt(2 * math.pi)  # lambda of a threshold at 0, normal inputs
NOISE = 0.2
_DEPTH = 10.0  # eta lambda n after which a start is forgotten but for exp(-10)


def spread(replicas: int, reach: float, parameters: int = 1) -> FloatArray:
    """Return starts spread evenly over -reach ... reach."""
    rng = np.random.default_rng(SEED)
    return rng.uniform(-reach, reach, (replicas, parameters))


@functools.cache
def constant_rate(rate: float, replicas: int, start: float | None = None) -> FloatArray:
    """Return x of thresholds at a constant rate, normal inputs, long after the start.

    They start within 0.2 of the target, spread or, if ``start`` is given, at this x.
    """
    begin = spread(replicas, 0.2)
    if start is not None:
        begin = np.full((replicas, 1), start * rate)
    # they come nearer as exp(-eta lambda n), until there are only steps
    depth = _DEPTH + math.log(max(1.0, 0.2 / rate))
    run = simulated_machine(
        Threshold(),
        Constant(rate),
        [0.0],
        Normal(1),
        examples=round(depth / (rate * LINE_RATE)),
        replicas=replicas,
        start=begin,
    )
    return np.asarray(run["weights"].values[:, 0, 0]) / rate


@functools.cache
def noisy_rate(rate: float, replicas: int, target: float = 0.0) -> FloatArray:
    """Return w - w0 of thresholds at a constant rate, normal inputs, noisy labels."""
    run = simulated_machine(
        Threshold(),
        Constant(rate),
        [target],
        Normal(1),
        examples=round(_DEPTH / (rate * LINE_RATE)),
        replicas=replicas,
        noise=NOISE,
        start=target + spread(replicas, rate / 2),  # all steps are eta: no lattice
    )
    return np.asarray(run["weights"].values[:, 0, 0]) - target


@functools.cache
def falling_rate(
    exponent: float, scale: float, examples: int, replicas: int
) -> FloatArray:
    """Return x of thresholds for a rate eta0 n^-z, with eta0 kappa = scale.

    Inputs are spread evenly: everything about x is exact, not only for small rates.
    """
    unit = scale / KAPPA
    run = simulated_machine(
        Threshold(),
        Power(unit, exponent, FIRST),
        [0.0],
        EVEN,
        examples=examples,
        replicas=replicas,
        start=spread(replicas, unit * FIRST**-exponent),
    )
    following = unit * math.pow(FIRST + examples + 1, -exponent)
    return np.asarray(run["weights"].values[:, 0, 0] / following)


@functools.cache
def discs(
    exponent: float,
    scale: float,
    examples: tuple[int, ...],
    replicas: int,
    noise: float = 0.0,
) -> xr.Dataset:
    """Return discs for a rate eta0 n^-z with eta0 lambda = scale.

    They start within 0.2 of the target.
    """
    unit = scale / disc.rate()
    return simulated_machine(
        DISC,
        Power(unit, exponent, FIRST),
        [0.0, 0.0],
        Normal(2),
        examples=examples,
        replicas=replicas,
        noise=noise,
        start=spread(replicas, 0.2, 2),
    )


@functools.cache
def steady(
    machine: Machine,
    target: tuple[float, ...],
    return_rate: float,
    rates: tuple[float, ...],
    replicas: int,
    noise: float = 0.0,
) -> list[xr.Dataset]:
    """Return students long after the start, for each constant rate; normal inputs.

    ``return_rate`` is lambda, which says how long it takes.
    """
    size = machine.parameters
    return [
        simulated_machine(
            machine,
            Constant(rate),
            target,
            Normal(machine.inputs),
            examples=round(_DEPTH / (rate * return_rate)),
            replicas=replicas,
            noise=noise,
            start=np.array(target) + spread(replicas, 3 * rate, size),
        )
        for rate in rates
    ]
