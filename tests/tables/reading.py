"""Readers of whole files, their refusals, and rows made by hand."""

import time

import numpy as np
import pytest

from rosenblatt.tables.reading import Columns, Rows, Texts, open_table

SOON = 30.0  # seconds, also on a busy machine; some took all memory before


def read(path, columns, rows=64, after=0):
    """Return the rows of each piece of a file."""
    opened = open_table(str(path))
    return [opened.parse(p, columns) for p in opened.pieces(after, rows, columns.names)]


def end(rows):
    """Return the line after which reading goes on."""
    return max([*rows.lines, *(bad.line for bad in rows.bad)])


def read_labels(path, target="won"):
    """Return labels and rows of each piece of a file."""
    opened = open_table(str(path))
    columns = Columns((), (), target)
    return [
        (rows.labels.present, rows)
        for piece in opened.pieces(0, 100)
        for rows in [opened.parse(piece, columns)]
    ]


def refused(path):
    """Return the error of a file: one line, which begins with its name."""
    began = time.monotonic()
    with pytest.raises(ValueError, match=r".") as caught:
        read_labels(path)
    assert time.monotonic() - began < SOON
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(str(path))
    return said.removeprefix(str(path))


def rows(numbers, texts=(), labels=None, missing=None, weights=None, columns=None):
    """Return a batch of rows, as readers do; None is missing.

    By default columns of numbers are named a, b, ..., those of text s, t, ...
    """
    numbers = np.array(numbers, float)
    for j, where in (missing or {}).items():
        numbers[where, j] = np.nan
    count = len(numbers)
    given = []
    for column in texts:
        values = sorted({v for v in column if v is not None})
        codes = [-1 if v is None else values.index(v) for v in column]
        given.append(Texts(values, np.array(codes, np.int32)))
    if labels is not None:
        values = sorted({v for v in labels if v is not None})
        codes = [-1 if v is None else values.index(v) for v in labels]
        labels = Texts(values, np.array(codes, np.int32))
    gone = {j: np.array(where) for j, where in (missing or {}).items()}
    names = tuple("abcdef"[: numbers.shape[1]]), tuple("stuv"[: len(given)])
    own = columns or Columns(*names, "won", "times")
    lines = np.arange(10, 10 + count)
    return Rows(own, numbers, gone, given, labels, weights, lines)
