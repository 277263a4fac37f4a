"""Preview of a table: kind, gaps and features of each column; as values and as text."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rosenblatt.tables import STANDARD, Encoder, Rows, Texts, is_sparse
from rosenblatt.training.settings import Settings
from rosenblatt.training.sources import Sources

__all__ = [
    "ColumnPreview",
    "Preview",
    "count",
    "preview",
    "preview_of",
    "readable",
]

_WIDE = 40  # columns of a table that are listed one by one
_NAMED = 8  # hashed columns that are named
_SURE = 0.995  # AUC of a single column that tells the target
_LEAST = 30  # rows of a class before a column is suspected
_ID = "looks like an id"
_EMPTY = "has no value"
_COMMAS = "has decimal commas, so its numbers are taken as categories: write points"
_BINARY = ("binary", "clipped")  # models of columns of two levels, by their names
_DECIMAL = re.compile(r"[+-]?\d+,\d+")
_USES = {
    "one-hot": "one-hot",
    "hash": "hashed",
    "text": "hashed words and pairs of words",
    "date": "parts of the date",
}
_OTHERS = {"weight": "counts rows", "id": "left out", "ignore": "left out"}
_KINDS = {"one-hot": "category", "hash": "category", "text": "text", "date": "date"}


def readable(name: str) -> str:
    """Return the name of a column; in quotes if it is empty or begins with a space."""
    return name if name.strip() == name != "" else repr(name)


def count(number: int, what: str) -> str:
    """Return a number of things in words.

    Examples
    --------
    >>> count(1, "row"), count(1500, "row")
    ('1 row', '1,500 rows')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class ColumnPreview(NamedTuple):
    """A column, as the first batch shows it."""

    name: str
    kind: str  # number, category, date, text, target, weight, id, ignore
    gaps: float | None  # share of missing values
    levels: int | None  # distinct values, of text
    features: int  # that the column becomes
    use: str  # what happens to it, in words
    warning: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The column as a line of a table."""
        return (
            readable(self.name),
            self.kind,
            f"{self.gaps:.1%}" if self.gaps else "",
            "" if self.levels is None else f"{self.levels:,}",
            f"{self.features:,}" if self.features else "",
            self.use,
        )

    @property
    def ignoring(self) -> str:
        """The option that leaves the column out, as one types it in a shell."""
        entry = f'"{self.name}"' if "," in self.name else self.name
        return f"--ignore {shlex.quote(entry)}"


class Preview(NamedTuple):
    """A table, as its first batch shows it; ``str`` returns it as text."""

    rows: int  # of the first batch
    features: int
    hashed: bool
    columns: list[ColumnPreview]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        headers = ("column", "kind", "gaps", "levels", "features", "use")
        rows = [column.cells for column in self.columns[:_WIDE]]
        sizes = [max(map(len, each)) for each in zip(headers, *rows, strict=True)]
        for row in (headers, *rows) if rows else ():
            cells = [
                cell.rjust(size) if 2 <= k <= 4 else cell.ljust(size)
                for k, (cell, size) in enumerate(zip(row, sizes, strict=True))
            ]
            yield "  ".join(cells).rstrip()
        if len(self.columns) > _WIDE:
            yield f"and {len(self.columns) - _WIDE} columns more"
        kind = "sparse" if self.hashed or not self.columns else "dense"  # svmlight
        features = count(self.features, f"{kind} feature")
        yield f"{features}, from the first {count(self.rows, 'row')}"
        if self.hashed:
            yield _hashed_line([c for c in self.columns if c.use.startswith("hashed")])
        for column in self.columns:
            if column.warning:
                name, advice = readable(column.name), column.ignoring
                yield f"warning: {name} {column.warning}; {advice} leaves it out"


def _hashed_line(columns: list[ColumnPreview]) -> str:
    """Return what hashed columns mean for the model, and how to avoid it."""
    names = ", ".join(readable(column.name) for column in columns[:_NAMED])
    if len(columns) > _NAMED:
        names += f" and {len(columns) - _NAMED} more"
    texts = [column for column in columns if column.kind == "text"]
    advice = ["--categories one-hot"] if len(texts) < len(columns) else []
    advice += [column.ignoring for column in texts[:_NAMED]]
    return (
        f"hashed: {names}; so features are sparse and the model keeps no correlations; "
        f"{' '.join(advice)} avoids it"
    )


def preview(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    target: str,
    **settings: Any,
) -> Preview:
    r"""Return how ``train`` would encode the columns of a table.

    Only the first batch is read. Columns that look like an id, or that determine the
    target, are marked.

    Parameters
    ----------
    files, target, **settings
        As for ``train``. Standard input cannot be read twice, and is refused.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     print("size,won", *("12,yes", ",no") * 9, sep="\n", file=file, flush=True)
    ...     found = preview(file.name, "won")
    >>> [(c.name, c.kind, c.gaps) for c in found.columns]
    [('size', 'number', 0.5), ('won', 'target', 0.0)]
    """
    given = Settings.of(files, target, settings)
    if given.files == (STANDARD,):
        raise ValueError("files must not be standard input, which is read once")
    return preview_of(Sources(given))


def preview_of(sources: Sources) -> Preview:
    """Return the preview of opened files."""
    rows, encoder = sources.first()
    columns = []
    if not is_sparse(rows.numbers):
        columns = _columns(rows, encoder, sources)
    return Preview(len(rows), encoder.features, encoder.hashed, columns)


def _columns(rows: Rows, encoder: Encoder, sources: Sources) -> list[ColumnPreview]:
    given, size = sources.settings, max(len(rows), 1)
    own = dict(encoder.groups())
    found: dict[str, ColumnPreview] = {}
    for j, name in enumerate(encoder.numbers):
        missing = len(rows.missing.get(j, ()))
        marked = " and a mark of gaps" if j in encoder.indicators else ""
        column = np.asarray(rows.numbers[:, j], float)
        found[name] = ColumnPreview(
            name,
            "number",
            missing / size,
            None,
            len(own[name]),
            f"{_use(given)}{marked}",
            _EMPTY
            if missing == size
            else _ID
            if name in encoder.ids
            else _leak(column, rows),
        )
    for name, coding, texts in zip(
        encoder.columns.texts, encoder.codings, rows.texts, strict=True
    ):
        kind = _KINDS[coding.kind]
        found[name] = ColumnPreview(
            name,
            kind,
            1.0 - float(np.sum(texts.codes >= 0)) / size,
            len(texts.present),
            len(own[name]),
            _USES[coding.kind],
            _suspect(kind, texts, rows, name in encoder.ids),
        )
    labels = rows.labels
    if labels is not None:
        gaps = float(np.mean(labels.codes < 0)) if len(labels.codes) else 0.0
        found[sources.target] = ColumnPreview(
            sources.target, "target", gaps, len(labels.values), 0, "predicted"
        )
    for name, role in given.roles.items():
        if role in _OTHERS:
            found[name] = ColumnPreview(name, role, None, None, 0, _OTHERS[role])
    order = [column.name for column in sources.table(0).columns]
    return [found[name] for name in order if name in found]


def _use(given: Settings) -> str:
    """Return the treatment of numbers, before the model or in the model."""
    if given.model_name.startswith(_BINARY):
        return "cut into two levels"
    plain = given.model_name == "perceptron" and not given.standardised
    return "as it is" if plain else "standardised"


def _suspect(kind: str, texts: Texts, rows: Rows, id_like: bool) -> str:
    """Return a warning about a column of categories."""
    codes, levels = texts.codes, texts.present
    if kind != "category":
        return ""
    if not levels:
        return _EMPTY
    if all(map(_DECIMAL.fullmatch, levels)):
        return _COMMAS
    if id_like:
        return _ID
    if rows.labels is None or len(levels) > np.sum(codes >= 0) / 10:
        return ""
    # of each level the share of the second half of labels, as a score
    labels = rows.labels.codes
    last = np.max(labels, initial=0)
    positive = labels == last
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
    if len(counts) > 20 or counts.min() < _LEAST:  # chance, or too many to try
        return ""
    _, ranks, many = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(many) - 0.5 * (many - 1)
    for k, yes in enumerate(counts.tolist()):
        no = len(codes) - yes
        area = (middle[ranks][codes == k].sum() - yes * (yes + 1) / 2) / (yes * no)
        if max(area, 1.0 - area) >= _SURE:
            return "predicts the target almost alone, and may be known only after it"
    return ""
