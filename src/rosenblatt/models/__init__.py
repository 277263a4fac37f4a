"""Model files, and exports to ONNX and C.

``saving`` has the file format; ``onnx`` and ``c_header`` have the exports.
``training``, ``cli`` and what lies above may import it; it imports ``estimators`` and
below. Each function is loaded on use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
