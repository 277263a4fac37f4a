"""Packed bits: tables of two levels, 64 columns to a word.

Counting, streams of bits, estimators and models may import it; it imports ``compiling``
and ``numerics``. Reading files goes through ``tables``, which is loaded on use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
