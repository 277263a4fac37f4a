"""Classifiers for scikit-learn that learn from a stream of examples.

Each file has one classifier; ``bases`` has their base classes, ``inputs`` the checks of
their input. ``models``, ``river``, ``training`` and what lies above may import it; it
imports ``linear``, ``bayes``, ``counting`` and below. A classifier is loaded on use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
