"""Claims of section 3 about the shift and small constant rates: eqs. (11) to (15)."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from rosenblatt.core import starts
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995.equations import SEED, simulated
from rosenblatt.papers.barkai1995.equations_3 import (
    inputs,
    known,
    printed_shift,
    shrink,
)
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.estimates import average, ratio
from rosenblatt.schedules import Constant
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.closed.noisy_perceptron import density, error
from rosenblatt.theory.closed.shifted_perceptron import (
    fixed_point,
    pull,
)

__all__ = ["CLAIMS", "NOISE", "RATE", "REST", "STREAM", "residual"]

STREAM = Gaussian(mean=2.0, overlap=1.0)
NOISE = 0.1
_Q0 = STREAM.overlap
_PHI = density(_Q0)
RATE = 0.02  # constant, and small
_ANGLE = fixed_point(RATE, noise=NOISE, overlap=_Q0)
_DIM = 200
_STEP, _STEP_DIM = 0.1, 200  # rate and N of single steps
REST = (error(_ANGLE, 0.0, noise=NOISE, overlap=_Q0) - NOISE) * shrink(
    _DIM, 1 + STREAM.center[1] ** 2
)  # error above p there


@functools.lru_cache(maxsize=2)
def residual(quick: bool) -> Measurement:
    """Return the error above p at a constant rate, T known, N = 200."""
    run = simulated(
        known(_Q0),
        Constant(RATE),
        Sign(NOISE),
        STREAM,
        dim=_DIM,
        # memories last 1 / (eta phi0) = 200
        alpha=(800.0,) if quick else (1000.0, 2000.0),
        replicas=16 if quick else 40,
        start=starts.Overlap(math.cos(_ANGLE), mean=_Q0 * math.cos(_ANGLE)),
        engine="reduced",
    )
    return average(run["error"].values - NOISE)


def _shift(noise: float, component: Callable[..., FloatArray]) -> Measurement:
    rng = np.random.default_rng(SEED)
    b, c, labels = inputs(rng, 200_000, noise, STREAM)
    return ratio(labels * component(b, c), labels)


def _condition(quick: bool) -> Measurement:
    """Return eq. (11) along the teacher, per mistake of the teacher's."""
    rng = np.random.default_rng(SEED)
    b, _, labels = inputs(rng, 200_000 if quick else 1_000_000, NOISE, STREAM)
    wrong = labels != np.sign(b)
    return average((labels * (b - _Q0 - printed_shift(_Q0)))[wrong])


def _along(name: str, noise: float) -> Claim:
    return Claim(
        id=f"barkai1995/eq13/{name}",
        where="eqs. (12) and (13)",
        statement="Component of T along the teacher, from averages over labels with "
        f"p = {noise:g}; u = 2, q0 = 1.",
        published=_Q0 + printed_shift(_Q0),
        expected=_Q0 + printed_shift(_Q0),
        measure=lambda quick: _shift(noise, lambda b, c: b),
    )


def _linear(name: str, row: int, column: int, value: float) -> Claim:
    def measure(quick: bool) -> Measurement:
        ends = []
        for step in (1e-5, -1e-5):  # central differences, good to the square of that
            point = np.array([1.0, _Q0])
            point[column] += step
            ends.append(pull(point[0], point[1], teacher_overlap=_Q0)[row])
        return Measurement((ends[0] - ends[1]) / 2e-5, 0.0)

    row_name, column_name = ("R", "q")[row], ("R", "q")[column]
    return Claim(
        id=f"barkai1995/eq14/{name}",
        where="eq. (14)",
        statement=f"Coefficient of eta delta {column_name} in the change of delta "
        f"{row_name}, q0 = 1: derivative of the exact drift, for every p.",
        published=value,
        expected=value,
        measure=measure,
        allowance=1e-8,
        because="numerical derivative",
        catches=1e-3,
    )


