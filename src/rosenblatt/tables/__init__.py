"""Tables in files that need not fit into memory: batches of rows, and their encoding.

``reading`` has the readers and chooses columns, ``encoding`` turns rows into features,
``encoder`` is their transformer, ``writing`` writes predictions. ``training``, ``cli``
and what lies above may import it; it imports ``compiling`` and ``core``.
"""

from typing import Any

import lazy_loader

from rosenblatt.tables.reading import BadRowError
from rosenblatt.tables.writing import writing

# On use: commands that need no scikit-learn start sooner.
encoder: Any = lazy_loader.load("rosenblatt.tables.encoder", suppress_warning=True)

__all__ = ["BadRowError", "writing"]
