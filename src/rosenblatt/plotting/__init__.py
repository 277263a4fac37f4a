"""Figures for print and screen, drawn with matplotlib.

``figures`` draws the data of a figure, also as PNG and PDF, ``curves`` learning curves,
``sweeps`` lines and heat maps of sweeps, ``trained`` trained models. It works without a
screen and in several threads. ``report``, ``cli`` and ``papers`` may import it; it
imports ``core``.
"""

from rosenblatt.plotting.curves import learning_curve
from rosenblatt.plotting.figures import draw, renderings
from rosenblatt.plotting.sweeps import sweep_plot
from rosenblatt.plotting.trained import draw_trained, effects

__all__ = [
    "draw",
    "draw_trained",
    "effects",
    "learning_curve",
    "renderings",
    "sweep_plot",
]
