"""Streams: laws of the inputs.

Each is a frozen dataclass, a ``Stream`` of ``core``. Everything above may import it; it
imports ``bits``, ``numerics`` and ``core``.
"""

from rosenblatt.streams.bits import ProductBits, UniformBits
from rosenblatt.streams.correlated import Correlated
from rosenblatt.streams.empirical import Empirical
from rosenblatt.streams.gaussian import Gaussian
from rosenblatt.streams.normal import Normal
from rosenblatt.streams.sampled import Sampled
from rosenblatt.streams.two_classes import TwoClasses
from rosenblatt.streams.uniform import Uniform

__all__ = [
    "Correlated",
    "Empirical",
    "Gaussian",
    "Normal",
    "ProductBits",
    "Sampled",
    "TwoClasses",
    "Uniform",
    "UniformBits",
]
