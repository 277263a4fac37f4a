r"""Half-lives that the data choose, and those of theory.

A filter whose weights drift is Bayes' theorem for a random walk of strength :math:`D`
if its variance loses half in :math:`N \ln 2 / 2 D` examples
(:func:`~rosenblatt.theory.best_half_life`). ``BayesPerceptron()`` chooses among a few
of these while it learns.
"""

from __future__ import annotations

import math

import numpy as np

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import BayesPerceptron
from rosenblatt.papers.paper import Figure
from rosenblatt.papers.series import line, points
from rosenblatt.theory import best_half_life

__all__ = ["best_of_scan", "chosen", "drifting_examples", "figure_half_lives"]

_DIM = 20


def drifting_examples(
    strength: float, rows: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Return inputs, and labels of a teacher that walks at random."""
    rng = np.random.default_rng(seed)
    inputs = rng.standard_normal((rows, _DIM))
    directions = rng.standard_normal((rows, _DIM))
    cosine = 1 - strength / _DIM
    sine = math.sqrt(1 - cosine**2)
    teacher, labels = np.eye(_DIM)[0], np.empty(rows)
    for n, direction in enumerate(directions):
        across = direction - (direction @ teacher) * teacher
        teacher = cosine * teacher + sine * across / np.linalg.norm(across)
        labels[n] = teacher @ inputs[n] > 0
    return inputs, labels


def best_of_scan(inputs: FloatArray, labels: FloatArray, near: float) -> float:
    """Return the half-life with the fewest mistakes, of nine a factor sqrt(2) apart."""
    scan = near * 2.0 ** np.linspace(-2, 2, 9)
    mistakes = [
        BayesPerceptron("spherical", half_life=half_life).fit(inputs, labels).mistakes_
        for half_life in scan
    ]
    return float(scan[int(np.argmin(np.ravel(mistakes)))])


def chosen(inputs: FloatArray, labels: FloatArray) -> float:
    """Return the median half-life that the default chose, in the second half."""
    model = BayesPerceptron().fit(inputs, labels)
    half_lives = model.forgetting_.half_life
    return float(np.median(half_lives[len(half_lives) // 2 :]))


@Figure.of("vicente1998/half-lives", "abstract, half-lives")
def figure_half_lives(*, quick: bool = False) -> FigureData:
    """Return half-lives: of theory, the best of a scan, and those of the default."""
    rows = 10_000 if quick else 50_000
    strengths = np.geomspace(1e-3, 0.1, 3 if quick else 9)
    streams = [drifting_examples(d, rows, seed) for seed, d in enumerate(strengths)]
    theory = [_DIM * best_half_life(d).value for d in strengths]
    scans = [
        best_of_scan(*stream, near)
        for stream, near in zip(streams, theory, strict=True)
    ]
    return FigureData(
        title=f"Half-lives for a teacher that walks at random, N = {_DIM}",
        caption=f"{rows} examples each: the half-life of the weights for which a "
        "filter is Bayes' theorem, the one with the fewest mistakes of nine, and the "
        "one that BayesPerceptron() chose, of 16, 256 and 4096.",
        x_label="strength D of the random walk",
        y_label="half-life in examples",
        x_log=True,
        y_log=True,
        series=(
            line("theory", strengths, theory),
            points("best of a scan", strengths, scans),
            points("chosen by the default", strengths, [chosen(*s) for s in streams]),
        ),
    )
