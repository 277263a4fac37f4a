r"""The rules of the paper with inputs that are not Gaussian.

Components of the inputs are independent, with mean :math:`U_i` and variance 1, and
either uniform or exponential, which is not even symmetric. Teacher, student and U have
components of order :math:`N^{-1/2}`, so that the fields become Gaussian as N grows, up
to terms of order 1/N. The learning curves then are those of the Gaussian. As in
:mod:`~rosenblatt.papers.barkai1995.figure_2` the student does not move at first, so
that the averages for T have begun.

Runs are plain NumPy, with inputs of N components; the theory is for N to infinity.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np

from rosenblatt.core import Clock, starts
from rosenblatt.core.types import FloatArray
from rosenblatt.papers.barkai1995 import equations
from rosenblatt.papers.barkai1995.equations import SEED, scheduled_angles, spread2
from rosenblatt.papers.barkai1995.equations_3 import LEARNED, schedule, shrink
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.decorators import allow, claim, expect, fill
from rosenblatt.papers.estimates import average
from rosenblatt.schedules import Custom
from rosenblatt.streams import Gaussian
from rosenblatt.teachers import Sign
from rosenblatt.theory import solve
from rosenblatt.theory.closed.noisy_perceptron import error_at

__all__ = ["CLAIMS"]

_NOISE, _STREAM = 0.1, Gaussian(mean=2.0, overlap=1.0)
_DIM = 100
# Students move from this alpha on, as in figure 2, from this R, and until this alpha.
_BEGIN, _NEAR, _END = 20.0, 0.95, 100.0
_SCALE = schedule(2.0, _STREAM.overlap).scale
_BLOCK = 250  # examples that are drawn at a time
_Law = Callable[[np.random.Generator, tuple[int, ...]], FloatArray]
_LAWS: dict[str, _Law] = {
    "uniform": lambda rng, shape: rng.uniform(-math.sqrt(3), math.sqrt(3), shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1.0,
}


def _directions(rng: np.random.Generator, replicas: int) -> FloatArray:
    """Return three orthonormal vectors for each replica."""
    vectors = rng.standard_normal((replicas, _DIM, 3))
    return np.moveaxis(np.linalg.qr(vectors)[0], 2, 0)


@functools.lru_cache(maxsize=8)
def _overlaps(law: str, noisy: bool, quick: bool) -> tuple[FloatArray, FloatArray]:
    """Return R and q at the end: of eq. (10), or of eq. (2) where nothing is noisy."""
    rng = np.random.default_rng([SEED, list(_LAWS).index(law), noisy])
    replicas = 48 if quick else 200
    teacher, other, across = _directions(rng, replicas)
    q0, v = _STREAM.center if noisy else (0.0, 0.0)
    center = q0 * teacher + v * other
    weights = _NEAR * teacher + math.sqrt(1 - _NEAR**2) * across
    scale = (schedule(2.0, q0) if noisy else equations.schedule(2.0)).scale
    sums, labels_sum = np.zeros_like(weights), np.zeros(replicas)
    block = np.empty(0)
    for example in range(0 if noisy else round(_BEGIN * _DIM), round(_END * _DIM)):
        if example % _BLOCK == 0:
            block = _LAWS[law](rng, (_BLOCK, replicas, _DIM))
        inputs = block[example % _BLOCK] + center
        labels = np.sign((inputs * teacher).sum(axis=1))
        labels *= np.where(rng.random(replicas) < (_NOISE if noisy else 0.0), -1, 1)
        wrong = labels * (inputs * weights).sum(axis=1) <= 0
        shift = np.zeros_like(weights)
        if noisy:  # eq. (12), from the examples so far
            sums += labels[:, None] * inputs
            labels_sum += labels
            known = labels_sum != 0
            shift[known] = sums[known] / labels_sum[known, None]
        alpha = (example + 1) / _DIM
        rate = 0.0 if alpha <= _BEGIN else scale / alpha
        weights += (rate / _DIM * wrong * labels)[:, None] * (inputs - shift)
        weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    return (weights * teacher).sum(axis=1), (weights * center).sum(axis=1)


def _noisy_error(law: str, quick: bool) -> Measurement:
    """Return the error above p that the overlaps make, by the corrected eq. (8)."""
    pairs = zip(*_overlaps(law, True, quick), strict=True)
    errors = [error_at(r, q, noise=_NOISE, stream=_STREAM) for r, q in pairs]
    return average(np.array(errors) - _NOISE)


def _rate(clock: Clock) -> float:
    return 0.0 if clock.time <= _BEGIN else _SCALE / clock.time


@functools.cache
def _noisy_theory() -> float:
    q0, v = _STREAM.center
    curve = solve(
        LEARNED,
        Custom(_rate),
        Sign(_NOISE),
        _STREAM,
        alpha=[_END],
        start=starts.Overlap(_NEAR, mean=_NEAR * q0),
    )
    above = float(curve["error"].values[0, 0]) - _NOISE
    return above * shrink(_DIM, 1 + v * v)


def _shifted(law: str) -> Claim:
    @claim(f"barkai1995/inputs/{law}-noise", "text after eq. (18)")
    @expect(lambda quick: _noisy_theory(), catches=0.005)
    @allow(
        2 / _DIM * math.sqrt(2 * _NOISE / (math.pi * _END)),
        "fields are Gaussian up to terms of order 1/N; of eq. (18), here",
    )
    @fill(law=law, dim=_DIM, end=_END)
    def measure(quick: bool) -> Measurement:
        """The shifted rule was tested with several input distributions. With {law}
        components, p = 0.1, u = 2, q0 = 1, T learned, N = {dim}: error above p at alpha
        = {end:g}, which the Gaussian has for N to infinity.
        """
        return _noisy_error(law, quick)

    return measure


def _clean_theory() -> float:
    (angle,) = scheduled_angles(2.0, [_END], first=_BEGIN, start=math.acos(_NEAR))
    return _END * float(angle) / math.pi / (1 + spread2(2.0) / _DIM)


def _clean_error(law: str, quick: bool) -> Measurement:
    angles = np.arccos(_overlaps(law, False, quick)[0])
    return average(_END * angles / math.pi)


def _regular(law: str) -> Claim:
    @claim(f"barkai1995/inputs/{law}", "abstract and section 5")
    @expect(lambda quick: _clean_theory(), catches=0.15)
    @allow(2 / _DIM, "fields are Gaussian up to terms of order 1/N")
    @fill(law=law, dim=_DIM, end=_END)
    def measure(quick: bool) -> Measurement:
        """For "well-behaved" input distributions the error falls as 1/alpha. Eq. (2)
        with {law} components, eta0 = 2, N = {dim}: alpha times the error at alpha =
        {end:g}, which the Gaussian has too.
        """
        return _clean_error(law, quick)

    return measure


CLAIMS = (_regular("exponential"), *(_shifted(law) for law in _LAWS))
