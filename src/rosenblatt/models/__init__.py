"""Models on disk: files to go on from, and exports for use elsewhere."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
