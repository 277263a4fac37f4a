"""Perceptron learning: a rule written once is classifier, simulator and theory."""

from rosenblatt.system.collector import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
