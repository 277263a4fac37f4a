"""Tables in files, larger than memory: batches of rows, and rows as features."""

from rosenblatt.tables import idx
from rosenblatt.tables.batches import (
    REFUSED,
    Bad,
    BadRowError,
    Column,
    Columns,
    Place,
    Rows,
)
from rosenblatt.tables.encoding import CATEGORIES, Encoded, Encoder
from rosenblatt.tables.formats import (
    FORMATS,
    Table,
    format_of,
    open_table,
    piece_by_piece,
)
from rosenblatt.tables.pieces import cuts
from rosenblatt.tables.prefetch import in_order, prefetched
from rosenblatt.tables.schema import check_columns, choose, target_of
from rosenblatt.tables.text.records import STANDARD
from rosenblatt.tables.writing import writing

__all__ = [
    "CATEGORIES",
    "FORMATS",
    "REFUSED",
    "STANDARD",
    "Bad",
    "BadRowError",
    "Column",
    "Columns",
    "Encoded",
    "Encoder",
    "Place",
    "Rows",
    "Table",
    "check_columns",
    "choose",
    "cuts",
    "format_of",
    "idx",
    "in_order",
    "open_table",
    "piece_by_piece",
    "prefetched",
    "target_of",
    "writing",
]
