r"""Figures 2 and 3: the clipped Hebb rule at n = 50, 100, 500, and with noise.

Beside the simulations, of the paper's sizes, are the exact means at these n and the
limits for :math:`n \to \infty`. Error bars are standard deviations, as in the paper.
The paper's n are even and its theory is for odd n, which changes nothing: an even n has
the votes of the next odd one (:mod:`rosenblatt.theory.closed.clipped_hebb`).
"""

from __future__ import annotations

import functools
import math

import numpy as np

from rosenblatt.core.figures import FigureData, Role, Series
from rosenblatt.core.gaussian import FloatArray
from rosenblatt.core.jit import IntArray
from rosenblatt.papers.claims import Claim, Measurement
from rosenblatt.papers.estimates import average
from rosenblatt.papers.golea1993.samples import distances
from rosenblatt.theory import solve_batch
from rosenblatt.theory.closed import binary_error, clipped_hebb

__all__ = ["CLAIMS", "figure_2a", "figure_2b", "figure_3", "figure_error"]

_SIZES = (50, 100, 500)
_NOISES = (0.0, 0.1, 0.2, 0.3, 0.4)
_NOISY = 100  # n of figure 3
_SAMPLES = 50  # of each point, as in the paper
_SHOWN = np.arange(0.5, 10.6, 0.5)  # alpha of the points
_SMOOTH = 10.5 * np.linspace(0.0, 1.0, 81) ** 2  # curves are steep at the beginning


def _examples(dim: int, alpha: FloatArray) -> tuple[int, ...]:
    return tuple(np.round(dim * alpha).astype(int).tolist())


