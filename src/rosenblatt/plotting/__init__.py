"""Figures for print and screen, drawn with matplotlib.

``drawing`` draws the data of a figure, ``curves`` learning curves, ``sweeps`` lines and
heat maps of sweeps, ``trained`` trained models; ``files`` writes PNG and PDF. It works
without a screen and in several threads. ``report``, ``cli`` and ``papers`` may import
it; it imports ``core``.
"""

from rosenblatt.plotting.curves import learning_curve
from rosenblatt.plotting.drawing import draw
from rosenblatt.plotting.files import render, renderings
from rosenblatt.plotting.sweeps import sweep_plot
from rosenblatt.plotting.trained import draw_trained, effects

__all__ = [
    "draw",
    "draw_trained",
    "effects",
    "learning_curve",
    "render",
    "renderings",
    "sweep_plot",
]
