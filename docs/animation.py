"""The README's picture: a model learns points one by one, and its error falls.

``python docs/animation.py`` writes ``images/learning.gif``. The left half shows the
probabilities of a ``BayesPerceptron``, which sees each point once. The right half shows
its error for new points, and the mean error of models that saw other points.
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
POINTS, SHOWN, OTHERS = 400, 2.6, 200
# Frames after so many points: each of the first, then in equal steps of a logarithm.
FRAMES = np.unique(np.geomspace(4, POINTS, 60).astype(int))
BLUE, ORANGE, GREY = "#3b6fb6", "#d9822b", "#555555"


TEACHER = np.array([0.8, -0.6])
TESTS = np.random.default_rng(0).uniform(-SHOWN, SHOWN, (20_000, 2))


def learn(seed: int) -> Iterator[tuple[rb.BayesPerceptron, np.ndarray, float]]:
    """Yield a model, the points that it has seen, and its error, for each frame."""
    X = np.random.default_rng(seed).uniform(-SHOWN, SHOWN, (POINTS, 2))
    model, seen, right = rb.BayesPerceptron("full"), 0, TESTS @ TEACHER > 0
    for count in FRAMES:
        new = X[seen:count]
        model.partial_fit(new, new @ TEACHER > 0, classes=[False, True])
        seen = count
        yield model, X[:count], float(np.mean(model.predict(TESTS) != right))


def frame(model: rb.BayesPerceptron, X: np.ndarray, errors: Any, mean: Any) -> Any:
    """Draw the model after the points that it has seen."""
    figure = Figure(figsize=(7.2, 3.4), dpi=100, layout="constrained")
    left, right = figure.subplots(1, 2)
    axis = np.linspace(-SHOWN, SHOWN, 60)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    sure = model.predict_proba(grid)[:, 1].reshape(60, 60)
    left.contourf(
        axis,
        axis,
        sure,
        levels=[0, 0.05, 0.25, 0.75, 0.95, 1],
        colors=["#c5d7ee", "#dfe9f6", "#f4f4f4", "#fbeada", "#f6d5b3"],
    )
    left.contour(axis, axis, sure, levels=[0.5], colors="black", linewidths=1.8)
    left.scatter(*X.T, c=np.where(X @ TEACHER > 0, ORANGE, BLUE), s=14, linewidths=0)
    left.scatter(*X[-1:].T, facecolors="none", edgecolors="black", s=70)
    left.set(xticks=[], yticks=[], xlim=(-SHOWN, SHOWN), ylim=(-SHOWN, SHOWN))
    left.set_title(f"{len(X)} points, each seen once", fontsize=11)
    right.loglog(*mean, color=GREY, label=f"mean of {OTHERS} such models")
    right.loglog(*errors, "o", color=ORANGE, markersize=3.5, label="this model")
    right.set(xlim=(3.6, POINTS * 1.1), ylim=(2e-3, 0.6), xlabel="points")
    right.set_title("error for new points", fontsize=11)
    right.legend(loc="lower left", frameon=False, fontsize=9)
    right.spines[["top", "right"]].set_visible(False)
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return Image.open(out).convert("RGB")


def main() -> None:
    """Write the picture."""
    mpl.rcParams["font.family"] = "DejaVu Sans"
    others = [[error for *_, error in learn(seed)] for seed in range(1, OTHERS + 1)]
    mean = FRAMES, np.mean(others, axis=0)
    images, errors = [], []
    for model, X, error in learn(0):
        errors.append(error)
        images.append(frame(model, X, (FRAMES[: len(errors)], errors), mean))
    palette = images[-1].quantize(64, dither=Image.Dither.NONE)
    small = [i.quantize(palette=palette, dither=Image.Dither.NONE) for i in images]
    times = [180] * (len(small) - 1) + [3000]
    small[0].save(
        PICTURE, save_all=True, append_images=small[1:], duration=times, loop=0
    )
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
