"""Streams: one file per input law."""

from rosenblatt.streams.gaussian import Gaussian

__all__ = ["Gaussian"]
