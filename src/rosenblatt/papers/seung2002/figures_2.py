"""Figures of section 2: rates, and the condition number."""

from __future__ import annotations

import numpy as np

from rosenblatt.core.figures import FigureData
from rosenblatt.papers.decorators import figure
from rosenblatt.papers.series import line
from rosenblatt.papers.seung2002.problems import quadratic
from rosenblatt.papers.seung2002.section_2 import (
    CONDITIONS,
    CURVATURES,
    best,
    conjugate,
    excess,
    factor,
    least_cost,
)

__all__ = ["figure_conditioning", "figure_rates"]


@figure("seung2002/rates", "section 2")
def figure_rates(*, quick: bool) -> FigureData:
    """Show a rate that is too small, one that is good and one that is too large."""
    passes = 60
    limit = 2 / CURVATURES.max()
    rates = {
        "too small: 1/20 of the limit": limit / 20,
        "good: 0.8 of it": 0.8 * limit,
        "at the limit, 2 over the largest curvature": limit,
        "too large: 1.05 times that": 1.05 * limit,
    }
    least, _ = least_cost(quadratic(CURVATURES))
    start = float(excess(CURVATURES, 1.0, 1)[0])
    series = [
        line(
            name,
            range(passes + 1),
            np.maximum(excess(CURVATURES, rate, passes), 1e-16) / start,
            role="simulation",
        )
        for name, rate in rates.items()
    ]
    return FigureData(
        title="Gradient descent needs a rate that is neither small nor large",
        caption=(
            "Cost above the least one, relative to the start, against steps of batch "
            "gradient descent with linear outputs. The Hessian has eigenvalues 1/4, "
            f"1/2 and 1, and the least cost is {least:.3f}. Small rates are slow, and "
            "above 2 over the largest eigenvalue the cost grows."
        ),
        x_label="steps",
        y_label="excess cost",
        series=tuple(series),
        y_log=True,
    )


@figure("seung2002/conditioning", "section 2")
def figure_conditioning(*, quick: bool) -> FigureData:
    """Show how many steps gradient descent needs for anisotropic costs."""
    passes = 150 if quick else 400
    series = []
    for condition in CONDITIONS:
        curvatures, rate = best(condition)
        found = excess(curvatures, rate, passes)
        found = np.maximum(found / found[0], 1e-16)
        count = int(np.argmax(np.append(found, 0) <= 1e-12))
        name = f"condition number {condition:g}"
        series.append(line(name, range(count), found[:count], role="simulation"))
    curvatures, _ = best(CONDITIONS[-1])
    worst = factor(CONDITIONS[-1]) ** np.arange(passes + 1)
    path = np.maximum(conjugate(curvatures, 4), 1e-13)
    series += [
        line("bound for 100", range(passes + 1), worst),
        line("conjugate gradients, 100", range(len(path)), path, role="simulation"),
    ]
    return FigureData(
        title="Anisotropy makes gradient descent slow",
        caption=(
            "Cost above the least one, relative to the start, against steps. "
            "Each Hessian has four eigenvalues, with this ratio of the largest to the "
            "smallest, and its best rate. The dashed line is "
            "the bound with [(kappa - 1)/(kappa + 1)]^2 per step. Conjugate gradients "
            "end after as many steps as there are weights."
        ),
        x_label="steps",
        y_label="excess cost",
        series=tuple(series),
        y_log=True,
    )
