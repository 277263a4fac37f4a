"""Figures for print and screen: the only package that knows matplotlib.

Everything goes through matplotlib's objects, nothing through the state of pyplot: it
works without a screen and in several threads.
"""

from rosenblatt.plotting.curves import learning_curve
from rosenblatt.plotting.drawing import draw
from rosenblatt.plotting.files import render, renderings

__all__ = ["draw", "learning_curve", "render", "renderings"]
