"""Learning from real rows by a rule: dense, sparse, shifted, one row, binary weights.

Filters, separation, estimators and River may import it; it imports ``specification``
and below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