def _odd(dim: int, alpha: FloatArray) -> list[int]:
    """Return odd numbers of examples, with which no tie matters."""
    return [m // 2 * 2 + 1 for m in _examples(dim, alpha)]


def _wrong(dim: int, alpha: FloatArray, noise: float = 0.0) -> IntArray:
    """Return numbers of wrong weights, a row per sample and a column per point."""
    return distances(dim, _examples(dim, alpha), _SAMPLES, noise=noise)


def _points(
    name: str, alpha: FloatArray, values: FloatArray, *, bars: bool = True
) -> Series:
    """Return means, with standard deviations to each side."""
    mean, spread = values.mean(axis=0), values.std(axis=0, ddof=1)
    return Series(
        name,
        alpha.tolist(),
        mean.tolist(),
        "simulation",
        low=(mean - spread).tolist() if bars else None,
        high=(mean + spread).tolist() if bars else None,
        shape="points",
    )


Curve = tuple[list[float], list[float]]


def _joined(name: str, curves: list[Curve], role: Role) -> Series:
    """Return curves as one series; what is not a number parts them."""
    x = [value for curve in curves for value in (*curve[0], math.nan)]
    y = [value for curve in curves for value in (*curve[1], math.nan)]
    return Series(name, x, y, role)


def _exact_rates(dim: int, noise: float, quick: bool) -> Curve:
    odd = _odd(dim, _SMOOTH[:: 8 if quick else 1])
    rates = [1 - binary_error.mean_error(dim, m, noise) for m in odd]
    return [m / dim for m in odd], rates


def _exact_overlaps(dim: int) -> Curve:
    odd = _odd(dim, _SMOOTH)
    return [m / dim for m in odd], [1 - 2 * clipped_hebb.wrong(dim, m)[0] for m in odd]


def figure_2a(*, quick: bool = False) -> FigureData:
    """Return generalization rates against alpha, simulated, exact, and in the limit."""
    series = []
    for first, dim in enumerate(_SIZES):
        alpha = _SHOWN[first :: len(_SIZES)]  # side by side, not on each other
        rates = 1 - binary_error.error(dim, _wrong(dim, alpha))
        series.append(_points(f"n = {dim}", alpha, rates))
    exact = [_exact_rates(dim, 0.0, quick) for dim in _SIZES]
    limit = 1 - binary_error.limit_error(_SMOOTH)
    return FigureData(
        title="Generalization rate of the clipped Hebb rule",
        caption=(
            f"Means of {_SAMPLES} samples, with standard deviations; exact means at "
            "n = 50, 100, 500, from above; and the limit of infinite n, eq. (29) of "
            "the paper. At small n more is right, since late a sample has either no "
            "wrong weight or a few."
        ),
        x_label=r"examples per dimension $\alpha$",
        y_label=r"generalization rate $G$",
        series=(
            *series,
            _joined("exact, n = 50, 100, 500", exact, "theory"),
            Series("eq. (29)", _SMOOTH.tolist(), limit.tolist(), "published"),
        ),
    )


def figure_2b(*, quick: bool = False) -> FigureData:
    """Return overlaps against alpha, simulated, exact, and in the limit."""
    series = []
    for first, dim in enumerate(_SIZES):
        alpha = _SHOWN[first :: len(_SIZES)]
        series.append(
            _points(f"n = {dim}", alpha, 1 - 2 * _wrong(dim, alpha) / dim),
        )
    limit = clipped_hebb.limit_overlap(_SMOOTH)
    sizes = _SIZES[:1] if quick else _SIZES
    return FigureData(
        title="Overlap of the clipped Hebb rule with its target",
        caption=(
            f"Means of {_SAMPLES} samples, with standard deviations; exact means at "
            "these n, which lie on each other; and the limit of infinite n, eq. (28) "
            "of the paper."
        ),
        x_label=r"examples per dimension $\alpha$",
        y_label=r"overlap $\rho$",
        series=(
            *series,
            _joined(
                "exact, n = 50, 100, 500",
                [_exact_overlaps(dim) for dim in sizes],
                "theory",
            ),
            Series("eq. (28)", _SMOOTH.tolist(), limit.tolist(), "published"),
        ),
    )


def figure_3(*, quick: bool = False) -> FigureData:
    """Return generalization rates for five levels of noise."""
    alpha, series = _SHOWN, []
    for noise in _NOISES:
        rates = 1 - binary_error.error(_NOISY, _wrong(_NOISY, alpha, noise))
        name = f"noise {noise:g}" if noise else "no noise"
        series.append(_points(name, alpha, rates, bars=noise == _NOISES[-1]))
    exact = [_exact_rates(_NOISY, noise, quick) for noise in _NOISES]
    times = _SMOOTH.tolist()
    limits: list[Curve] = [
        (times, (1 - binary_error.limit_error(_SMOOTH, noise)).tolist())
        for noise in _NOISES
    ]
    return FigureData(
        title=f"Generalization rate with flipped labels, n = {_NOISY}",
        caption=(
            f"Means of {_SAMPLES} samples; standard deviations for noise 0.4 only, as "
            "in the paper; exact means at this n; and the limit of infinite n, eq. "
            "(34) of the paper."
        ),
        x_label=r"examples per dimension $\alpha$",
        y_label=r"generalization rate $G$",
        series=(
            *series,
            _joined(f"exact, n = {_NOISY}", exact, "theory"),
            _joined("eq. (34)", limits, "published"),
        ),
    )


def figure_error(*, quick: bool = False) -> FigureData:
    """Return errors on a logarithmic scale, with bound and asymptote."""
    alpha = np.linspace(0.25, 40, 21 if quick else 81)
    series = []
    for dim in (_SIZES[0], _SIZES[-1]):
        odd = _odd(dim, alpha)
        errors = [binary_error.mean_error(dim, m) for m in odd]
        series.append(
            Series(f"exact, n = {dim}", [m / dim for m in odd], errors, "theory")
        )
    lines: dict[str, tuple[FloatArray, Role]] = {
        "n to infinity": (binary_error.limit_error(alpha), "theory"),
        "its asymptote": (binary_error.asymptote(alpha), "theory"),
        "best with real weights": (
            solve_batch(alpha)["error"].sel(learner="bayes").values,
            "theory",
        ),
        "bound, eq. (30)": (binary_error.bound(alpha), "published"),
    }
    series += [
        Series(name, alpha.tolist(), values.tolist(), role)
        for name, (values, role) in lines.items()
    ]
    return FigureData(
        title="Error of the clipped Hebb rule",
        caption=(
            "Exact means at finite n; the limit of infinite n and its asymptote "
            "2^(1/2)/pi alpha^(-1/4) exp(-alpha/2pi); the bound of eq. (30); and the "
            "Bayes learner with real weights, which ends as 0.44/alpha. At finite n "
            "the error falls twice as fast in the end, as exp(-alpha/pi): it is the "
            "chance of one wrong weight and not the root of that."
        ),
        x_label=r"examples per dimension $\alpha$",
        y_label=r"error $1 - G$",
        series=tuple(series),
        y_log=True,
    )


@functools.lru_cache(maxsize=64)
def _claimed(dim: int, alpha: float, noise: float, quick: bool) -> IntArray:
    """Return numbers of wrong weights, of more samples than the paper had."""
    samples = (200 if quick else 1000) * (2 if alpha < 5 else 1)  # they cost less
    found = distances(dim, (round(alpha * dim),), samples, noise=noise)
    return np.asarray(found[:, 0])


def _overlaps(dim: int, alpha: float, quick: bool) -> FloatArray:
    return np.asarray(1 - 2 * _claimed(dim, alpha, 0.0, quick) / dim)


def _overlap(dim: int, alpha: float) -> Claim:
    # half of the target's weights are +1, half -1
    mean = 1 - sum(clipped_hebb.wrong(dim, round(alpha * dim)))
    limit = float(clipped_hebb.limit_overlap(alpha))
    return Claim(
        id=f"golea1993/fig2b/n{dim}-alpha{alpha:g}",
        where="figure 2b",
        statement=f"Mean overlap at n = {dim}, alpha = {alpha:g}: eq. (28) but for "
        "terms of order 1/n, which are known.",
        published=limit,
        expected=mean,
        measure=lambda quick: average(_overlaps(dim, alpha, quick)),
        allowance=abs(mean - limit),
        because="eq. (28) is a limit; the exact mean at this n differs from it by "
        f"{mean - limit:+.4f}",
        catches=0.06,
    )


def _rate(dim: int, alpha: float, noise: float = 0.0) -> Claim:
    figure, suffix = ("fig3", f"-noise{noise:g}") if noise else ("fig2a", "")
    limit = 1 - float(binary_error.limit_error(alpha, noise))

    def measure(quick: bool) -> Measurement:
        wrong = _claimed(dim, alpha, noise, quick)
        return average(1 - binary_error.error(dim, wrong))

    return Claim(
        id=f"golea1993/{figure}/n{dim}-alpha{alpha:g}{suffix}",
        where=f"figure {figure[3:]}",
        statement=f"Mean generalization rate at n = {dim}, alpha = {alpha:g}, noise "
        f"{noise:g}; the limit of infinite n is {limit:.4f}.",
        published=None,
        expected=lambda quick: (
            1 - binary_error.mean_error(dim, round(alpha * dim), noise)
        ),
        measure=measure,
        allowance=1 / dim**2,
        because="the law of the distance has the exact mean and variance only",
        catches=0.03,
    )


def _bars(quick: bool) -> Measurement:
    mean = clipped_hebb.overlap(_NOISY, _NOISY).mean
    return average(_NOISY * (_overlaps(_NOISY, 1.0, quick) - mean) ** 2)


def _agreement(quick: bool) -> Measurement:
    """Return how far the mean is from the limit, in standard deviations."""
    rates = 1 - binary_error.error(50, _claimed(50, 10.0, 0.0, quick))
    limit = 1 - float(binary_error.limit_error(10.0))
    return average((rates - limit) / rates.std(ddof=1))


def _expected_agreement(quick: bool) -> float:
    law = binary_error.distances(50, *clipped_hebb.distance(50, 500))
    errors = binary_error.error(50, np.arange(51))
    mean = law @ errors
    spread = np.sqrt(law @ (errors - mean) ** 2)
    return float((binary_error.limit_error(10.0) - mean) / spread)


CLAIMS = (
    *(_overlap(dim, alpha) for dim in _SIZES for alpha in (1.0, 5.0)),
    *(_rate(dim, alpha) for dim in _SIZES for alpha in (1.0, 5.0, 10.0)),
    *(_rate(_NOISY, alpha, noise) for noise in _NOISES[1:] for alpha in (5.0, 10.0)),
    Claim(
        id="golea1993/fig2b/error-bars",
        where="figure 2b, error bars",
        statement="Error bars are narrower than for weights that are right "
        "independently, 1 - rho^2 = 0.67: n times the variance of the overlap at "
        "n = 100, alpha = 1.",
        published=None,
        expected=lambda quick: _NOISY * clipped_hebb.overlap(_NOISY, _NOISY).variance,
        measure=_bars,
        catches=0.25,
    ),
    Claim(
        id="golea1993/fig2a/within-error-bars",
        where="text after eq. (29)",
        statement="At moderate n the limit is within the error bars, if not near the "
        "mean: rate above eq. (29) at n = 50, alpha = 10, in standard deviations.",
        published=None,
        expected=_expected_agreement,
        measure=_agreement,
        catches=0.45,
    ),
)
