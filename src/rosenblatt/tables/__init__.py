"""Tables in files that need not fit into memory: batches of rows, and their encoding.

``reading`` has the readers, ``formats`` chooses columns, ``encoding`` turns rows into
features, ``writing`` writes predictions. ``training``, ``cli`` and what lies
above may import it; it imports ``compiling`` and ``core``.
"""

from typing import Any

import lazy_loader

from rosenblatt.tables.batches import (
    GAPS,
    LABEL,
    REFUSED,
    STANDARD,
    Bad,
    BadRowError,
    Column,
    Columns,
    Place,
    Rows,
    Texts,
    is_sparse,
)
from rosenblatt.tables.encoding import (
    CATEGORIES,
    Encoded,
    Encoder,
    class_array,
    encode,
    first_encoder,
    sorted_labels,
)
from rosenblatt.tables.formats import (
    ROLES,
    Chosen,
    check_columns,
    choose,
    cuts,
    target_of,
)
from rosenblatt.tables.reading import (
    ENDINGS,
    FORMATS,
    Frames,
    Table,
    format_of,
    open_table,
)
from rosenblatt.tables.writing import writing

# On use: commands that need no scikit-learn start sooner.
encoder: Any = lazy_loader.load("rosenblatt.tables.encoder", suppress_warning=True)

__all__ = [
    "CATEGORIES",
    "ENDINGS",
    "FORMATS",
    "GAPS",
    "LABEL",
    "REFUSED",
    "ROLES",
    "STANDARD",
    "Bad",
    "BadRowError",
    "Chosen",
    "Column",
    "Columns",
    "Encoded",
    "Encoder",
    "Frames",
    "Place",
    "Rows",
    "Table",
    "Texts",
    "check_columns",
    "choose",
    "class_array",
    "cuts",
    "encode",
    "first_encoder",
    "format_of",
    "is_sparse",
    "open_table",
    "sorted_labels",
    "target_of",
    "writing",
]
