"""Figures 1 and 2 and table 1: the linear case of section 4.1."""

from __future__ import annotations

import numpy as np

from rosenblatt.core.figures import FigureData, Series, TableData
from rosenblatt.papers.bhattacharya1995 import conclusions
from rosenblatt.papers.bhattacharya1995.exhibits import curves, misclassification
from rosenblatt.papers.bhattacharya1995.linear import best_without_constant
from rosenblatt.papers.bhattacharya1995.problems import LINEAR, disparity, run
from rosenblatt.papers.claims import Figure
from rosenblatt.papers.decorators import figure, table
from rosenblatt.papers.series import points

__all__ = [
    "figure_1a",
    "figure_1b",
    "figure_1c",
    "figure_2a",
    "figure_2b",
    "figure_2c",
    "figure_parts",
    "table_1",
    "table_conclusions_linear",
]

_LEAST = 0.025  # percent: half an example of 2000, drawn in place of none
_MOST = 100.0  # where larger disparities are drawn
_BINS = np.linspace(0, 30, 61)  # percent
_TWO_PARTS = {10: "eta3", 15: "eta1", 20: "eta1", 25: "eta1"}  # where it is seen best


def _figure_1(sigma: int, panel: str) -> Figure:
    @figure(f"bhattacharya1995/fig1{panel}", f"figure 1{panel}")
    def build(*, quick: bool) -> FigureData:
        """Return a(t)."""
        problem, result = LINEAR[sigma], run(LINEAR[sigma], quick)
        return curves(
            f"Figure 1{panel}: misclassification, sigma = {sigma}",
            "a(t) on a test set of 2000, at the paper's 19 checkpoints: median and "
            f"5-95% of {result.sizes['replica']} runs. Squares are the values of table "
            "1, from left to right those of the four gains and of the Bayes "
            "classifier. A test set without an error is drawn at 0.025%. The broken "
            "line is the exact error of the Bayes "
            f"classifier{', which is far below here.' if sigma == 5 else '.'}",
            "misclassified, percent",
            (100 * result["test_error"]).clip(min=_LEAST),
            None if sigma == 5 else ("Bayes", 100 * problem.stream.bayes_error),
            (*problem.table, max(problem.bayes, _LEAST)),
        )

    return build


def _figure_2(sigma: int, panel: str) -> Figure:
    @figure(f"bhattacharya1995/fig2{panel}", f"figure 2{panel}")
    def build(*, quick: bool) -> FigureData:
        """Return b(t)."""
        result = run(LINEAR[sigma], quick)
        apart = disparity(LINEAR[sigma], result["weights"].values)
        return curves(
            f"Figure 2{panel}: disparity, sigma = {sigma}",
            "b(t), the distance from the Bayes classifier after both are divided by "
            f"their thresholds: median and 5-95% of {result.sizes['replica']} runs. It "
            "is infinite without a threshold, which the first step may leave; what is "
            "beyond 100 is drawn there.",
            "disparity b(t)",
            result["error"].copy(data=np.minimum(apart, _MOST)),
            None,
            None,
        )

    return build


figure_1a, figure_1b, figure_1c = map(_figure_1, (5, 15, 25), "abc")
figure_2a, figure_2b, figure_2c = map(_figure_2, (5, 15, 25), "abc")


@figure("bhattacharya1995/parts", "table 1")
def figure_parts(*, quick: bool) -> FigureData:
    """Return the distributions of errors that have two parts."""
    series = []
    for sigma, gain in _TWO_PARTS.items():
        errors = run(LINEAR[sigma], quick)["error"].sel(schedule=gain).values[:, -1]
        height = np.histogram(100 * errors, _BINS)[0] / len(errors)
        middle = (_BINS[1:] + _BINS[:-1]) / 2
        name = f"{gain}, sigma = {sigma}"
        series.append(
            Series(name, middle.tolist(), height.tolist(), "simulation", shape="steps")
        )
    marks = [100 * best_without_constant(sigma) for sigma in _TWO_PARTS]
    nothing = [0.0] * len(marks)
    series.append(points("no constant", marks, nothing, role="theory"))
    return FigureData(
        title="Errors after a million examples have two parts",
        caption=(
            "Exact errors of all runs. Crosses: the least error of a classifier "
            "without a constant term, for sigma = 10, 15, 20, 25. The runs near them "
            "have not learnt the constant. It moves by the gain, and the weights of "
            "the features move by 50 times the gain."
        ),
        x_label="exact error, percent",
        y_label="share of runs in a bin of 0.5 percent",
        series=tuple(series),
    )


@table("bhattacharya1995/table1", "table 1")
def table_1(*, quick: bool) -> TableData:
    """Return table 1 beside the distributions that its numbers come from."""
    return misclassification(
        "Table 1: misclassification after a million examples, linear case, in percent",
        "two of twenty values are expected outside",
        LINEAR.values(),
        quick,
    )


@table("bhattacharya1995/words1", "section 4.1")
def table_conclusions_linear(*, quick: bool) -> TableData:
    """Return how probable the conclusions on the linear case were."""
    return conclusions.listing(
        "Conclusions on the linear case, and how often a single run shows them",
        LINEAR.values(),
        quick,
    )
