r"""Figures 2 and 3: the clipped Hebb rule at n = 50, 100, 500, and with noise.

Beside the simulations, of the paper's sizes, are the means at these n and the limits
for :math:`n \to \infty`. Mean overlaps are exact, mean rates to a relative
:math:`1/n^2` (:mod:`rosenblatt.theory.closed.binary_error`). Error bars are standard
deviations, as in the paper.
The paper's n are even and its theory is for odd n. This changes nothing: an even n has
the votes of the next odd one (:mod:`rosenblatt.theory.closed.clipped_hebb`).
"""

from __future__ import annotations

import numpy as np

from rosenblatt.core.figures import FigureData, Series
from rosenblatt.core.types import FloatArray, IntArray
from rosenblatt.papers.decorators import figure
from rosenblatt.papers.golea1993.samples import distances
from rosenblatt.papers.series import joined, line, points
from rosenblatt.theory.closed import binary_error, clipped_hebb

__all__ = ["NOISES", "SIZES", "figure_2a", "figure_2b", "figure_3", "odd_examples"]

SIZES = (50, 100, 500)
NOISES = (0.0, 0.1, 0.2, 0.3, 0.4)
_NOISY = 100  # n of figure 3
_SAMPLES = 50  # of each point, as in the paper
_SHOWN = np.arange(0.5, 10.6, 0.5)  # alpha of the points
_SMOOTH = 10.5 * np.linspace(0.0, 1.0, 81) ** 2  # curves are steep at the beginning


def _examples(dim: int, alpha: FloatArray) -> tuple[int, ...]:
    return tuple(np.round(dim * alpha).astype(int).tolist())


def odd_examples(dim: int, alpha: FloatArray) -> list[int]:
    """Return odd numbers of examples, with which no tie matters."""
    return [m // 2 * 2 + 1 for m in _examples(dim, alpha)]


def _wrong(dim: int, alpha: FloatArray, noise: float = 0.0) -> IntArray:
    """Return numbers of wrong weights, a row per sample and a column per point."""
    return distances(dim, _examples(dim, alpha), _SAMPLES, noise=noise)


def _spread(name: str, alpha: FloatArray, values: FloatArray) -> Series:
    """Return means over samples, with standard deviations to each side."""
    return points(name, alpha, values.mean(axis=0), values.std(axis=0, ddof=1))


Curve = tuple[list[float], list[float]]


def _exact_rates(dim: int, noise: float, quick: bool) -> Curve:
    odd = odd_examples(dim, _SMOOTH[:: 8 if quick else 1])
    rates = [1 - binary_error.mean_error(dim, m, noise) for m in odd]
    return [m / dim for m in odd], rates


def _exact_overlaps(dim: int) -> Curve:
    odd = odd_examples(dim, _SMOOTH)
    return [m / dim for m in odd], [1 - 2 * clipped_hebb.wrong(dim, m)[0] for m in odd]


@figure("golea1993/fig2a", "figure 2a")
def figure_2a(*, quick: bool = False) -> FigureData:
    """Return generalization rates against alpha, simulated, exact, and in the limit."""
    series = []
    for first, dim in enumerate(SIZES):
        alpha = _SHOWN[first :: len(SIZES)]  # side by side, not on each other
        rates = 1 - binary_error.error(dim, _wrong(dim, alpha))
        series.append(_spread(f"n = {dim}", alpha, rates))
    exact = [_exact_rates(dim, 0.0, quick) for dim in SIZES]
    limit = 1 - binary_error.limit_error(_SMOOTH)
    return FigureData(
        title="Generalization rate of the clipped Hebb rule",
        caption=(
            f"Means of {_SAMPLES} samples, with standard deviations; means in theory "
            "at n = 50, 100, 500, from above; and the limit of infinite n, eq. (29) of "
            "the paper. At small n more is right, since late a sample has either no "
            "wrong weight or a few. The samples of a curve grow from point to point, "
            "so that neighbouring points are correlated."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"generalization rate $G$",
        series=(
            *series,
            joined("theory, n = 50, 100, 500", exact, "theory"),
            line("eq. (29)", _SMOOTH, limit, role="published"),
        ),
    )


@figure("golea1993/fig2b", "figure 2b")
def figure_2b(*, quick: bool = False) -> FigureData:
    """Return overlaps against alpha, simulated, exact, and in the limit."""
    series = []
    for first, dim in enumerate(SIZES):
        alpha = _SHOWN[first :: len(SIZES)]
        overlaps = 1 - 2 * _wrong(dim, alpha) / dim
        series.append(_spread(f"n = {dim}", alpha, overlaps))
    limit = clipped_hebb.limit_overlap(_SMOOTH)
    return FigureData(
        title="Overlap of the clipped Hebb rule with its target",
        caption=(
            f"Means of {_SAMPLES} samples, with standard deviations; exact means at "
            "these n, which lie on each other; and the limit of infinite n, eq. (28) "
            "of the paper. The samples of a curve grow from point to point, so that "
            "neighbouring points are correlated."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"overlap $\rho$",
        series=(
            *series,
            joined(
                "exact, n = 50, 100, 500",
                [_exact_overlaps(dim) for dim in SIZES],
                "theory",
            ),
            line("eq. (28)", _SMOOTH, limit, role="published"),
        ),
    )


@figure("golea1993/fig3", "figure 3")
def figure_3(*, quick: bool = False) -> FigureData:
    """Return generalization rates for five levels of noise."""
    alpha, series = _SHOWN, []
    for noise in NOISES:
        rates = 1 - binary_error.error(_NOISY, _wrong(_NOISY, alpha, noise))
        name = f"noise {noise:g}" if noise else "no noise"
        spread = rates.std(axis=0, ddof=1) if noise == NOISES[-1] else None
        series.append(points(name, alpha, rates.mean(axis=0), spread))
    exact = [_exact_rates(_NOISY, noise, quick) for noise in NOISES]
    times = _SMOOTH.tolist()
    limits: list[Curve] = [
        (times, (1 - binary_error.limit_error(_SMOOTH, noise)).tolist())
        for noise in NOISES
    ]
    return FigureData(
        title=f"Generalization rate with flipped labels, n = {_NOISY}",
        caption=(
            f"Means of {_SAMPLES} samples, with standard deviations for noise 0.4 "
            "only, as in the paper. Means in theory at this n, and the limit of "
            "infinite n, eq. (34) of the paper. The samples of a curve grow from point "
            "to point; those of different curves are independent."
        ),
        x_label=r"examples per weight $\alpha$",
        y_label=r"generalization rate $G$",
        series=(
            *series,
            joined(f"theory, n = {_NOISY}", exact, "theory"),
            joined("eq. (34)", limits, "published"),
        ),
    )
