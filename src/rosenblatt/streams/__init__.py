"""Streams: one file per input law."""

from rosenblatt.streams.gaussian import Gaussian
from rosenblatt.streams.normal import Normal
from rosenblatt.streams.sampled import Sampled
from rosenblatt.streams.uniform import Uniform

__all__ = ["Gaussian", "Normal", "Sampled", "Uniform"]