def _moved(rate: float, inputs: FloatArray) -> FloatArray:
    """Return R and q of the teacher after one step of eq. (10) on a wrong label.

    Components of inputs are along the teacher, along the rest of U, and across both.
    """
    center = np.zeros(_STEP_DIM)
    center[:2] = STREAM.center
    shift = center.copy()
    shift[0] += printed_shift(_Q0)
    wrong = -np.sign(inputs[:, :1])
    weights = rate / _STEP_DIM * wrong * (inputs - shift)
    weights[:, 0] += 1.0
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    return np.stack([weights[:, 0], weights @ center])


def _noise_term(name: str, row: int, value: float) -> Claim:
    def measure(quick: bool) -> Measurement:
        rng = np.random.default_rng(SEED)
        inputs = rng.standard_normal((500 if quick else 5000, _STEP_DIM))
        inputs[:, :2] += STREAM.center
        # What is odd in the rate is eq. (11); half the sum of both signs leaves it out.
        moved = 0.5 * (_moved(_STEP, inputs) + _moved(-_STEP, inputs))[row]
        lost = (1.0, _Q0)[row] - moved
        return average(NOISE * _STEP_DIM / _STEP**2 * lost)

    return Claim(
        id=f"barkai1995/eq14/{name}",
        where="eq. (14)",
        statement="Coefficient of eta^2 in the change of delta "
        f"{('R', 'q')[row]} at the teacher, p = 0.1, q0 = 1: single steps of eq. (10) "
        f"on wrong labels, N = {_STEP_DIM}.",
        published=value,
        expected=value,
        measure=measure,
        allowance=2 * value / _STEP_DIM,
        because="the components across number N - 1, and U has one of them",
        catches=0.05 * value,
    )


def _rest(quick: bool) -> Measurement:
    rate = 1e-8
    angle = fixed_point(rate, noise=NOISE, overlap=_Q0)
    return Measurement(2 * math.sin(0.5 * angle) ** 2 / rate, 0.0)


CLAIMS = (
    Claim(
        id="barkai1995/eq11/condition",
        where="eq. (11)",
        statement="With T of eq. (13) the teacher's own mistakes cancel: mean of "
        "sigma0 (S - T) along the teacher over the wrong labels, p = 0.1.",
        published=0.0,
        expected=0.0,
        measure=_condition,
        catches=0.05,
    ),
    _along("along", 0.0),
    _along("along-noisy", 0.2),
    Claim(
        id="barkai1995/eq13/across",
        where="eqs. (12) and (13)",
        statement="Component of T across the teacher is that of U, from averages over "
        "labels with p = 0.2.",
        published=STREAM.center[1],
        expected=STREAM.center[1],
        measure=lambda quick: _shift(0.2, lambda b, c: c),
    ),
    _linear("r-by-r", 0, 0, -math.sqrt(2 / math.pi) * math.exp(-(_Q0**2) / 2)),
    _linear("r-by-q", 0, 1, 0.0),
    _linear("q-by-q", 1, 1, -math.exp(-(_Q0**2) / 2) / math.sqrt(2 * math.pi)),
    _linear("q-by-r", 1, 0, -_Q0 * math.exp(-(_Q0**2) / 2) / math.sqrt(2 * math.pi)),
    _noise_term("r-noise", 0, 0.5 * NOISE),
    _noise_term("q-noise", 1, 0.5 * _Q0 * NOISE),
    Claim(
        id="barkai1995/eq15/rest",
        where="eqs. (14) and (15)",
        statement="At a small constant rate 1 - R comes to rest in proportion to it, "
        "at p/(4 phi0) per rate: from the exact fixed point at the rate 1e-8.",
        published=0.25 * NOISE / _PHI,
        expected=0.25 * NOISE / _PHI,
        measure=_rest,
        allowance=2e-4 * 0.25 * NOISE / _PHI,
        because="eq. (15) leaves out the root of the rate",
        catches=0.01 * 0.25 * NOISE / _PHI,
    ),
)
