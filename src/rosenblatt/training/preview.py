"""Preview of a table: how its columns will be encoded, and warnings about them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.metrics import roc_auc_score

from rosenblatt.tables.encoding import Encoder
from rosenblatt.tables.reading import Rows, Texts, is_sparse
from rosenblatt.training.options import options_of
from rosenblatt.training.sources import Sources

_WIDE = 40  # columns of a table that are listed one by one
_NAMED = 8  # hashed columns that are named
_SURE = 0.995  # AUC of a single column that tells the target
_ENOUGH = 30  # rows of a class before a column is suspected
_MANY = 20  # classes, too many to try
_ID = "looks like an id"
_EMPTY = "has no value"
_COMMAS = "has decimal commas, so its numbers are taken as categories: write points"
_LEAK = "predicts the target almost alone, and may be known only after it"
_BINARY = ("binary", "clipped")  # models of columns of two levels, by their names
_DECIMAL = re.compile(r"[+-]?\d+,\d+")
_USES = {
    "one-hot": ("category", "one-hot"),
    "hash": ("category", "hashed"),
    "text": ("text", "hashed words and pairs of words"),
    "date": ("date", "parts of the date"),
}
_OTHERS = {"weight": "counts rows", "id": "left out", "ignore": "left out"}
_HEADERS = ("column", "kind", "gaps", "levels", "features", "use")


def _readable(name: str) -> str:
    """Return the name of a column; in quotes if it is empty or begins with a space."""
    return name if name.strip() == name != "" else repr(name)


class ColumnPreview(NamedTuple):
    """A column, as the first batch shows it."""

    name: str
    kind: str  # number, category, date, text, target, weight, id, ignore
    use: str  # what happens to it, in words
    features: int = 0  # that the column becomes
    gaps: float | None = None  # share of missing values
    levels: int | None = None  # distinct values, of text
    warning: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The column as a line of a table."""
        return (
            _readable(self.name),
            self.kind,
            f"{self.gaps:.1%}" if self.gaps else "",
            "" if self.levels is None else f"{self.levels:,}",
            f"{self.features:,}" if self.features else "",
            self.use,
        )

    def option(self, role: str) -> str:
        """Return the option that gives the column a role, as one types it in a shell.

        Examples
        --------
        >>> ColumnPreview("price, net", "number", "").option("ignore")
        "--column 'price, net=ignore'"
        """
        return f"--column {shlex.quote(f'{self.name}={role}')}"


class Preview(NamedTuple):
    """A table, as its first batch shows it; ``str`` returns it as text."""

    rows: int  # of the first batch
    features: int
    hashed: bool
    columns: list[ColumnPreview]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        rows = [_HEADERS, *(column.cells for column in self.columns[:_WIDE])]
        sizes = [max(map(len, each)) for each in zip(*rows, strict=True)]
        for row in rows if self.columns else ():
            cells = (
                cell.rjust(size)
                if name in ("gaps", "levels", "features")
                else cell.ljust(size)
                for cell, size, name in zip(row, sizes, _HEADERS, strict=True)
            )
            yield "  ".join(cells).rstrip()
        if len(self.columns) > _WIDE:
            yield f"and {len(self.columns) - _WIDE} columns more"
        kind = "sparse" if self.hashed or not self.columns else "dense"  # svmlight
        kind += " feature" if self.features == 1 else " features"
        yield f"{self.features:,} {kind}, from the first {self.rows:,} rows"
        hashed = [column for column in self.columns if column.use.startswith("hashed")]
        if hashed:
            more = f" and {len(hashed) - _NAMED} more" if len(hashed) > _NAMED else ""
            named = hashed[:_NAMED]
            options = (
                column.option("ignore" if column.kind == "text" else "one-hot")
                for column in named
            )
            yield (
                f"hashed: {', '.join(_readable(c.name) for c in named)}{more}; so "
                "features are sparse and the model keeps no correlations; "
                f"{' '.join(options)} avoids it"
            )
        for column in self.columns:
            if column.warning:
                name, avoided = _readable(column.name), column.option("ignore")
                yield f"warning: {name} {column.warning}; {avoided} leaves it out"


