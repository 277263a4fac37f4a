"""Perceptron learning: a rule written once is classifier, simulator and theory."""

from importlib.metadata import version
from typing import Any

import lazy_loader

_attribute, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    return version("rosenblatt") if name == "__version__" else _attribute(name)
