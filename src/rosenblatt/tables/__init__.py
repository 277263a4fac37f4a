"""Tables in files that need not fit into memory: batches of rows, and their encoding.

``formats`` opens a file; ``text`` and ``arrow`` have the readers, ``encoding`` turns
rows into features, ``writing`` writes predictions. ``training``, ``cli`` and what lies
above may import it; it imports ``compiling`` and ``core``.
"""

from typing import Any

import lazy_loader

from rosenblatt.tables.batches import (
    GAPS,
    LABEL,
    REFUSED,
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
    ENDINGS,
    FORMATS,
    ROLES,
    Chosen,
    Table,
    check_columns,
    choose,
    cuts,
    format_of,
    open_table,
    piece_by_piece,
    target_of,
)
from rosenblatt.tables.text.records import STANDARD
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
    "piece_by_piece",
    "sorted_labels",
    "target_of",
    "writing",
]