def preview(files: Any, target: str, **options: Any) -> Preview:
    r"""Return how ``train`` would encode the columns of a table.

    Only the first batch is read. Columns that look like an id, or that determine the
    target, are marked.

    Parameters
    ----------
    files, target, **options
        As for ``train``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print("size,won", *("12,yes", ",no") * 9, sep="\n", file=file, flush=True)
    ...     found = preview(file.name, "won")
    >>> [(c.name, c.kind, c.gaps) for c in found.columns]
    [('size', 'number', 0.5), ('won', 'target', 0.0)]
    """
    given = files if isinstance(files, list | tuple) else [files]
    return preview_of(Sources(options_of(given, target, options)))


def preview_of(sources: Sources) -> Preview:
    """Return the preview of opened tables."""
    rows, encoder, _ = sources.first
    columns: list[ColumnPreview] = []
    if not is_sparse(rows.numbers):
        order = [column.name for column in sources.table(0).columns]
        columns = list(_columns(rows, encoder, sources))
        columns.sort(key=lambda column: order.index(column.name))
    hashed = bool(encoder.hashed_columns)
    return Preview(rows.size, encoder.features, hashed, columns)


def _columns(rows: Rows, encoder: Encoder, sources: Sources) -> Iterator[ColumnPreview]:
    given, size = sources.options, max(rows.size, 1)
    features = {name: len(places) for name, places in encoder.groups()}
    binary = given.model_name.startswith(_BINARY)
    for j, name in enumerate(encoder.numbers):
        missing = len(rows.missing.get(j, ()))
        use = "cut into two levels" if binary else "standardised"
        use += " and a mark of gaps" if j in encoder.indicators else ""
        warning = _EMPTY if missing == size else _ID if name in encoder.ids else ""
        warning = warning or _leak(np.asarray(rows.numbers[:, j], float), rows)
        many, gaps = features[name], missing / size
        yield ColumnPreview(name, "number", use, many, gaps, warning=warning)
    for (name, coding), texts in zip(encoder.coded, rows.texts, strict=True):
        kind, use = _USES[coding.kind]
        warning = ""
        if kind == "category":
            warning = _suspect(texts, rows, name in encoder.ids)
        known = features[name], float(np.mean(texts.codes < 0)), len(texts.present)
        yield ColumnPreview(name, kind, use, *known, warning)
    if rows.labels is not None:
        codes, levels = rows.labels.codes, len(rows.labels.values)
        gaps = float(np.sum(codes < 0)) / size
        yield ColumnPreview(given.target, "target", "predicted", 0, gaps, levels)
    for name, role in given.columns.items():
        if role in _OTHERS:
            yield ColumnPreview(name, role, _OTHERS[role])


def _suspect(texts: Texts, rows: Rows, id_like: bool) -> str:
    """Return a warning about a column of categories."""
    codes, levels = texts.codes, texts.present
    if not levels:
        return _EMPTY
    if all(map(_DECIMAL.fullmatch, levels)):
        return _COMMAS
    if id_like:
        return _ID
    if rows.labels is None or len(levels) > np.sum(codes >= 0) / 10:
        return ""
    # of each level the share of the last label, as a score
    labels = rows.labels.codes
    positive = labels == np.max(labels, initial=0)
    seen = np.bincount(codes + 1, minlength=2)
    rate = np.bincount(codes + 1, positive, len(seen)) / np.maximum(seen, 1)
    return _leak(rate[codes + 1], rows)


def _leak(scores: npt.NDArray[np.float64], rows: Rows) -> str:
    """Return a warning if scores tell one class from all others."""
    if rows.labels is None:
        return ""
    use = np.isfinite(scores) & (rows.labels.codes >= 0)
    codes, scores = rows.labels.codes[use], scores[use]
    counts = np.bincount(codes, minlength=2)
    if len(counts) > _MANY or counts.min() < _ENOUGH:  # chance, or too many to try
        return ""
    areas = (roc_auc_score(codes == k, scores) for k in range(len(counts)))
    return _LEAK if any(max(a, 1.0 - a) >= _SURE for a in areas) else ""
