"""Results as plain values, and their keys in the store."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict
from typing import Any

from rosenblatt.core.figures import FigureData, Picture, Series, TableData
from rosenblatt.papers.claims import (
    Claim,
    Figure,
    Item,
    Measurement,
    Outcome,
    Table,
    Verdict,
)
from rosenblatt.report.drawing import Drawing
from rosenblatt.report.files import stem
from rosenblatt.report.results import Exhibit, Result
from rosenblatt.report.running.store import Store
from rosenblatt.system.code import code_digest

__all__ = ["key_of", "load_result", "module_of", "store_result"]

_PAPERS = "rosenblatt.papers"
_NUMBERS = ("published", "formula", "expected", "measured")
_DRAWN_BY = ("rosenblatt.plotting", "rosenblatt.report.drawing")
_DRAWN_WITH = ("bokeh", "matplotlib")


def module_of(item: Item) -> str:
    """Return where an item is computed: items of a module share what they compute."""
    work = item.measure if isinstance(item, Claim) else item.build
    return getattr(work, "__module__", "")


def key_of(item: Item, quick: bool) -> str | None:
    """Return a digest of all that a result depends on, None if that is not known.

    It is known of the papers of this package: their sources, those of all they import,
    and the versions of what they compute with.
    """
    paper = f"{_PAPERS}.{item.id.partition('/')[0]}"
    if not module_of(item).startswith(f"{paper}."):
        return None
    text = f"{item.id} {'quick' if quick else 'full'} {code_digest(paper)}"
    return hashlib.sha256(text.encode()).hexdigest()


def _drawing_key(data: FigureData) -> str:
    text = f"{code_digest(*_DRAWN_BY, libraries=_DRAWN_WITH)} {data!r}"
    return hashlib.sha256(text.encode()).hexdigest()


def _name(item: Item, quick: bool) -> str:
    return f"{stem(item.id)}.{'quick' if quick else 'full'}"


def _data(fields: dict[str, Any]) -> FigureData | TableData:
    if "cells" in fields:
        cells = tuple(tuple(row) for row in fields["cells"])
        return TableData(
            **(fields | {"columns": tuple(fields["columns"])} | {"cells": cells})
        )
    series = tuple(Series(**entry) for entry in fields["series"])
    pictures = tuple(Picture(**entry) for entry in fields["pictures"])
    return FigureData(**(fields | {"series": series, "pictures": pictures}))


def _outcome(item: Claim, fields: dict[str, Any]) -> Outcome:
    numbers = {name: fields[name] and Measurement(**fields[name]) for name in _NUMBERS}
    verdict = Verdict(fields["verdict"])
    return Outcome(item=item, **(fields | numbers | {"verdict": verdict}))


def store_result(store: Store, found: Result, quick: bool) -> None:
    """Store a result; failures are not stored."""
    item = found.item
    key = key_of(item, quick) if store.writable else None
    if key is None:
        return
    if isinstance(found, Outcome):
        if not found.surprising:
            fields = {
                name: value for name, value in vars(found).items() if name != "item"
            }
            for name in _NUMBERS:
                fields[name] = fields[name] and asdict(fields[name])
            store.put(_name(item, quick), key, fields)
        return
    if found.data is not None:
        content = {"data": asdict(found.data), "seconds": found.seconds}
        store.put(_name(item, quick), key, content)
    if isinstance(found.data, FigureData) and found.drawing is not None:
        drawn = {
            "png": base64.b64encode(found.drawing.png).decode(),
            "pdf": base64.b64encode(found.drawing.pdf).decode(),
            "chart": found.drawing.chart,
        }
        store.put(f"{_name(item, quick)}.drawing", _drawing_key(found.data), drawn)


def _drawing(store: Store, name: str, data: FigureData) -> Drawing | None:
    drawn = store.get(name, _drawing_key(data))
    if drawn is None:
        return None
    png, pdf = (base64.b64decode(drawn[form]) for form in ("png", "pdf"))
    return Drawing(png, pdf, drawn["chart"])


def load_result(store: Store, item: Item, quick: bool) -> Result | None:
    """Return a stored result; None if there is none. A figure may lack its drawing."""
    key = key_of(item, quick) if store.readable else None  # reading sources takes time
    content = None if key is None else store.get(_name(item, quick), key)
    if content is None:
        return None
    if isinstance(item, Claim):
        return _outcome(item, content)
    assert isinstance(item, Figure | Table)
    data = _data(content["data"])
    drawing = None
    if isinstance(data, FigureData):
        drawing = _drawing(store, f"{_name(item, quick)}.drawing", data)
    return Exhibit(item, data, "", content["seconds"], drawing)
