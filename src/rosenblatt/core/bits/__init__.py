"""Packed bits: tables of two levels, and what binary weights need of them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
