"""Learning by counting: binary weights from packed bits, their guarantees, thresholds.

Estimators, models and papers may import it; it imports ``bits`` and below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
