"""The pictures of the page on curved boundaries.

``python docs/curved_pictures.py`` writes ``images/curved.gif``: a boundary as the rows
of River's Bananas come. It writes ``images/effects.png``, effects of three columns of a
simulated table with their bands, and the calibration of predictions that were made
before each label.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from PIL import Image
from river.datasets import Bananas

import rosenblatt as rb

IMAGES = Path(__file__).parent / "images"
FRAMES = np.unique(np.geomspace(10, 5300, 30).astype(int))
SHOWN, PIXELS, GROUPS = 3.0, 80, 10
BLUE, ORANGE = "#3b6fb6", "#d9822b"
GREYS = ["#ffffff", "#e8e8e8", "#d0d0d0", "#b4b4b4", "#989898"]
SHADES = ["#c5d7ee", "#dfe9f6", "#f4f4f4", "#fbeada", "#f6d5b3"]


def frame(model: Any, X: np.ndarray, y: np.ndarray, mistakes: np.ndarray) -> Any:
    """Draw probabilities, and how unsure they are, after some rows."""
    figure = Figure(figsize=(7.2, 3.5), dpi=90, layout="constrained")
    axis = np.linspace(-SHOWN, SHOWN, PIXELS)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    sure = model.predict_proba(grid)[:, 1].reshape(PIXELS, PIXELS)
    unsure = model.predict_std(grid).reshape(PIXELS, PIXELS)
    left, right = figure.subplots(1, 2)
    left.contourf(
        axis, axis, sure, levels=[0, 0.05, 0.25, 0.75, 0.95, 1], colors=SHADES
    )
    few = slice(-300, None)
    left.scatter(*X[few].T, c=np.where(y[few], ORANGE, BLUE), s=5, linewidths=0)
    left.set_title(f"{len(X)} rows, {mistakes.mean():.1%} mispredicted", fontsize=11)
    right.contourf(
        axis, axis, unsure, levels=[0, 0.03, 0.06, 0.1, 0.2, 9], cmap="Greys"
    )
    right.set_title("standard deviation of the probability", fontsize=11)
    for axes in (left, right):
        axes.contour(axis, axis, sure, levels=[0.5], colors="black", linewidths=1.5)
        axes.set(xticks=[], yticks=[], xlim=(-SHOWN, SHOWN), ylim=(-SHOWN, SHOWN))
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return Image.open(out).convert("RGB")


def boundary() -> None:
    """Write the boundary as rows come."""
    pairs = list(Bananas())
    X = np.array([list(x.values()) for x, _ in pairs], float)
    y = np.array([label for _, label in pairs], int)
    model, first, images, wrong = rb.BayesPerceptron(boundary="curved"), 0, [], []
    for count in FRAMES:
        P = model.predict_then_learn(X[first:count], y[first:count], classes=[0, 1])
        wrong.append(P.argmax(1) != y[first:count])
        first = count
        images.append(frame(model, X[:count], y[:count], np.concatenate(wrong)))
    palette = images[-1].quantize(48, dither=Image.Dither.NONE)
    small = [i.quantize(palette=palette, dither=Image.Dither.NONE) for i in images]
    times = [300] * (len(small) - 1) + [3000]
    path = IMAGES / "curved.gif"
    small[0].save(path, save_all=True, append_images=small[1:], duration=times, loop=0)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def effects() -> None:
    """Write effects of columns with their bands, and the calibration."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((5000, 3))
    field = 2.0 * np.sin(2.0 * X[:, 0]) + X[:, 1]
    y = rng.uniform(size=len(X)) < 1.0 / (1.0 + np.exp(-field))
    model = rb.BayesPerceptron(boundary="curved")
    p = model.predict_then_learn(X, y, classes=[False, True])[:, 1]
    columns = sorted(model.report(X), key=lambda column: column["column"])
    figure = rb.plotting.effects(columns)
    figure.set_size_inches(11, 3)
    figure.savefig(IMAGES / "effects.png", dpi=90)
    group = np.minimum((p * GROUPS).astype(int), GROUPS - 1)
    rows = np.bincount(group, minlength=GROUPS)
    said, seen = (np.bincount(group, part, GROUPS) / rows for part in (p, y))
    figure = Figure(figsize=(3.6, 3.2), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="grey", ls=":")
    spread = 2.0 * np.sqrt(said * (1.0 - said) / rows)
    axes.errorbar(said, seen, spread, fmt="o-", capsize=2)
    axes.set(xlabel="predicted probability", ylabel="observed share")
    figure.savefig(IMAGES / "calibration.png", dpi=90)


if __name__ == "__main__":
    mpl.rcParams["font.family"] = "DejaVu Sans"
    boundary()
    effects()
