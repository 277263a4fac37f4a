"""Posterior of the weights given all examples at once.

Papers may import it; it imports ``numerics`` and below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
