"""Learning from real rows by a rule, with binary weights, and by counting bits.

Rows are dense, sparse or single. Whether a hyperplane separates two classes is told
with a certificate.
Filters, estimators, models, papers and River may import it; it imports
``specification`` and below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
