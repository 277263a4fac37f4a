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
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average, ratio
from rosenblatt.schedules import Constant
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory.closed.noisy_perceptron import density, error
from rosenblatt.theory.closed.shifted_perceptron import fixed_point, pull

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


@claim("barkai1995/eq11/condition", "eq. (11)", published=0.0)
@expect(0.0, catches=0.05)
def _condition(quick: bool) -> Measurement:
    """With T of eq. (13) the teacher's own mistakes cancel: mean of sigma0 (S - T)
    along the teacher over the wrong labels, p = 0.1.
    """
    rng = np.random.default_rng(SEED)
    b, _, labels = inputs(rng, 200_000 if quick else 1_000_000, NOISE, STREAM)
    wrong = labels != np.sign(b)
    return average((labels * (b - _Q0 - printed_shift(_Q0)))[wrong])


def _along(name: str, noise: float) -> Claim:
    @claim(
        f"barkai1995/eq13/{name}",
        "eqs. (12) and (13)",
        published=_Q0 + printed_shift(_Q0),
    )
    @expect(_Q0 + printed_shift(_Q0))
    @fill(noise=noise)
    def measure(quick: bool) -> Measurement:
        """Component of T along the teacher, from averages over labels with p =
        {noise:g}; u = 2, q0 = 1.
        """
        return _shift(noise, lambda b, c: b)

    return measure


def _linear(name: str, row: int, column: int, value: float) -> Claim:
    row_name, column_name = ("R", "q")[row], ("R", "q")[column]

    @claim(f"barkai1995/eq14/{name}", "eq. (14)", published=value)
    @expect(value, catches=1e-3)
    @allow(1e-8, "numerical derivative")
    @fill(column_name=column_name, row_name=row_name)
    def measure(quick: bool) -> Measurement:
        """Coefficient of eta delta {column_name} in the change of delta {row_name}, q0
        = 1: derivative of the exact drift, for every p.
        """
        ends = []
        for step in (1e-5, -1e-5):  # central differences, good to the square of that
            point = np.array([1.0, _Q0])
            point[column] += step
            ends.append(pull(point[0], point[1], teacher_overlap=_Q0)[row])
        return Measurement((ends[0] - ends[1]) / 2e-5, 0.0)

    return measure


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
    @claim(f"barkai1995/eq14/{name}", "eq. (14)", published=value)
    @expect(value, catches=0.05 * value)
    @allow(
        2 * value / _STEP_DIM,
        "the components across number N - 1, and U has one of them",
    )
    @fill(overlap=("R", "q")[row], step_dim=_STEP_DIM)
    def measure(quick: bool) -> Measurement:
        """Coefficient of eta^2 in the change of delta {overlap} at the teacher, p =
        0.1, q0 = 1: single steps of eq. (10) on wrong labels, N = {step_dim}.
        """
        rng = np.random.default_rng(SEED)
        inputs = rng.standard_normal((500 if quick else 5000, _STEP_DIM))
        inputs[:, :2] += STREAM.center
        # What is odd in the rate is eq. (11); half the sum of both signs leaves it out.
        moved = 0.5 * (_moved(_STEP, inputs) + _moved(-_STEP, inputs))[row]
        lost = (1.0, _Q0)[row] - moved
        return average(NOISE * _STEP_DIM / _STEP**2 * lost)

    return measure


@claim("barkai1995/eq15/rest", "eqs. (14) and (15)", published=0.25 * NOISE / _PHI)
@expect(0.25 * NOISE / _PHI, catches=0.01 * 0.25 * NOISE / _PHI)
@allow(2e-4 * 0.25 * NOISE / _PHI, "eq. (15) leaves out the root of the rate")
def _rest(quick: bool) -> Measurement:
    """At a small constant rate 1 - R comes to rest in proportion to the rate, at p/(4
    phi0) per rate. From the exact fixed point at the rate 1e-8.
    """
    rate = 1e-8
    angle = fixed_point(rate, noise=NOISE, overlap=_Q0)
    return Measurement(2 * math.sin(0.5 * angle) ** 2 / rate, 0.0)


@claim("barkai1995/eq13/across", "eqs. (12) and (13)", published=STREAM.center[1])
@expect(STREAM.center[1])
def _across(quick: bool) -> Measurement:
    """Component of T across the teacher is that of U, from averages over labels with p
    = 0.2.
    """
    return _shift(0.2, lambda b, c: c)


CLAIMS = (
    _condition,
    _along("along", 0.0),
    _along("along-noisy", 0.2),
    _across,
    _linear("r-by-r", 0, 0, -math.sqrt(2 / math.pi) * math.exp(-(_Q0**2) / 2)),
    _linear("r-by-q", 0, 1, 0.0),
    _linear("q-by-q", 1, 1, -math.exp(-(_Q0**2) / 2) / math.sqrt(2 * math.pi)),
    _linear("q-by-r", 1, 0, -_Q0 * math.exp(-(_Q0**2) / 2) / math.sqrt(2 * math.pi)),
    _noise_term("r-noise", 0, 0.5 * NOISE),
    _noise_term("q-noise", 1, 0.5 * _Q0 * NOISE),
    _rest,
)
