"""The README's picture: a model learns points one by one, and its error falls.

``python docs/animation.py`` writes ``images/learning.gif``. Labels depend on two of 50
columns. The left half shows the probabilities of a ``BayesPerceptron``, which sees each
point once, where the other columns are zero. The right half shows its error for new
points, and the error that theory gives for many columns.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import rosenblatt as rb

PICTURE = Path(__file__).parent / "images" / "learning.gif"
COLUMNS, POINTS, SHOWN = 50, 1000, 2.6
# Frames after so many points, in equal steps of a logarithm.
FRAMES = np.unique(np.geomspace(5, POINTS, 60).astype(int))
BLUE, ORANGE, GREY = "#3b6fb6", "#d9822b", "#555555"
TEACHER = np.zeros(COLUMNS)
TEACHER[:2] = 0.8, -0.6
TESTS = np.random.default_rng(0).normal(size=(20_000, COLUMNS))


def learn(seed: int) -> Iterator[tuple[rb.BayesPerceptron, np.ndarray, float]]:
    """Yield a model, the points that it has seen, and its error, for each frame."""
    X = np.random.default_rng(seed).normal(size=(POINTS, COLUMNS))
    model, seen, right = rb.BayesPerceptron("spherical"), 0, TESTS @ TEACHER > 0
    for count in FRAMES:
        new = X[seen:count]
        model.partial_fit(new, new @ TEACHER > 0, classes=[False, True])
        seen = count
        yield model, X[:count], float(np.mean(model.predict(TESTS) != right))


def frame(model: rb.BayesPerceptron, X: np.ndarray, errors: Any, theory: Any) -> Any:
    """Draw the model after the points that it has seen."""
    figure = Figure(figsize=(7.2, 3.4), dpi=100, layout="constrained")
    left, right = figure.subplots(1, 2)
    axis = np.linspace(-SHOWN, SHOWN, 60)
    grid = np.zeros((60 * 60, COLUMNS))
    grid[:, :2] = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    sure = model.predict_proba(grid)[:, 1].reshape(60, 60)
    left.contourf(
        axis,
        axis,
        sure,
        levels=[0, 0.05, 0.25, 0.75, 0.95, 1],
        colors=["#c5d7ee", "#dfe9f6", "#f4f4f4", "#fbeada", "#f6d5b3"],
    )
    left.contour(axis, axis, sure, levels=[0.5], colors="black", linewidths=1.8)
    left.scatter(
        *X.T[:2], c=np.where(X @ TEACHER > 0, ORANGE, BLUE), s=14, linewidths=0
    )
    left.scatter(*X[-1:, :2].T, facecolors="none", edgecolors="black", s=70)
    left.set(xticks=[], yticks=[], xlim=(-SHOWN, SHOWN), ylim=(-SHOWN, SHOWN))
    left.set_title(f"{len(X)} points, two of {COLUMNS} columns", fontsize=11)
    left.set(xlabel="column 1", ylabel="column 2")
    right.loglog(*theory, color=GREY, label="theory, many columns")
    right.loglog(*errors, "o", color=ORANGE, markersize=3.5, label="this model")
    right.set(xlim=(4.5, POINTS * 1.1), ylim=(0.03, 0.6), xlabel="points")
    right.set_yticks([], minor=True)
    right.set_yticks([0.05, 0.1, 0.2, 0.5], ["0.05", "0.1", "0.2", "0.5"])
    right.set_title("error for new points", fontsize=11)
    right.legend(loc="lower left", frameon=False, fontsize=9)
    right.spines[["top", "right"]].set_visible(False)
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return Image.open(out).convert("RGB")


def main() -> None:
    """Write the picture."""
    mpl.rcParams["font.family"] = "DejaVu Sans"
    curve = rb.theory.solve_online(FRAMES / COLUMNS).error.sel(learner="bayes")
    images, errors = [], []
    for model, X, error in learn(0):
        errors.append(error)
        images.append(frame(model, X, (FRAMES[: len(errors)], errors), (FRAMES, curve)))
    palette = images[-1].quantize(64, dither=Image.Dither.NONE)
    small = [i.quantize(palette=palette, dither=Image.Dither.NONE) for i in images]
    times = [180] * (len(small) - 1) + [3000]
    small[0].save(
        PICTURE, save_all=True, append_images=small[1:], duration=times, loop=0
    )
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
