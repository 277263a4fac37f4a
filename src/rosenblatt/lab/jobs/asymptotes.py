"""Asymptotes of learning curves, where a closed form is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import rosenblatt as rb
from rosenblatt.core.types import FloatArray
from rosenblatt.lab.jobs.experiment import Experiment
from rosenblatt.rules import Hebb, Normalised, Perceptron, Shifted, SphericalBayes
from rosenblatt.schedules import Constant, Power
from rosenblatt.theory import closed, online_asymptote, stationary

__all__ = ["Asymptote", "asymptote"]


class Asymptote(NamedTuple):
    """An error for late times, and what it is called."""

    name: str
    error: Callable[[FloatArray], FloatArray]


def _level(name: str, value: float) -> Asymptote:
    return Asymptote(f"{name}: {value:.4g}", lambda alpha: np.full_like(alpha, value))


def _power(factor: float, exponent: float, floor: float) -> Asymptote:
    above = f"{floor:g} + " if floor else ""
    law = f"{factor:.4g}/" + ("\u03b1" if exponent == 1 else "\u221a\u03b1")
    return Asymptote(above + law, lambda alpha: floor + factor * alpha**-exponent)


def _perceptron(parts: Experiment, noise: float) -> Asymptote | None:
    """Return the asymptote of the normalised perceptron rule without a shift."""
    rate = parts.schedule
    if parts.stream.mean == 0 and noise == 0:
        if isinstance(rate, Constant):
            angle = closed.perceptron.fixed_point(rate.rate)
            return _level("stationary", angle / math.pi)
        if isinstance(rate, Power) and rate.exponent == 1:
            if rate.scale > math.sqrt(2 * math.pi):
                return _power(closed.perceptron.asymptote(rate.scale), 1, 0)
            return None
    if isinstance(rate, Power) and 0 < rate.exponent <= 1 and noise < 0.5:
        found = closed.noisy_perceptron.limit(noise=noise, stream=parts.stream)
        return _level("limit", found.error)
    return None


def _drifting(parts: Experiment) -> Asymptote | None:
    """Return the stationary error at a constant rate, if there is one."""
    rate = parts.schedule
    if not isinstance(rate, Constant) or isinstance(parts.rule, rb.core.BeliefRule):
        return None
    try:
        found = stationary(parts.rule, rate.rate, parts.teacher, motion=parts.motion)
    except (ValueError, ArithmeticError):
        return None
    return _level("stationary", found.error)


def _shifted(parts: Experiment, rule: Shifted, noise: float) -> Asymptote | None:
    """Return the asymptote of the shifted rule on the schedule 1/alpha."""
    rate, overlap = parts.schedule, parts.stream.overlap
    uniform = not (isinstance(rule.by, rb.rules.AverageShift) and not rule.by.uniform)
    if not (isinstance(rate, Power) and rate.exponent == 1 and uniform and overlap):
        return None
    scale = rate.scale * 2 * closed.noisy_perceptron.density(overlap)
    if scale <= 1 or not 0 < noise < 0.5:
        return None
    learned = isinstance(rule.by, rb.rules.AverageShift)
    k = closed.shifted_perceptron.prefactor(
        scale, noise=noise, overlap=overlap, learned=learned
    )
    factor = closed.shifted_perceptron.excess(k, noise=noise, overlap=overlap)
    return _power(factor, 0.5, noise)


def asymptote(parts: Experiment) -> Asymptote | None:
    """Return the error at late times; None where no closed form is known.

    Examples
    --------
    >>> from rosenblatt.lab.state import State
    >>> from rosenblatt.lab.jobs.experiment import experiment
    >>> asymptote(experiment(State())).name
    '1.273/α'
    """
    teacher = parts.teacher
    noise = teacher.noise if isinstance(teacher, rb.teachers.Sign) else math.nan
    if parts.motion is not None:
        return _drifting(parts)
    match parts.rule:
        case Normalised(rule=Perceptron(margin=0)):
            return _perceptron(parts, noise)
        case Normalised(rule=Shifted(rule=Perceptron(margin=0)) as shifted):
            return _shifted(parts, shifted, noise)
        case Hebb() if parts.stream.mean == 0 and isinstance(parts.schedule, Constant):
            if noise == 0.5:
                return None
            # the angle of the closed form is sqrt(pi / 2 alpha) / (1 - 2 noise)
            return _power(1 / math.sqrt(2 * math.pi), 0.5, noise)
        case SphericalBayes(noise=assumed) if parts.stream.mean == 0:
            if assumed != noise or noise == 0.5:
                return None
            return _power(online_asymptote(noise), 1, noise)
    return None
