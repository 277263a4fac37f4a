"""Gaussian averages of activations: closed forms, or quadrature.

``choice`` picks the file for an activation. The theory of committees imports this; it
imports ``rules`` and below.
"""

from rosenblatt.committees.averages.choice import moments_of
from rosenblatt.committees.averages.results import Averages, Moments

__all__ = ["Averages", "Moments", "moments_of"]
