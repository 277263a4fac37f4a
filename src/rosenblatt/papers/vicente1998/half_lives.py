r"""Half-lives that the data choose, and those of theory.

A filter with drifting weights is exact Bayesian inference for a random walk of strength
:math:`D` under two conditions. Its variance halves in :math:`N \ln 2 / 2 D` examples,
and labels follow the law that it believes in. ``BayesPerceptron`` believes that the
teacher's field has variance N, and that noise of variance 1 is added to it before its
sign is the label. Where labels are never wrong its best half-life is shorter
(:func:`~rosenblatt.theory.best_half_life` with ``believed=1/N``).

``BayesPerceptron()`` chooses among a few half-lives while it learns.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import numpy as np

from rosenblatt.core.figures import FigureData
from rosenblatt.core.types import FloatArray
from rosenblatt.estimators import BayesPerceptron
from rosenblatt.papers.decorators import figure
from rosenblatt.papers.series import line, points
from rosenblatt.theory import best_half_life

__all__ = ["best_of_scan", "chosen", "drifting_examples", "figure_half_lives"]

_DIM = 20
_BELIEVED = 1 / _DIM  # variance of the labels' noise, in units of the field's
_EARLY = 4  # the first of so many parts of a stream is not counted


@functools.lru_cache(maxsize=4)
def _walks(
    strengths: tuple[float, ...], rows: int, seed: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return inputs, fields of teachers that walk at random, and noise for these."""
    rng = np.random.default_rng(seed)
    inputs = rng.standard_normal((rows, _DIM))
    cosine = 1 - np.reshape(strengths, (-1, 1)) / _DIM
    sine = np.sqrt(1 - cosine**2)
    teachers = np.tile(np.eye(_DIM)[0], (len(cosine), 1))
    fields = np.empty((rows, len(cosine)))
    for n, across in enumerate(rng.standard_normal((rows, *teachers.shape))):
        across -= np.vecdot(across, teachers)[:, None] * teachers
        across *= sine / np.sqrt(np.vecdot(across, across))[:, None]
        teachers = cosine * teachers + across
        fields[n] = teachers @ inputs[n]
    return inputs, fields, rng.standard_normal(fields.shape)


def drifting_examples(
    strengths: Iterable[float], rows: int, seed: int, label_variance: float
) -> tuple[FloatArray, FloatArray]:
    """Return inputs, and labels of teachers that walk at random, a row for each."""
    inputs, fields, noise = _walks(tuple(map(float, strengths)), rows, seed)
    noisy = fields + np.sqrt(label_variance) * noise
    return inputs, (noisy.T > 0).astype(float)


def best_of_scan(
    covariance: str, streams: Sequence[tuple[FloatArray, FloatArray]], near: float
) -> float:
    """Return the half-life with the fewest mistakes, of nine a factor sqrt(2) apart."""
    scan = near * 2.0 ** np.linspace(-2, 2, 9)
    mistakes = np.zeros(scan.size)
    for inputs, labels in streams:
        early = len(labels) // _EARLY
        for at, half_life in enumerate(scan):
            model = BayesPerceptron(covariance, half_life=half_life)
            model.partial_fit(inputs[:early], labels[:early], classes=[0, 1])
            before = model.mistakes_[0]
            model.partial_fit(inputs[early:], labels[early:])
            mistakes[at] += model.mistakes_[0] - before
    return float(scan[int(np.argmin(mistakes))])


def chosen(inputs: FloatArray, labels: FloatArray) -> float:
    """Return the median half-life that the default chose, in the second half."""
    model = BayesPerceptron().fit(inputs, labels)
    half_lives = model.forgetting_.half_life
    return float(np.median(half_lives[len(half_lives) // 2 :]))


@figure("vicente1998/half-lives", "abstract, half-lives")
def figure_half_lives(*, quick: bool = False) -> FigureData:
    """Return half-lives: of theory, the best of a scan, and those of the default."""
    rows, copies = (10_000, 1) if quick else (50_000, 4)
    strengths = np.geomspace(1e-3, 0.1, 3 if quick else 5)
    lines, scans, examples = [], [], []
    for covariance, variance in (("full", _BELIEVED), ("spherical", 0.0)):
        given = {"label_variance": variance, "believed": _BELIEVED}
        lines.append([_DIM * best_half_life(d, **given).value for d in strengths])
        drawn = [drifting_examples(strengths, rows, j, variance) for j in range(copies)]
        streams = [[(x, y[at]) for x, y in drawn] for at in range(len(strengths))]
        scans.append(
            [
                best_of_scan(covariance, few, near)
                for few, near in zip(streams, lines[-1], strict=True)
            ]
        )
        examples.append([few[0] for few in streams])
    return FigureData(
        title=f"Half-lives for a teacher that walks at random, N = {_DIM}",
        caption=f"{copies} streams of {rows} examples each. The best half-life in "
        "theory, the one with the fewest mistakes of nine, and the one that "
        "BayesPerceptron() chose, of 16, 256 and 4096. Labels follow the law that "
        "filters believe in, or are never wrong.",
        x_label="strength $D$ of the random walk",
        y_label="half-life in examples",
        x_log=True,
        y_log=True,
        series=(
            line("theory", strengths, lines[0]),
            line("theory, labels never wrong", strengths, lines[1]),
            points("best of a scan, full", strengths, scans[0]),
            points("best of a scan, never wrong, spherical", strengths, scans[1]),
            points(
                "chosen by the default", strengths, [chosen(*e) for e in examples[0]]
            ),
        ),
    )
